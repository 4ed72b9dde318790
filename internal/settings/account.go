package settings

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/fault"
	"checkout/internal/settings/sealed"
	"checkout/internal/store"
)

// Key is the document of a merchant_key: its merchant and mode, and since when it is valid. The document of a replaced
// key expires together with the key. That of a present one has a Copy, with which a call reads one document.
type Key struct {
	fault.Owner
	Since time.Time     `json:"since"`
	Until time.Time     `json:"until,omitzero"` // of a present key with a Copy: endOfCopy
	Copy  *MerchantCopy `json:"copy,omitempty"`
}

// MerchantCopy has what a call needs of its merchant. Every change of the merchant stores it anew, together with the
// documents that it is a copy of, and only functions that may read these may read it.
type MerchantCopy struct {
	Settings Merchant      `json:"settings"`
	Password sealed.Secret `json:"password"`
	Replaced []ReplacedKey `json:"replaced_keys,omitempty"`
}

// endOfCopy is the Until of a present key's document with a Copy. An earlier release, which knows no copies, removes an
// Until from the documents of present keys in each change of a merchant. So it removes the Copy, which would be out of
// date, in the same write.
var endOfCopy = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// Present returns the document of a present key, with a copy of its merchant or nil for none.
func (k Key) Present(c *MerchantCopy) Key {
	k.Copy, k.Until = c, time.Time{}
	if c != nil {
		k.Until = endOfCopy
	}
	return k
}

// Replaced returns the document of a replaced key, which is valid until a time.
func (k Key) Replaced(until time.Time) Key {
	k.Copy, k.Until = nil, until
	return k
}

// cacheTTL is for how long settings are cached, and so how late a change of them can take effect.
const cacheTTL = time.Minute

// maxMerchantKey is the most characters of a merchant_key.
const maxMerchantKey = 255

// Caller is who sent a request. Merchant is nil if the merchant_key is unknown.
type Caller struct {
	Merchant *Merchant
	Owner    fault.Owner

	key    string    // that was looked up; "": one that nobody can have
	read   time.Time // when it was read
	oldKey bool      // it was replaced, and is still valid
}

// account is what is cached for a merchant_key.
type account struct {
	Caller
	until time.Time // when a replaced key expires; zero: the key was not replaced
}

// Accounts finds merchants by their keys and ids, with the secrets that Secrets can decrypt.
type Accounts struct {
	Store      store.Store
	Secrets    Secrets
	Connectors Declarations // of the service, set in every merchant that is returned
	Cache      *AccountCache
}

// AccountCache holds what was found for cacheTTL. The zero value is empty.
type AccountCache struct {
	accounts  store.Cache[account]   // by merchant_key
	merchants store.Cache[*Merchant] // by id
}

// ByKey returns who has a merchant_key. If it is not cached, it is read in one request with other documents, which are
// then returned, too: what the caller asks for can be read beside it. An unknown key takes as many reads as one with a
// copy of its merchant, so that the time tells nothing, and is cached too, so that repeating it costs no reads. A
// replaced key expires on time, also while it is cached.
func (a Accounts) ByKey(
	ctx context.Context, key string, now time.Time, others ...store.Key,
) (c Caller, read []store.Record, err error) {
	if key == "" {
		return Caller{}, nil, nil
	}
	if len(key) > maxMerchantKey {
		key = "" // no merchant has it, and a longer one could exceed the store's limit
	}
	found, err := a.Cache.accounts.Get(key, now, cacheTTL, func() (found account, err error) {
		found, read, err = a.readKey(ctx, now, append([]store.Key{store.AccessKey(key)}, others...))
		return found, err
	})
	if err != nil {
		return Caller{}, nil, err
	}
	if found.Merchant == nil || !found.until.IsZero() && !now.Before(found.until) {
		return Caller{key: key, read: found.read}, read, nil
	}
	fault.NoteOf(ctx).Merchant = found.Owner.Merchant
	c = found.Caller
	c.Merchant, c.key = found.Merchant.at(now), key // which is not cached: it may be a slice of a whole request
	return c, read, nil
}

// readAgainAfter is how old what is cached must be to be read again: so seldom that nobody can make it cost anything.
const readAgainAfter = time.Second

// Again is for a caller of ByKey whose request has no valid hash. Its key or password may have been replaced since they
// were cached, and the shop uses the new one at once. So they are read again, unless they were read just before: then
// again is false. An unknown key is read again, too, so that the time tells nothing.
func (a Accounts) Again(ctx context.Context, c Caller, now time.Time) (_ Caller, again bool, err error) {
	if c.key == "" || now.Sub(c.read) < readAgainAfter {
		return c, false, nil
	}
	a.Cache.accounts.Forget(c.key)
	c, _, err = a.ByKey(ctx, c.key, now)
	return c, true, err
}

// readKey reads the account of the first of keys, and the documents of the others.
func (a Accounts) readKey(ctx context.Context, now time.Time, keys []store.Key) (account, []store.Record, error) {
	var k Key
	records, err := a.Store.Get(ctx, now, keys...)
	if err == nil {
		err = records[0].Decode(&k)
	}
	if err != nil {
		return account{}, nil, fmt.Errorf("read merchant key: %w", err)
	}
	m, err := a.merchantOf(ctx, k, now)
	if err != nil {
		return account{}, nil, err
	}
	a.Cache.merchants.Put(k.Merchant, m, now.Add(cacheTTL))
	caller := Caller{Merchant: m, Owner: k.Owner, read: now, oldKey: k.Copy == nil && !k.Until.IsZero()}
	return account{caller, k.Until}, records[1:], nil
}

// merchantOf returns the merchant of a key's document: the copy in it, else what is stored, nil for no document.
func (a Accounts) merchantOf(ctx context.Context, k Key, now time.Time) (*Merchant, error) {
	in := a.reader(now)
	switch {
	case in.needsMore(): // also for an unknown key, as the id "", which no merchant has
		return a.read(ctx, k.Merchant, now)
	case k.Copy != nil:
		if err := in.decryptPassword(ctx, k.Copy); err != nil {
			return nil, err
		}
		k.Copy.Settings.old.keys = k.Copy.Replaced
		return a.complete(&k.Copy.Settings, now), nil
	case k.Merchant != "":
		return a.read(ctx, k.Merchant, now)
	}
	return nil, nil
}

// ByID returns the merchant with an id, nil if there is none.
func (a Accounts) ByID(ctx context.Context, id string, now time.Time) (*Merchant, error) {
	m, err := a.Cache.merchants.Get(id, now, cacheTTL, func() (*Merchant, error) { return a.read(ctx, id, now) })
	if m != nil {
		fault.NoteOf(ctx).Merchant = id
	}
	return m.at(now), err
}

func (a Accounts) read(ctx context.Context, id string, now time.Time) (*Merchant, error) {
	m, records, err := a.reader(now).Read(ctx, id)
	if err != nil || records[0].Version == 0 {
		return nil, err
	}
	m.Merchant.old.keys = m.Replaced
	return a.complete(&m.Merchant, now), nil
}

func (a Accounts) reader(now time.Time) Reader {
	return Reader{a.Store, a.Secrets, now}
}

// complete adds to a merchant what is not stored with it.
func (a Accounts) complete(m *Merchant, now time.Time) *Merchant {
	m.Connectors = a.Connectors
	m.NoteEnded(now)
	return m
}
