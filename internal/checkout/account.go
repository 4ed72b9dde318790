package checkout

import (
	"context"
	"fmt"
	"time"
)

// Owner is whom a document belongs to: a merchant, in live or in test mode. Keys of the merchant may be
// replaced; what belongs to it stays its own.
type Owner struct {
	Merchant string `json:"merchant"`       // its id
	Test     bool   `json:"test,omitempty"` // made with the test key
}

// text is the owner as a part of hashes and associated data. No two owners have the same.
func (o Owner) text() string {
	if o.Test {
		return "test/" + o.Merchant
	}
	return "live/" + o.Merchant
}

// MerchantKey is the document of a merchant_key: whom it names, and since when. That of a key that was replaced
// expires when the key ends.
type MerchantKey struct {
	Owner
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
}

func (k MerchantKey) record(key string, version int64) Record {
	r := encode(accessKey(key), version, k)
	r.ExpiresAt = k.Until
	return r
}

// merchantCache is how late a changed setting is seen.
const merchantCache = time.Minute

// maxMerchantKey is the most characters of a merchant_key.
const maxMerchantKey = 255

// caller is who sent a request. merchant is nil if the merchant_key is unknown.
type caller struct {
	merchant *Merchant
	owner    Owner
}

// account is what is remembered of a merchant_key.
type account struct {
	caller
	until time.Time // zero: the key was not replaced
}

// account returns whom a merchant_key names, nil if nobody. An unknown key takes as many reads as a known one,
// and is remembered too, so that guessing keys costs no reads. A key that was replaced ends at its time,
// however long it is remembered.
func (s *Service) account(ctx context.Context, key string, now time.Time) (*Merchant, Owner, error) {
	if key == "" {
		return nil, Owner{}, nil
	}
	if len(key) > maxMerchantKey {
		key = "" // names nobody, and may be too long for a store
	}
	a, err := s.accounts.get(key, now, merchantCache, func() (account, error) { return s.readAccount(ctx, key, now) })
	if err != nil {
		return nil, Owner{}, err
	}
	if a.merchant == nil || !a.until.IsZero() && !now.Before(a.until) {
		return nil, Owner{}, nil
	}
	noteOf(ctx).Merchant = a.owner.Merchant
	return a.merchant.at(now), a.owner, nil
}

func (s *Service) readAccount(ctx context.Context, key string, now time.Time) (account, error) {
	var k MerchantKey
	if _, err := s.load(ctx, now, accessKey(key), &k); err != nil {
		return account{}, fmt.Errorf("read merchant key: %w", err)
	}
	m, err := s.readMerchant(ctx, k.Merchant, now) // of an unknown key "", which is nobody's id
	if err != nil {
		return account{}, err
	}
	s.merchants.put(k.Merchant, m, now.Add(merchantCache))
	return account{caller{m, k.Owner}, k.Until}, nil
}

// merchant returns the merchant of an id, with the secrets that this function may decrypt, nil if there is none.
func (s *Service) merchant(ctx context.Context, id string, now time.Time) (*Merchant, error) {
	m, err := s.merchants.get(id, now, merchantCache, func() (*Merchant, error) { return s.readMerchant(ctx, id, now) })
	if m != nil {
		noteOf(ctx).Merchant = id
	}
	return m.at(now), err
}

func (s *Service) readMerchant(ctx context.Context, id string, now time.Time) (*Merchant, error) {
	m, records, err := merchantReader{s.Store, s.Secrets, now}.read(ctx, id)
	if err != nil || records[0].Version == 0 {
		return nil, err
	}
	return &m.Merchant, nil
}
