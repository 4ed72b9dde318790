// Package merchant is what a merchant's server asks for: to create a session or to explain what that would lead to, the
// status of a payment, captures, refunds, voids, recurring payments and retries, each repeated safely by an idempotency
// key, with the payment object that it gets.
package merchant

import (
	"cmp"
	"context"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// callers are the merchants whose servers call.
type callers struct {
	core   *checkout.Core
	limits settings.Limits
}

// account returns the merchant and owner of a merchant_key, nil if there is none.
func (s *callers) account(ctx context.Context, key string, now time.Time) (*settings.Merchant, fault.Owner, error) {
	return s.core.Accounts().ByKey(ctx, key, now)
}

// authenticate checks the hash of a request that is not a session, made of the parts as they were sent or in one of the
// other forms that may be signed, and the password (protocol.md, Hashes), and admits the caller's merchant.
// Errors: CodeHash, also if the merchant is nil; CodeDenied; CodeTooMany.
func (s *callers) authenticate(c settings.Caller, hash string, sent request.Signed, others ...request.Signed) error {
	m := cmp.Or(c.Merchant, settings.NoMerchant)
	valid := slices.ContainsFunc(append(others, sent),
		func(parts request.Signed) bool { return settings.VerifyHash(hash, m, parts...) })
	if !valid || c.Merchant == nil {
		return settings.ErrHash(c.Merchant, c.Owner, hash, sent)
	}
	return s.admit(m)
}

// admit checks that a merchant is enabled and within its rate limit. Errors: CodeDenied, CodeTooMany.
func (s *callers) admit(m *settings.Merchant) error {
	if m.Disabled {
		return fault.ErrDenied()
	}
	return s.limits.Take(m, s.core.Now())
}
