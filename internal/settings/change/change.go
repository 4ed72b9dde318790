package change

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/check"
	"checkout/internal/store"
)

// change is one change of a merchant.
type change struct {
	id      string
	overlap time.Duration // for how long a replaced key or secret stays valid
	// apply changes the settings, which include all secrets; those of a new merchant are empty.
	apply func(*settings.Merchant) error
	saves bool // replaces all settings, whose certificates may not be over then
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
	before, stored, err := settings.Reader{Store: o.Store, Secrets: o.Secrets, Now: now}.Read(ctx, c.id)
	if err == nil {
		err = before.OpenAll(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	after := &settings.Stored{Merchant: before.Clone()}
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
	if err := check.Check(after.Merchant, nil, at, o.LocalRun); err != nil {
		return nil, lines, err
	}
	records, err := (&pendingChange{o, c, now, before, after}).documents(ctx, stored)
	return records, lines, err
}

// pendingChange is a change that is not stored yet, with the settings before and after it.
type pendingChange struct {
	*Merchants
	change
	now           time.Time
	before, after *settings.Stored
}

// documents returns the documents of the change, none if nothing changes. stored are those of the settings and of each
// secret. They are few, and the largest, which are the settings, their version and two copies of them, are less than
// what one Save may have.
func (c *pendingChange) documents(ctx context.Context, stored []store.Record) ([]store.Record, error) {
	present, records, err := c.keys(ctx)
	if err != nil {
		return nil, err
	}
	var copied settings.MerchantCopy
	for i, use := range c.Secrets.Uses() {
		secret, err := c.secret(ctx, use, stored[i+1])
		if err == nil && use == settings.SecretPassword {
			err = json.Unmarshal(secret.Doc, &copied.Password)
		}
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(secret.Doc, stored[i+1].Doc) {
			records = append(records, secret)
		}
	}
	c.after.Merchant = c.after.WithoutSecrets()
	copied.Settings = c.after.Merchant
	for _, key := range present {
		if r := key.record(&copied); !bytes.Equal(r.Doc, key.stored.Doc) {
			records = append(records, r)
		}
	}
	document := store.Encode(store.SettingsKey(c.id), stored[0].Version, c.after)
	switch {
	case stored[0].Version == 0:
		index := store.Encode(store.MerchantIndexKey(c.id), 0, store.IndexedMerchant{ID: c.id})
		return append(records, document, index), nil
	case !bytes.Equal(document.Doc, stored[0].Doc):
		return append(records, document, versionRecord(c.id, stored[0], c.now)), nil
	case len(records) > 0: // secrets or copies alone
		return append(records, document), nil
	}
	return nil, nil
}

// secret returns the document of a secret after the change.
func (c *pendingChange) secret(ctx context.Context, use settings.SecretUse, stored store.Record) (store.Record, error) {
	before, after := c.before.Secret(use), c.after.Secret(use)
	if before == after {
		return stored, nil
	}
	key := store.SecretKey(string(use), c.id)
	if use == settings.SecretCredentials {
		sealed, err := c.sealCredentials(ctx)
		doc := settings.StoredSecret{Credentials: sealed, Since: c.now}
		return store.Encode(key, stored.Version, doc), err
	}
	if after == "" {
		after = "{}" // the last keys were removed
	}
	encrypted, err := c.Secrets.Encrypt(ctx, use, c.id, []byte(after))
	if err != nil {
		return store.Record{}, fmt.Errorf("encrypt %s: %w", use, err)
	}
	var old settings.StoredSecret
	if err := stored.Decode(&old); err != nil {
		return store.Record{}, err
	}
	doc := settings.StoredSecret{Encrypted: encrypted, Since: c.now}
	if c.overlap > 0 && old.Encrypted != nil {
		doc.Old, doc.OldUntil = old.Encrypted, c.now.Add(c.overlap)
	}
	return store.Encode(key, stored.Version, doc), nil
}

// sealCredentials encrypts the credentials of each MID by themselves. Those that the change leaves alone stay as they
// are stored.
func (c *pendingChange) sealCredentials(ctx context.Context) (settings.MIDCredentials, error) {
	all, accounts, errs := settings.MIDCredentials{}, map[string]int{}, []error(nil)
	c.after.EachMID(func(mapping string, mid *settings.MID) {
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
		sealed := settings.SealedCredentials{Account: accounts[string(plain)]}
		known, _ := c.before.MID(mapping, mid.Name)
		if sealed.Encrypted = known.EncryptedCredentials(); sealed.Encrypted == nil ||
			!maps.Equal(known.Credentials, mid.Credentials) {
			owner := settings.IDOfMID(c.id, mapping, mid.Name)
			sealed.Encrypted, err = c.Secrets.Encrypt(ctx, settings.SecretCredentials, owner, plain)
			errs = append(errs, err)
		}
		all.Add(mapping, mid.Name, sealed)
	})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("encrypt credentials: %w", err)
	}
	return all, nil
}
