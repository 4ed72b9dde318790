package merchant

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// Key is the document of a merchant_key: whom it names, and since when. That of a key that was replaced
// expires when the key ends.
type Key struct {
	request.Owner
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
}

func (k Key) record(key string, version int64) store.Record {
	r := store.Encode(store.AccessKey(key), version, k)
	r.ExpiresAt = k.Until
	return r
}

// cacheTTL is how late a changed setting is seen.
const cacheTTL = time.Minute

// maxMerchantKey is the most characters of a merchant_key.
const maxMerchantKey = 255

// Caller is who sent a request. merchant is nil if the merchant_key is unknown.
type Caller struct {
	Merchant *Merchant
	Owner    request.Owner
}

// account is what is remembered of a merchant_key.
type account struct {
	Caller
	until time.Time // zero: the key was not replaced
}

// Accounts finds merchants by their keys and ids, with the secrets that Secrets can decrypt.
type Accounts struct {
	Store      store.Store
	Secrets    Secrets
	Connectors Declarations // that each merchant is given
	Cache      *AccountCache
}

// AccountCache remembers for a minute what was found. The zero value is empty.
type AccountCache struct {
	accounts  store.Cache[account]   // by merchant_key
	merchants store.Cache[*Merchant] // by id
	settings  store.Cache[*Merchant] // by id, without secrets
}

// ByKey returns whom a merchant_key names, nil if nobody. An unknown key takes as many reads as a known one,
// and is remembered too, so that guessing keys costs no reads. A key that was replaced ends at its time,
// however long it is remembered.
func (a Accounts) ByKey(ctx context.Context, key string, now time.Time) (*Merchant, request.Owner, error) {
	if key == "" {
		return nil, request.Owner{}, nil
	}
	if len(key) > maxMerchantKey {
		key = "" // names nobody, and may be too long for a store
	}
	found, err := a.Cache.accounts.Get(key, now, cacheTTL, func() (account, error) { return a.readKey(ctx, key, now) })
	if err != nil {
		return nil, request.Owner{}, err
	}
	if found.Merchant == nil || !found.until.IsZero() && !now.Before(found.until) {
		return nil, request.Owner{}, nil
	}
	request.NoteOf(ctx).Merchant = found.Owner.Merchant
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
	m, err := a.read(ctx, k.Merchant, now) // of an unknown key "", which is nobody's id
	if err != nil {
		return account{}, err
	}
	a.Cache.merchants.Put(k.Merchant, m, now.Add(cacheTTL))
	return account{Caller{m, k.Owner}, k.Until}, nil
}

// ByID returns the merchant of an id, nil if there is none.
func (a Accounts) ByID(ctx context.Context, id string, now time.Time) (*Merchant, error) {
	m, err := a.Cache.merchants.Get(id, now, cacheTTL, func() (*Merchant, error) { return a.read(ctx, id, now) })
	if m != nil {
		request.NoteOf(ctx).Merchant = id
	}
	return m.at(now), err
}

func (a Accounts) read(ctx context.Context, id string, now time.Time) (*Merchant, error) {
	m, records, err := merchantReader{a.Store, a.Secrets, now}.read(ctx, id)
	if err != nil || records[0].Version == 0 {
		return nil, err
	}
	m.Connectors = a.Connectors
	return &m.Merchant, nil
}
