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

// Version is a merchant's settings as they were before a change. It has no secrets.
type Version struct {
	Number   int64           `json:"-"`
	Changed  []words.Change  `json:"-"`     // what was other in the settings after it
	Until    time.Time       `json:"until"` // when they were changed
	Settings json.RawMessage `json:"settings"`

	// Who has changed them, by the names that the audit log has, and why; "" of an earlier release.
	Who    string `json:"who,omitempty"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
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
func (o *Merchants) Versions(ctx context.Context, id string) ([]Version, error) {
	records, err := o.Store.List(ctx, o.Now(), store.SettingsVersions(id, maxVersions))
	if err != nil {
		return nil, fmt.Errorf("list versions: %w", err)
	}
	current, err := store.GetOne(ctx, o.Store, o.Now(), store.SettingsKey(id))
	if err != nil {
		return nil, fmt.Errorf("read merchant: %w", err)
	}
	if current.Version == 0 {
		return nil, errMerchant()
	}
	all, after := make([]Version, len(records)), json.RawMessage(current.Doc)
	for i, r := range records {
		v := &all[i]
		if err := r.Decode(v); err != nil {
			return nil, err
		}
		v.Number = store.SettingsVersion(r.Key)
		if v.Changed, err = changedBetween(v.Settings, after); err != nil {
			return nil, err
		}
		after = v.Settings
	}
	return all, nil
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
