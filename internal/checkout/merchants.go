package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// SaveMerchant stores a merchant's settings under its id, and its keys, which point there. What the settings leave
// out of id, keys, password and callback secret stays as it is stored. A key that they replace ends at once.
// Functions that remember the old settings use them for up to a minute more.
// Errors: CodeInvalid as of CheckMerchant, and for a key that belongs to another merchant; then nothing is stored.
func SaveMerchant(ctx context.Context, store Store, now time.Time, m Merchant) error {
	return changeMerchant(ctx, store, saving(now, m))
}

// TrySaveMerchant finds what SaveMerchant would refuse, and stores nothing.
func TrySaveMerchant(ctx context.Context, store Store, now time.Time, m Merchant) error {
	_, err := saving(now, m).records(ctx, store)
	return err
}

func saving(now time.Time, m Merchant) change {
	return change{id: m.ID, now: now, apply: func(stored *Merchant) error {
		m.keep(stored)
		*stored = m
		return nil
	}}
}

// keep takes from the stored settings what the new ones leave out.
func (m *Merchant) keep(stored *Merchant) {
	m.LiveKey = firstOf(m.LiveKey, stored.LiveKey)
	m.TestKey = firstOf(m.TestKey, stored.TestKey)
	m.Password = firstOf(m.Password, stored.Password)
	m.CallbackSecret = firstOf(m.CallbackSecret, stored.CallbackSecret)
}

// change is one change of a merchant's settings.
type change struct {
	id      string
	now     time.Time
	overlap time.Duration         // how long a key that is replaced stays good
	apply   func(*Merchant) error // to the stored settings; those of a new merchant are empty
}

// maxChangeTries is how often a change is tried, where somebody else changes the same merchant.
const maxChangeTries = 5

// changeMerchant stores a change of a merchant with its keys, all or nothing.
func changeMerchant(ctx context.Context, store Store, c change) error {
	for range maxChangeTries {
		records, err := c.records(ctx, store)
		if err != nil {
			return err
		}
		err = store.Save(ctx, c.now, records...)
		if err == nil {
			return nil
		}
		if !isConflict(err) {
			return fmt.Errorf("store merchant: %w", err)
		}
	}
	return errors.New("store merchant: somebody else changes it at the same time")
}

// records returns the documents of a change.
func (c change) records(ctx context.Context, store Store) ([]Record, error) {
	stored, err := store.Get(ctx, c.now, settingsKey(c.id))
	if err != nil {
		return nil, fmt.Errorf("read merchant: %w", err)
	}
	var before Merchant
	if err := stored[0].decode(&before); err != nil {
		return nil, err
	}
	after := before
	if err := c.apply(&after); err != nil {
		return nil, err
	}
	if err := CheckMerchant(after); err != nil {
		return nil, err
	}
	keys, err := c.keys(ctx, store, before, after)
	if err != nil {
		return nil, err
	}
	return append(keys, encode(stored[0].Key, stored[0].Version, after)), nil
}

// keys returns the documents of the keys that a change adds and ends.
func (c change) keys(ctx context.Context, store Store, before, after Merchant) ([]Record, error) {
	var records []Record
	var faults []Fault
	for _, k := range []struct{ path, before, after string }{
		{"live_key", before.LiveKey, after.LiveKey}, {"test_key", before.TestKey, after.TestKey},
	} {
		owner := Owner{Merchant: c.id, Test: k.path == "test_key"}
		stored, err := store.Get(ctx, c.now, accessKey(k.after), accessKey(firstOf(k.before, k.after)))
		if err != nil {
			return nil, fmt.Errorf("read merchant key: %w", err)
		}
		key := MerchantKey{Owner: owner, Since: c.now}
		if err := stored[0].decode(&key); err != nil {
			return nil, err
		}
		if key.Owner != owner {
			faults = append(faults, Fault{FaultInvalid, k.path, textTaken(key.Owner, owner)})
			continue
		}
		if stored[0].Version == 0 || !key.Until.IsZero() {
			key.Until = time.Time{} // it may be one that was replaced, and comes back
			records = append(records, key.record(k.after, stored[0].Version))
		}
		if ended := stored[1]; k.before != "" && k.before != k.after && ended.Version > 0 {
			var old MerchantKey
			if err := ended.decode(&old); err != nil {
				return nil, err
			}
			old.Until = c.now.Add(c.overlap)
			records = append(records, old.record(k.before, ended.Version))
		}
	}
	if len(faults) > 0 {
		return nil, invalid(faults)
	}
	return records, nil
}

func textTaken(taken, wanted Owner) string {
	if taken.Merchant == wanted.Merchant {
		return "This key belongs to the merchant's other mode."
	}
	return "This key belongs to another merchant."
}
