package change

import (
	"slices"

	"checkout/internal/settings"
)

// removals returns the mappings that a change removes, and the MIDs of others. It has to be called before their
// credentials are removed.
func (p *pendingChange) removals() (all []Removal) {
	for _, before := range p.before.Mappings {
		if !hasMapping(&p.after.Merchant, before.Name) {
			r := removalOf(settings.Place{Mapping: before.Name}, before.Name)
			for _, mid := range before.MIDs {
				r.add(p, before.Name, mid)
			}
			all = append(all, r)
			continue
		}
		for _, mid := range before.MIDs {
			if _, stays := p.after.MID(before.Name, mid.Name); !stays {
				r := removalOf(settings.Place{Mapping: before.Name, MID: mid.Name}, mid.Name)
				r.add(p, before.Name, mid)
				all = append(all, r)
			}
		}
	}
	return all
}

func removalOf(at settings.Place, name string) Removal {
	return Removal{Place: at.Owner(), Name: name, MIDs: []string{}, Credentials: []string{}}
}

func hasMapping(m *settings.Merchant, name string) bool {
	return slices.ContainsFunc(m.Mappings, func(mapping settings.Mapping) bool { return mapping.Name == name })
}

// add adds a MID with the secrets that are stored of it.
func (r *Removal) add(p *pendingChange, mapping string, mid settings.MID) {
	r.MIDs = append(r.MIDs, mid.Name)
	own := p.secrets[settings.SecretCredentials].Credentials[mapping][mid.Name]
	for _, name := range p.Connectors.CredentialNames(mid.Connector) {
		if own.Has(name) && !p.Connectors.IsPlain(mid.Connector, name) {
			at := settings.Place{Mapping: mapping, MID: mid.Name, Setting: "credentials." + name}
			r.places = append(r.places, at)
			r.Credentials = append(r.Credentials, at.String())
		}
	}
}
