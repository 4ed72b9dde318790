package change

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"checkout/internal/audit"
	"checkout/internal/settings"
	"checkout/internal/settings/words"
	"checkout/internal/store"
)

// Version is the document of a merchant's settings as they were before a change. It has no secrets.
type Version struct {
	Until    time.Time       `json:"until"` // when they were changed
	Settings json.RawMessage `json:"settings"`

	// Who has changed them, by the names that the audit log has, and why; "" of an earlier release.
	Who    string `json:"who,omitempty"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// ListedVersion is a version in a list: who has changed the settings then, and what.
type ListedVersion struct {
	Number  int64          `json:"version"`
	Until   time.Time      `json:"until"`
	Who     string         `json:"who,omitempty"`
	By      string         `json:"by,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Changes []words.Change `json:"changes"` // what was other in the settings after it

	// What restoring it now would remove, and which MIDs it would bring back with their secrets.
	Removed    []Removal    `json:"removed"`
	Restorable []Restorable `json:"restorable"`
}

// settings returns the settings of the version.
func (v *Version) settings() (m settings.Merchant, err error) {
	if err := json.Unmarshal(v.Settings, &m); err != nil {
		return m, fmt.Errorf("read version: %w", err)
	}
	return m, nil
}

// versionTTL is for how long the settings before a change are stored.
const versionTTL = 400 * 24 * time.Hour

// versionRecord is the document of settings that are about to be replaced.
func versionRecord(id string, stored store.Record, now time.Time, by audit.Act) store.Record {
	r := store.Encode(store.SettingsVersionKey(id, stored.Version), 0, Version{
		Until: now, Settings: stored.Doc, Who: by.Who, By: by.By, Reason: by.Reason,
	})
	r.ExpiresAt = now.Add(versionTTL)
	return r
}

// maxVersions is how many versions are listed.
const maxVersions = 100

// Versions returns the settings that a merchant had before, the latest first.
func (o *Merchants) Versions(ctx context.Context, id string) ([]ListedVersion, error) {
	records, err := o.Store.List(ctx, o.Now(), store.SettingsVersions(id, maxVersions))
	if err != nil {
		return nil, fmt.Errorf("list versions: %w", err)
	}
	p, err := o.present(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := p.readRemoved(ctx); err != nil {
		return nil, err
	}
	all, after := make([]ListedVersion, len(records)), json.RawMessage(p.stored.Doc)
	for i, r := range records {
		var v Version
		if err := r.Decode(&v); err != nil {
			return nil, err
		}
		changes, err := changedBetween(v.Settings, after)
		if err != nil {
			return nil, err
		}
		if p.after.Merchant, err = v.settings(); err != nil {
			return nil, err
		}
		after = v.Settings
		p.after.FillCredentials(&p.before.Merchant)
		all[i] = ListedVersion{
			store.SettingsVersion(r.Key), v.Until, v.Who, v.By, v.Reason, append([]words.Change{}, changes...),
			append([]Removal{}, p.removals()...), append([]Restorable{}, p.restorable()...),
		}
	}
	return all, nil
}

// present returns a merchant as it is stored, also one with faults. Errors: CodeNotFound.
func (o *Merchants) present(ctx context.Context, id string) (*pendingChange, error) {
	p, err := o.plan(ctx, o.Now(), change{id: id, apply: func(m *settings.Merchant, _ secrets) error {
		if m.ID == "" {
			return errMerchant()
		}
		return nil
	}})
	if p == nil {
		return nil, err
	}
	return p, nil
}

// changedBetween returns what is other in two stored settings.
func changedBetween(before, after json.RawMessage) ([]words.Change, error) {
	var both [2]settings.Merchant
	for i, text := range []json.RawMessage{before, after} {
		if err := json.Unmarshal(text, &both[i]); err != nil {
			return nil, fmt.Errorf("read version: %w", err)
		}
	}
	return differences(&both[0], &both[1])
}
