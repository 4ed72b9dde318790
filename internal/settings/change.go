package settings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// change is one change of a merchant.
type change struct {
	id      string
	overlap time.Duration         // for how long a replaced key or secret stays valid
	apply   func(*Merchant) error // changes the settings, which include all secrets; those of a new merchant are empty
	saves   bool                  // replaces all settings, whose certificates may not be over then
}

// maxChangeTries is how often a change is tried while others change the same merchant.
const maxChangeTries = 5

// change stores a change of a merchant with its keys and secrets and its audit document, all or nothing. It returns a
// line for each place that is other than before; secrets are named and not shown.
func (o *Merchants) change(ctx context.Context, c change) ([]string, error) {
	var lines []string
	update := store.Update{Doing: "store merchant", Store: o.Store, Now: o.Now, Tries: maxChangeTries}
	err := update.Do(ctx, func(now time.Time) (records []store.Record, err error) {
		if records, lines, err = o.records(ctx, now, c); err != nil || len(records) == 0 {
			return nil, err
		}
		return append(records, o.Act.Records(now, "merchant/"+c.id, lines...)...), nil
	})
	if errors.Is(err, store.ErrConflicts) {
		return nil, errBusyMerchant
	}
	return lines, err
}

// records returns the documents of a change, and what is other than before.
func (o *Merchants) records(
	ctx context.Context, now time.Time, c change,
) (_ []store.Record, lines []string, err error) {
	before, stored, err := merchantReader{o.Store, o.Secrets, now}.read(ctx, c.id)
	if err == nil {
		err = before.openAll(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	after := &storedMerchant{before.clone(), nil}
	if err := c.apply(&after.Merchant); err != nil {
		return nil, nil, err
	}
	if lines, err = differences(&before.Merchant, &after.Merchant); err != nil {
		return nil, nil, err
	}
	after.Connectors = o.Connectors
	var at time.Time // a key can be rotated although a certificate is over, or a connector needs one credential more
	if c.saves {
		at = now
	}
	if err := check(after.Merchant, at, o.LocalRun); err != nil {
		return nil, lines, err
	}
	changed := &pendingChange{o, c, now, before, after}
	records, err := changed.keys(ctx)
	if err != nil {
		return nil, lines, err
	}
	for i, use := range o.Secrets.Uses() {
		if records, err = changed.secret(ctx, use, stored[i+1], records); err != nil {
			return nil, lines, err
		}
	}
	after.Merchant = after.withoutSecrets()
	settings := store.Encode(store.SettingsKey(c.id), stored[0].Version, after)
	switch {
	case stored[0].Version == 0:
		index := store.Encode(store.MerchantIndexKey(c.id), 0, store.IndexedMerchant{ID: c.id})
		return append(records, settings, index), lines, nil
	case !bytes.Equal(settings.Doc, stored[0].Doc):
		return append(records, settings, versionRecord(c.id, stored[0], now)), lines, nil
	case len(records) > 0: // secrets alone
		return append(records, settings), lines, nil
	}
	return nil, nil, nil
}

// pendingChange is a change that is not stored yet, with the settings before and after it.
type pendingChange struct {
	*Merchants
	change
	now           time.Time
	before, after *storedMerchant
}

// secret adds the document of a secret to records, if the change replaces it.
func (c *pendingChange) secret(
	ctx context.Context, use SecretUse, stored store.Record, records []store.Record,
) ([]store.Record, error) {
	before, after := c.before.secret(use), c.after.secret(use)
	if before == after {
		return records, nil
	}
	key := store.SecretKey(string(use), c.id)
	if use == SecretCredentials {
		sealed, err := c.sealCredentials(ctx)
		doc := storedSecret{Credentials: sealed, Since: c.now}
		return append(records, store.Encode(key, stored.Version, doc)), err
	}
	if after == "" {
		after = "{}" // the last keys were removed
	}
	encrypted, err := c.Secrets.Encrypt(ctx, use, c.id, []byte(after))
	if err != nil {
		return nil, fmt.Errorf("encrypt %s: %w", use, err)
	}
	var old storedSecret
	if err := stored.Decode(&old); err != nil {
		return nil, err
	}
	doc := storedSecret{Encrypted: encrypted, Since: c.now}
	if c.overlap > 0 && old.Encrypted != nil {
		doc.Old, doc.OldUntil = old.Encrypted, c.now.Add(c.overlap)
	}
	return append(records, store.Encode(key, stored.Version, doc)), nil
}

// sealCredentials encrypts the credentials of each MID by themselves. Those that the change leaves alone stay as they
// are stored.
func (c *pendingChange) sealCredentials(ctx context.Context) (midCredentials, error) {
	all, accounts, errs := midCredentials{}, map[string]int{}, []error(nil)
	c.after.eachMID(func(mapping string, mid *MID) {
		if len(mid.Credentials) == 0 {
			return
		}
		plain, err := json.Marshal(mid.Credentials)
		if err != nil {
			panic("marshal credentials: " + err.Error()) // can't happen: a map of texts can always be encoded
		}
		if accounts[string(plain)] == 0 {
			accounts[string(plain)] = len(accounts) + 1
		}
		sealed := sealedCredentials{Account: accounts[string(plain)]}
		known, _ := c.before.MID(mapping, mid.Name)
		if sealed.Encrypted = known.sealed.Encrypted; sealed.Encrypted == nil ||
			!maps.Equal(known.Credentials, mid.Credentials) {
			owner := midID(c.id, mapping, mid.Name)
			sealed.Encrypted, err = c.Secrets.Encrypt(ctx, SecretCredentials, owner, plain)
			errs = append(errs, err)
		}
		all.add(mapping, mid.Name, sealed)
	})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("encrypt credentials: %w", err)
	}
	return all, nil
}

// keys returns the documents of the keys that the change adds or lets expire, and lists in the settings which replaced
// ones are still valid.
// Errors: CodeInvalid for a key of another merchant or mode.
func (c *pendingChange) keys(ctx context.Context) ([]store.Record, error) {
	var records []store.Record
	var faults []fault.Fault
	for _, one := range []keyPair{
		{"live_key", fault.Owner{Merchant: c.id}, c.before.LiveKey, c.after.LiveKey},
		{"test_key", fault.Owner{Merchant: c.id, Test: true}, c.before.TestKey, c.after.TestKey},
	} {
		added, conflict, err := c.addKey(ctx, one)
		if err != nil {
			return nil, err
		}
		if conflict != "" {
			faults = append(faults, fault.Of(one.path, conflict))
			continue
		}
		expiring, err := c.expireKeys(ctx, one)
		if err != nil {
			return nil, err
		}
		records = append(append(records, added...), expiring...)
	}
	if len(faults) > 0 {
		return nil, fault.Invalid(faults)
	}
	return records, nil
}

// keyPair is the key of one mode before and after a change.
type keyPair struct {
	path          string // of the setting
	owner         fault.Owner
	before, after string
}

// addKey returns the document of a key, none if it is stored already as one without an end. conflict says whose the
// key is, if it belongs to another merchant or mode.
func (c *pendingChange) addKey(ctx context.Context, k keyPair) (records []store.Record, conflict string, err error) {
	stored, err := c.Store.Get(ctx, c.now, store.AccessKey(k.after))
	if err != nil {
		return nil, "", fmt.Errorf("read merchant key: %w", err)
	}
	doc := Key{Owner: k.owner, Since: c.now}
	if err := stored[0].Decode(&doc); err != nil {
		return nil, "", err
	}
	switch {
	case doc.Merchant != c.id:
		return nil, "This key belongs to another merchant.", nil
	case doc.Owner != k.owner:
		return nil, "This key belongs to the merchant's other mode.", nil
	case stored[0].Version > 0 && doc.Until.IsZero():
		return nil, "", nil
	}
	doc.Until = time.Time{} // set if the key was replaced before, and is now used again
	return []store.Record{doc.record(k.after, stored[0].Version)}, "", nil
}

// expireKeys returns the documents of the keys of one mode that this change lets expire: the key that it replaces,
// after the overlap, and a key that an earlier change replaced, now.
func (c *pendingChange) expireKeys(ctx context.Context, k keyPair) ([]store.Record, error) {
	var expiring []ReplacedKey
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
	expiring = append(expiring, ReplacedKey{k.before, k.owner.Test, c.now.Add(c.overlap)})
	if c.overlap > 0 {
		c.after.Replaced = append(c.after.Replaced, expiring[len(expiring)-1])
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
		var doc Key
		if err := r.Decode(&doc); err != nil {
			return nil, err
		}
		if r.Version > 0 && doc.Owner == k.owner {
			doc.Until = expiring[i].Until
			records = append(records, doc.record(expiring[i].Key, r.Version))
		}
	}
	return records, nil
}
