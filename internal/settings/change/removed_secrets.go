package change

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/sealed"
	"checkout/internal/store"
)

// removedTTL is for how long the secrets that went with a MID can be restored.
const removedTTL = 30 * 24 * time.Hour

// maxRemovedSecrets is of how many changes the removed secrets are stored, so that one write has place for all.
const maxRemovedSecrets = 50

// readRemoved reads the secrets that earlier changes have removed, the latest first.
func (p *pendingChange) readRemoved(ctx context.Context) error {
	records, err := p.Store.List(ctx, p.now, store.RemovedSecrets(p.id, maxRemovedSecrets+1))
	if err != nil {
		return fmt.Errorf("list removed secrets: %w", err)
	}
	p.earlier = nil
	for _, r := range records {
		doc := &removedSecrets{stored: r}
		if err := r.Decode(&doc.Removed); err != nil {
			return err
		}
		p.earlier = append(p.earlier, doc)
	}
	return nil
}

// Restorable are the secrets that come back with a MID.
type Restorable struct {
	Place string    `json:"place"` // of the MID
	Until time.Time `json:"until"`

	secrets sealed.RemovedMID
	doc     *removedSecrets
}

// restorable returns the secrets that MIDs had that the change brings back. They were removed with a MID of the same
// place and connector, and were sent to the same address then: they must never go to another provider.
func (p *pendingChange) restorable() (all []Restorable) {
	p.after.EachMID(func(mapping string, mid *settings.MID) {
		if known, stays := p.before.MID(mapping, mid.Name); stays && known.Connector == mid.Connector {
			return
		}
		for _, doc := range p.earlier {
			i := slices.IndexFunc(doc.MIDs, func(gone sealed.RemovedMID) bool { return isOf(gone, mapping, mid) })
			if i < 0 {
				continue
			}
			if gone := doc.MIDs[i]; maps.Equal(gone.Plain, mid.Credentials) {
				at := settings.Place{Mapping: mapping, MID: mid.Name}
				all = append(all, Restorable{at.Owner(), doc.stored.ExpiresAt, gone, doc})
			}
			return // older ones were replaced since
		}
	})
	return all
}

func isOf(gone sealed.RemovedMID, mapping string, mid *settings.MID) bool {
	return gone.Mapping == mapping && gone.MID == mid.Name && gone.Connector == mid.Connector
}

// restoreSecrets gives the MIDs that the change brings back the secrets that they had.
func (p *pendingChange) restoreSecrets(ctx context.Context) error {
	if err := p.readRemoved(ctx); err != nil {
		return err
	}
	p.restored = sealed.ByMID{}
	for _, one := range p.restorable() {
		gone := one.secrets
		p.restored.Add(gone.Mapping, gone.MID, gone.Credentials)
		for use, keys := range gone.Keys {
			maps.Copy(p.secrets[settings.SecretUse(use)].Keys, keys)
		}
		one.doc.MIDs = slices.DeleteFunc(one.doc.MIDs, func(m sealed.RemovedMID) bool {
			return m.Mapping == gone.Mapping && m.MID == gone.MID
		})
		one.doc.changed = true
	}
	return nil
}

// removedDocuments returns the documents of removed secrets that the change adds, and those of which it drops what was
// replaced. It has to be called while the secrets are as they were before the change.
func (p *pendingChange) removedDocuments(ctx context.Context) (records []store.Record, err error) {
	added := &removedSecrets{changed: true}
	for _, r := range p.removed {
		added.MIDs = append(added.MIDs, r.secrets...)
	}
	added.stored.Key = store.RemovedSecretsKey(p.id, p.stored.Version)
	added.stored.ExpiresAt = p.now.Add(removedTTL)
	replaced := p.replacedSecrets()
	if len(added.MIDs)+len(replaced.credentials)+len(replaced.keys)+len(p.set) > 0 && p.restored == nil {
		if err := p.readRemoved(ctx); err != nil {
			return nil, err
		}
	}
	for i, doc := range append([]*removedSecrets{added}, p.earlier...) {
		before := len(doc.MIDs)
		doc.MIDs = slices.DeleteFunc(doc.MIDs, func(gone sealed.RemovedMID) bool {
			return i > maxRemovedSecrets-1 || p.isSetAgain(gone) || replaced.has(gone)
		})
		if !doc.changed && len(doc.MIDs) == before || doc == added && len(doc.MIDs) == 0 {
			continue
		}
		r := store.Encode(doc.stored.Key, doc.stored.Version, doc.Removed)
		if r.ExpiresAt = doc.stored.ExpiresAt; len(doc.MIDs) == 0 {
			r.ExpiresAt = p.now
		}
		records = append(records, r)
	}
	return records, nil
}

// isSetAgain reports whether the change sets a secret of the MID that others were removed with: they are replaced.
func (p *pendingChange) isSetAgain(gone sealed.RemovedMID) bool {
	now, is := p.after.MID(gone.Mapping, gone.MID)
	return is && now.Connector == gone.Connector && slices.ContainsFunc(p.set, func(s newSecret) bool {
		return s.Mapping == gone.Mapping && s.MID == gone.MID
	})
}

// replacedSecrets are secrets that the change replaces, or removes from what stays. They may have leaked: nothing that
// has one of them is restored.
type replacedSecrets struct {
	credentials map[string][][]byte // fingerprints by name
	keys        map[string]bool     // by id
}

func (p *pendingChange) replacedSecrets() replacedSecrets {
	all := replacedSecrets{map[string][][]byte{}, map[string]bool{}}
	for _, s := range p.set {
		if s.Use == settings.SecretCredentials {
			all.add(s.Name, p.secrets.fingerprint(s.SetSecret))
		}
	}
	for _, s := range p.emptied {
		all.add(s.Name, s.fingerprint)
	}
	used := p.usedKeys()
	p.before.EachKey(func(k settings.WalletKey) {
		if _, stays := p.after.MID(k.Mapping, k.MID); (stays || k.MID == "") && !used[k.ID] {
			all.keys[k.ID] = true
		}
	})
	return all
}

func (all replacedSecrets) add(name string, fingerprint []byte) {
	if fingerprint != nil {
		all.credentials[name] = append(all.credentials[name], fingerprint)
	}
}

// has reports whether one of them is among the secrets of a MID.
func (all replacedSecrets) has(gone sealed.RemovedMID) bool {
	for _, part := range gone.Credentials.Parts {
		for name, own := range part.Fingerprints {
			if slices.ContainsFunc(all.credentials[name], func(other []byte) bool { return bytes.Equal(own, other) }) {
				return true
			}
		}
	}
	for _, keys := range gone.Keys {
		for id := range keys {
			if all.keys[id] {
				return true
			}
		}
	}
	return false
}
