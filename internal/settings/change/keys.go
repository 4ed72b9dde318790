package change

import (
	"context"
	"fmt"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// keys returns the present keys after the change and the documents of those that it lets expire, and lists in the
// settings which replaced ones are still valid.
// Errors: CodeInvalid for a key of another merchant or mode.
func (c *pendingChange) keys(ctx context.Context) (present []presentKey, expiring []store.Record, err error) {
	var faults []fault.Fault
	for _, one := range []keyPair{
		{"live_key", fault.Owner{Merchant: c.id}, c.before.LiveKey, c.after.LiveKey},
		{"test_key", fault.Owner{Merchant: c.id, Test: true}, c.before.TestKey, c.after.TestKey},
	} {
		key, conflict, err := c.presentKey(ctx, one)
		if err != nil {
			return nil, nil, err
		}
		if conflict != "" {
			faults = append(faults, fault.Of(one.path, conflict))
			continue
		}
		expired, err := c.expireKeys(ctx, one)
		if err != nil {
			return nil, nil, err
		}
		present, expiring = append(present, key), append(expiring, expired...)
	}
	if len(faults) > 0 {
		return nil, nil, fault.Invalid(faults)
	}
	return present, expiring, nil
}

// presentKey is a key of a merchant's settings with its document, as it is stored and as it will be without a copy.
type presentKey struct {
	stored store.Record
	doc    settings.Key
}

// record returns the document of the key with a copy of its merchant, or without it if the document would be larger
// than a store can save. A call then reads the merchant itself.
func (k presentKey) record(c *settings.MerchantCopy) store.Record {
	if r := store.Encode(k.stored.Key, k.stored.Version, k.doc.Present(c)); len(r.Doc) <= store.MaxDoc {
		return r
	}
	return store.Encode(k.stored.Key, k.stored.Version, k.doc.Present(nil))
}

// keyPair is the key of one mode before and after a change.
type keyPair struct {
	path          string // of the setting
	owner         fault.Owner
	before, after string
}

// presentKey returns the key of one mode after the change. conflict says whose it is, if it belongs to another merchant
// or mode.
func (c *pendingChange) presentKey(ctx context.Context, k keyPair) (key presentKey, conflict string, err error) {
	stored, err := store.GetOne(ctx, c.Store, c.now, store.AccessKey(k.after))
	if err != nil {
		return presentKey{}, "", fmt.Errorf("read merchant key: %w", err)
	}
	doc := settings.Key{Owner: k.owner, Since: c.now}
	if err := stored.Decode(&doc); err != nil {
		return presentKey{}, "", err
	}
	switch {
	case doc.Merchant != c.id:
		return presentKey{}, "This key belongs to another merchant.", nil
	case doc.Owner != k.owner:
		return presentKey{}, "This key belongs to the merchant's other mode.", nil
	}
	return presentKey{stored, doc}, "", nil
}

// expireKeys returns the documents of the keys of one mode that this change lets expire: the key that it replaces,
// after the overlap, and a key that an earlier change replaced, now.
func (c *pendingChange) expireKeys(ctx context.Context, k keyPair) ([]store.Record, error) {
	var expiring []settings.ReplacedKey
	for _, replaced := range c.before.Replaced {
		if replaced.Test != k.owner.Test || !c.now.Before(replaced.Until) || replaced.Key == k.after {
			continue
		}
		if k.before == k.after {
			c.after.Replaced = append(c.after.Replaced, replaced)
			continue
		}
		replaced.Until = c.now
		expiring = append(expiring, replaced)
	}
	if k.before == "" || k.before == k.after {
		return nil, nil
	}
	own := settings.ReplacedKey{Key: k.before, Test: k.owner.Test, Until: c.now.Add(c.overlap)}
	expiring = append(expiring, own)
	if c.overlap > 0 {
		c.after.Replaced = append(c.after.Replaced, own)
	}
	keys := make([]store.Key, len(expiring))
	for i, one := range expiring {
		keys[i] = store.AccessKey(one.Key)
	}
	stored, err := c.Store.Get(ctx, c.now, keys...)
	if err != nil {
		return nil, fmt.Errorf("read merchant key: %w", err)
	}
	var records []store.Record
	for i, r := range stored {
		var doc settings.Key
		if err := r.Decode(&doc); err != nil {
			return nil, err
		}
		if r.Version > 0 && doc.Owner == k.owner {
			r = store.Encode(r.Key, r.Version, doc.Replaced(expiring[i].Until))
			r.ExpiresAt = expiring[i].Until
			records = append(records, r)
		}
	}
	return records, nil
}
