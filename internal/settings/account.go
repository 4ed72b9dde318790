package settings

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// Key is the document of a merchant_key: its merchant and mode, and since when it is valid. The document of a replaced
// key expires together with the key.
type Key struct {
	fault.Owner
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
}

func (k Key) record(key string, version int64) store.Record {
	r := store.Encode(store.AccessKey(key), version, k)
	r.ExpiresAt = k.Until
	return r
}

// cacheTTL is for how long settings are cached, and so how late a change of them can take effect.
const cacheTTL = time.Minute

// maxMerchantKey is the most characters of a merchant_key.
const maxMerchantKey = 255

// Caller is who sent a request. Merchant is nil if the merchant_key is unknown.
type Caller struct {
	Merchant *Merchant
	Owner    fault.Owner
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

// ByKey returns the merchant and the owner of a merchant_key, nil if the key is unknown. An unknown key takes as many
// reads as a known one, so that the time tells nothing, and is cached too, so that repeating it costs no reads. A
// replaced key expires on time, also while it is cached.
func (a Accounts) ByKey(ctx context.Context, key string, now time.Time) (*Merchant, fault.Owner, error) {
	if key == "" {
		return nil, fault.Owner{}, nil
	}
	if len(key) > maxMerchantKey {
		key = "" // no merchant has it, and a longer one could exceed the store's limit
	}
	read := func() (account, error) { return a.readKey(ctx, key, now) }
	found, err := a.Cache.accounts.Get(key, now, cacheTTL, read)
	if err != nil {
		return nil, fault.Owner{}, err
	}
	if found.Merchant == nil || !found.until.IsZero() && !now.Before(found.until) {
		return nil, fault.Owner{}, nil
	}
	fault.NoteOf(ctx).Merchant = found.Owner.Merchant
	return found.Merchant.at(now), found.Owner, nil
}

func (a Accounts) readKey(ctx context.Context, key string, now time.Time) (account, error) {
	var k Key
	record, err := store.GetOne(ctx, a.Store, now, store.AccessKey(key))
	if err == nil {
		err = record.Decode(&k)
	}
	if err != nil {
		return account{}, fmt.Errorf("read merchant key: %w", err)
	}
	m, err := a.read(ctx, k.Merchant, now) // for an unknown key reads the id "", which no merchant has
	if err != nil {
		return account{}, err
	}
	a.Cache.merchants.Put(k.Merchant, m, now.Add(cacheTTL))
	return account{Caller{m, k.Owner}, k.Until}, nil
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
	m, records, err := merchantReader{a.Store, a.Secrets, now}.read(ctx, id)
	if err != nil || records[0].Version == 0 {
		return nil, err
	}
	m.Connectors = a.Connectors
	m.NoteEnded(now)
	return &m.Merchant, nil
}
