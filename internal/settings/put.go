package settings

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings/merge"
	"checkout/internal/store"
)

// Put changes a merchant's settings by a JSON object with its id, or adds the merchant (merge.Into: what it leaves out
// stays as it is stored, null removes). It returns the settings with their secrets, and a line for each place
// that is other than before; secrets are named and not shown. With dryRun nothing is stored.
// Errors: CodeInvalid with every fault of the settings, or for a key that belongs to another merchant.
func (o *Merchants) Put(ctx context.Context, text []byte, dryRun bool) (Merchant, []string, error) {
	named, err := merge.Read(text)
	if err != nil {
		return Merchant{}, nil, fmt.Errorf("read merchant: %w", err)
	}
	if name := removedSecret(named); name != "" {
		return Merchant{}, nil, fault.At(name,
			method.NotValid("It can't be removed. Leave it out, and it stays as it is stored."))
	}
	id, _ := named["id"].(string)
	var put Merchant
	c := change{id: id, saves: true, apply: func(stored *Merchant) error {
		saved, err := stored.mergedWith(named)
		if err == nil && saved.ID != id { // it was written "ID"
			err = fault.At("id", method.TextNotChoice)
		}
		put, *stored = saved, saved
		return err
	}}
	if dryRun {
		_, lines, err := o.records(ctx, o.Now(), c)
		return put, lines, err
	}
	lines, err := o.change(ctx, c)
	return put, lines, err
}

// mergedWith returns the settings as a JSON object changes them. Of the credentials of a MID, too, those change that it
// names, unless the MID gets another connector, which has others.
func (m *Merchant) mergedWith(named map[string]any) (Merchant, error) {
	base := m.withoutSecrets()
	saved, err := base.merged(named)
	if err != nil {
		return Merchant{}, err
	}
	base.eachMID(func(mapping string, mid *MID) {
		known, _ := m.MID(mapping, mid.Name)
		if now, stays := saved.MID(mapping, mid.Name); stays && now.Connector == mid.Connector {
			mid.Credentials = known.Credentials
		}
	})
	if saved, err = base.merged(named); err != nil {
		return Merchant{}, err
	}
	saved.fillFrom(m)
	return saved, nil
}

// merged returns the settings, with what secrets they have, as a JSON object changes them.
func (m *Merchant) merged(named map[string]any) (saved Merchant, err error) {
	before := []byte("{}")
	if m.ID != "" {
		if before, err = json.Marshal(m); err != nil {
			return Merchant{}, fmt.Errorf("marshal settings: %w", err)
		}
	}
	merged, err := merge.Into(before, named)
	if err == nil {
		err = store.ReadExactly(merged, &saved)
	}
	if err != nil {
		return Merchant{}, fmt.Errorf("read merchant: %w", err)
	}
	return saved, nil
}

// secretNames are the members that null can't remove: a merchant has them, and Rotate replaces them.
var secretNames = []string{"live_key", "test_key", "password", "callback_secret", "credentials"}

// removedSecret returns the name of a secret that is null in a JSON value, "" if there is none.
func removedSecret(value any) string {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if value[name] == nil && slices.Contains(secretNames, name) {
				return name
			}
			if found := removedSecret(value[name]); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range value {
			if found := removedSecret(item); found != "" {
				return found
			}
		}
	}
	return ""
}

// differences returns a line for each place in which settings are other than before.
func differences(before, after *Merchant) ([]string, error) {
	if before.ID == "" {
		return []string{"is new"}, nil
	}
	var texts [2][]byte
	for i, m := range []*Merchant{before, after} {
		bare := m.withoutSecrets()
		bare.maskPresets()
		var err error
		if texts[i], err = json.Marshal(bare); err != nil {
			return nil, fmt.Errorf("marshal settings: %w", err)
		}
	}
	lines, err := merge.Differences(texts[0], texts[1])
	if err != nil {
		return nil, err
	}
	return append(lines, replacedSecrets(before, after)...), nil
}

// replacedSecrets returns a line for each secret that is other than before.
func replacedSecrets(before, after *Merchant) (lines []string) {
	for _, secret := range []struct{ name, before, after string }{
		{"password", before.Password, after.Password},
		{"callback_secret", before.CallbackSecret, after.CallbackSecret},
		{"identity keys of wallets", before.secret(SecretWalletIdentity), after.secret(SecretWalletIdentity)},
		{"keys of wallets' tokens", before.secret(SecretWalletProcessing), after.secret(SecretWalletProcessing)},
	} {
		if secret.before != secret.after {
			lines = append(lines, secret.name+": other than before, not shown")
		}
	}
	after.eachMID(func(mapping string, mid *MID) {
		known, _ := before.MID(mapping, mid.Name)
		if !maps.Equal(known.Credentials, mid.Credentials) {
			path := fmt.Sprintf("mappings[%s].mids[%s].credentials", mapping, mid.Name)
			lines = append(lines, path+": other than before, not shown")
		}
	})
	return lines
}

// Version is a merchant's settings as they were before a change. It has no secrets.
type Version struct {
	Number   int64           `json:"-"`
	Changed  []string        `json:"-"`     // what was other in the settings after it
	Until    time.Time       `json:"until"` // when they were changed
	Settings json.RawMessage `json:"settings"`
}

// versionTTL is for how long the settings before a change are stored.
const versionTTL = 400 * 24 * time.Hour

// versionRecord is the document of settings that are about to be replaced.
func versionRecord(id string, stored store.Record, now time.Time) store.Record {
	r := store.Encode(store.SettingsVersionKey(id, stored.Version), 0, Version{Until: now, Settings: stored.Doc})
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

// changedBetween returns a line for each place in which two stored settings differ.
func changedBetween(before, after json.RawMessage) ([]string, error) {
	var settings [2]Merchant
	for i, text := range []json.RawMessage{before, after} {
		if err := json.Unmarshal(text, &settings[i]); err != nil {
			return nil, fmt.Errorf("read version: %w", err)
		}
	}
	return differences(&settings[0], &settings[1])
}

// Restore gives a merchant the settings of a version. Keys, password, callback secret, and the credentials of MIDs that
// are still there stay as they are. It returns a line for each place that is other than before.
// Errors: CodeNotFound, CodeInvalid where the settings need what is not stored any more.
func (o *Merchants) Restore(ctx context.Context, id string, number int64) ([]string, error) {
	record, err := store.GetOne(ctx, o.Store, o.Now(), store.SettingsVersionKey(id, number))
	if err != nil {
		return nil, fmt.Errorf("read version: %w", err)
	}
	if record.Version == 0 {
		return nil, fault.Refuse(fault.CodeNotFound, "Version does not exist")
	}
	var version Version
	var old storedMerchant
	if err := record.Decode(&version); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(version.Settings, &old); err != nil {
		return nil, fmt.Errorf("read version: %w", err)
	}
	old.LiveKey, old.TestKey = "", ""
	return o.change(ctx, change{id: id, saves: true, apply: func(stored *Merchant) error {
		if stored.ID == "" {
			return errMerchant()
		}
		saved := old.Merchant.clone()
		saved.fillFrom(stored)
		*stored = saved
		return nil
	}})
}

// ChangeText returns the lines of a change of a merchant's settings, for people.
func ChangeText(id string, lines []string) string {
	if len(lines) == 0 {
		return id + ": nothing changes\n"
	}
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "%s: %s\n", id, line)
	}
	return text.String()
}
