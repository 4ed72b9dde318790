package change

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"checkout/internal/settings"
	"checkout/internal/settings/sealed"
	"checkout/internal/settings/words"
)

// removeCredentials removes the stored credentials for which the settings have no place any more: of MIDs that go or
// get another connector, those that are set to "", and those that the settings have as no secrets. It adds those that
// are restored. It returns what a change says of them.
func (p *pendingChange) removeCredentials() (removed []words.Change) {
	doc, left := p.secrets[settings.SecretCredentials], sealed.ByMID{}
	p.after.EachMID(func(mapping string, mid *settings.MID) {
		known, stays := p.before.MID(mapping, mid.Name)
		own, stored := doc.Credentials[mapping][mid.Name]
		if !stays || known.Connector != mid.Connector {
			own, stored = p.restored[mapping][mid.Name]
			for _, at := range p.secretPlaces(mapping, *mid, own) {
				removed = append(removed, ofSecret(at, "is restored, not shown"))
			}
		}
		if !stored {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(mid.Credentials)) {
			isRemoved := mid.Credentials[name] == ""
			if isRemoved && own.Has(name) && !p.Connectors.IsPlain(mid.Connector, name) {
				at := settings.Place{Mapping: mapping, MID: mid.Name, Setting: "credentials." + name}
				removed = append(removed, ofSecret(at, "goes, not shown"))
				one := newSecret{SetSecret: settings.SetSecret{Place: at, Name: name}}
				if part := own.PartWith(name); part != nil {
					one.fingerprint = part.Fingerprints[name]
				}
				p.emptied = append(p.emptied, one)
			}
			if isRemoved || p.Connectors.IsPlain(mid.Connector, name) {
				own = own.Remove(name)
			}
		}
		left.Add(mapping, mid.Name, own)
	})
	p.removed = p.removals()
	for _, r := range p.removed {
		for _, at := range r.places {
			removed = append(removed, ofSecret(at, "goes, not shown"))
		}
	}
	doc.Credentials = left
	return removed
}

// places returns where the settings after the change have a secret that is stored.
func (p *pendingChange) places() settings.Places {
	all := settings.Places{}
	all[settings.Place{Setting: "password"}] = p.secrets[settings.SecretPassword].Encrypted != nil
	all[settings.Place{Setting: "callback_secret"}] = p.secrets[settings.SecretCallback].Encrypted != nil
	p.after.EachMID(func(mapping string, mid *settings.MID) {
		own := p.secrets[settings.SecretCredentials].Credentials[mapping][mid.Name]
		for _, name := range p.Connectors.CredentialNames(mid.Connector) {
			all[settings.Place{Mapping: mapping, MID: mid.Name, Setting: "credentials." + name}] = own.Has(name)
		}
	})
	p.before.EachKey(func(k settings.WalletKey) {
		if doc := p.secrets[k.Use]; doc.Encrypted != nil {
			doc.older[k.ID] = true
		}
	})
	p.after.EachKey(func(k settings.WalletKey) {
		doc := p.secrets[k.Use]
		_, own := doc.Keys[k.ID]
		all[k.Place] = k.ID != "" && (own || doc.older[k.ID])
	})
	return all
}

// differing returns the secrets that are other than they are stored. One that was stored without a fingerprint is, for
// all that is known.
func (p *pendingChange) differing(ctx context.Context, set []settings.SetSecret) (other []newSecret, err error) {
	for _, s := range set {
		one := newSecret{SetSecret: s}
		if _, same := p.secrets[s.Use].Keys[s.Name]; same {
			continue
		}
		if stored := p.secrets.fingerprint(s); stored != nil {
			if one.fingerprint, err = p.fingerprint(ctx, one); err != nil {
				return nil, err
			}
			if bytes.Equal(one.fingerprint, stored) {
				continue
			}
		}
		other = append(other, one)
	}
	return other, nil
}

// seal encrypts the secrets that are other than before.
func (p *pendingChange) seal(ctx context.Context) error {
	var errs []error
	for _, s := range p.set {
		switch doc := p.secrets[s.Use]; s.Use {
		case settings.SecretCredentials: // below, those of a MID at once
		case settings.SecretWalletIdentity, settings.SecretWalletProcessing:
			errs = append(errs, p.sealKey(ctx, doc, s))
		default:
			errs = append(errs, p.sealText(ctx, doc, s))
		}
	}
	p.after.EachMID(func(mapping string, mid *settings.MID) {
		errs = append(errs, p.sealCredentials(ctx, mapping, mid.Name))
	})
	p.secrets.setAccounts(&p.after.Merchant)
	p.secrets.removeKeys(&p.after.Merchant)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("encrypt secrets: %w", err)
	}
	return nil
}

func (p *pendingChange) sealText(ctx context.Context, doc *secretDocument, s newSecret) error {
	encrypted, err := p.Sealer.Encrypt(ctx, s.Use, p.id, []byte(s.Value))
	if err != nil {
		return err
	}
	if s.fingerprint, err = p.fingerprint(ctx, s); err != nil {
		return err
	}
	replaced := doc.Encrypted
	doc.Secret = sealed.Secret{Encrypted: encrypted, Fingerprint: s.fingerprint}
	if p.overlap > 0 && replaced != nil {
		doc.Old, doc.OldUntil = replaced, p.now.Add(p.overlap)
	}
	return nil
}

func (p *pendingChange) sealKey(ctx context.Context, doc *secretDocument, s newSecret) error {
	encrypted, err := p.Sealer.Encrypt(ctx, s.Use, p.id, []byte(s.Value))
	if err == nil {
		doc.Keys[s.Name] = sealed.Key{Encrypted: encrypted, Since: p.now}
	}
	return err
}

// sealCredentials encrypts the credentials of a MID that are other than before. They become the last of its parts.
func (p *pendingChange) sealCredentials(ctx context.Context, mapping, mid string) error {
	all := p.secrets[settings.SecretCredentials].Credentials
	own, values := all[mapping][mid], map[string]string{}
	part := sealed.Part{Fingerprints: map[string][]byte{}, Since: p.now}
	for _, s := range p.set {
		if s.Use != settings.SecretCredentials || s.Mapping != mapping || s.MID != mid {
			continue
		}
		var err error
		if part.Fingerprints[s.Name], err = p.fingerprint(ctx, s); err != nil {
			return err
		}
		values[s.Name], own = s.Value, own.Remove(s.Name)
	}
	if len(values) == 0 {
		return nil
	}
	plain, err := json.Marshal(values)
	if err != nil {
		panic("marshal credentials: " + err.Error()) // can't happen: a map of texts can always be encoded
	}
	owner := settings.IDOfMID(p.id, mapping, mid)
	part.Encrypted, err = p.Sealer.Encrypt(ctx, settings.SecretCredentials, owner, plain)
	own.Parts = append(own.Parts, part)
	all.Add(mapping, mid, own)
	return err
}
