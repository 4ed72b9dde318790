package change

import (
	"slices"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/settings/sealed"
)

// removals returns what a change removes. It has to be called before the secrets of this are removed.
func (p *pendingChange) removals() (all []Removal) {
	for _, before := range p.before.Mappings {
		whole := p.newRemoval(settings.Place{Mapping: before.Name}, before.Name)
		gone := !hasMapping(&p.after.Merchant, before.Name)
		for _, mid := range before.MIDs {
			if gone {
				whole.add(p, mid)
			} else if now, stays := p.after.MID(before.Name, mid.Name); !stays || now.Connector != mid.Connector {
				one := p.newRemoval(settings.Place{Mapping: before.Name, MID: mid.Name}, mid.Name)
				one.connector = now.Connector
				one.add(p, mid)
				all = append(all, one)
			}
		}
		if gone {
			all = append(all, whole)
		}
	}
	for i := range all {
		all[i].Text = all[i].means()
	}
	return all
}

func (p *pendingChange) newRemoval(at settings.Place, name string) Removal {
	return Removal{Place: at.Owner(), Name: name, Mapping: at.Mapping, MID: at.MID, Credentials: []string{}}
}

func hasMapping(m *settings.Merchant, name string) bool {
	return slices.ContainsFunc(m.Mappings, func(mapping settings.Mapping) bool { return mapping.Name == name })
}

// add adds a MID with the secrets that are stored of it and that nothing else uses.
func (r *Removal) add(p *pendingChange, mid settings.MID) {
	gone := sealed.RemovedMID{
		Mapping: r.Mapping, MID: mid.Name, Connector: mid.Connector, Plain: mid.Credentials,
		Credentials: p.secrets[settings.SecretCredentials].Credentials[r.Mapping][mid.Name],
	}
	named := len(r.places)
	r.places = append(r.places, p.secretPlaces(r.Mapping, mid, gone.Credentials)...)
	used := p.usedKeys()
	p.before.EachKey(func(k settings.WalletKey) {
		key, stored := p.secrets[k.Use].Keys[k.ID]
		if k.Mapping == r.Mapping && k.MID == mid.Name && stored && !used[k.ID] {
			r.places = append(r.places, k.Place)
			gone.AddKey(string(k.Use), k.ID, key)
		}
	})
	for _, at := range r.places[named:] {
		r.Credentials = append(r.Credentials, at.String())
	}
	if len(r.places) > named {
		r.secrets = append(r.secrets, gone)
	}
}

// secretPlaces returns the places of the secrets among the credentials of a MID.
func (p *pendingChange) secretPlaces(mapping string, mid settings.MID, own sealed.Credentials) (all []settings.Place) {
	for _, name := range p.Connectors.CredentialNames(mid.Connector) {
		if own.Has(name) && !p.Connectors.IsPlain(mid.Connector, name) {
			all = append(all, settings.Place{Mapping: mapping, MID: mid.Name, Setting: "credentials." + name})
		}
	}
	return all
}

// usedKeys returns the ids of the keys of wallets that the settings after the change have a place for.
func (p *pendingChange) usedKeys() map[string]bool {
	used := map[string]bool{}
	p.after.EachKey(func(k settings.WalletKey) { used[k.ID] = true })
	return used
}

// means says what the removal means.
func (r Removal) means() string {
	text, loses := r.Place+" goes", ", and with it "
	if r.connector != "" {
		text, loses = r.Place+" gets another connector, "+r.connector, ", and loses "
	}
	if len(r.Credentials) == 0 {
		return text + "."
	}
	return text + loses + strings.Join(r.Credentials, ", ") +
		". Restoring the earlier settings within 30 days brings them back."
}

// unnamed returns an error if the change removes what its draft does not name.
func (p *pendingChange) unnamed() error {
	var faults []fault.Fault
	for _, r := range p.removed {
		if !slices.Contains(p.remove, r.Name) {
			faults = append(faults, fault.Of("remove", r.Text+" To confirm, name it here: "+r.Name))
		}
	}
	if len(faults) == 0 {
		return nil
	}
	err := fault.Invalid(faults)
	err.Hint = Removals{p.removed}
	return err
}

// Removals are the hint of a change that is refused since it does not name them.
type Removals struct {
	Removed []Removal `json:"removed"`
}
