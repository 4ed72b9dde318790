// Package merchant is what a merchant's server asks for: to create a session or to explain what that would lead to, the
// status of a payment, captures, refunds, voids, recurring payments and retries, each repeated safely by an idempotency
// key, with the payment object that it gets.
package merchant

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// callers are the merchants whose servers call.
type callers struct {
	core   *checkout.Core
	limits settings.Limits
}

// account returns who has a merchant_key.
func (s *callers) account(ctx context.Context, key string, now time.Time) (settings.Caller, error) {
	caller, _, err := s.core.Accounts().ByKey(ctx, key, now)
	return caller, err
}

// readPayment returns the payment that a request names, nil if its caller has none of that id in that mode. It is
// called when the request is authentic.
type readPayment func() (*payment.Payment, error)

// accountAndPayment returns who has a merchant_key, and a function for a payment. If the caller is not cached, both are
// read in one request.
func (s *callers) accountAndPayment(
	ctx context.Context, now time.Time, key, paymentID string,
) (settings.Caller, readPayment, error) {
	place, invalid := store.PaymentKey(paymentID)
	if invalid != nil { // there is no such payment
		caller, err := s.account(ctx, key, now)
		return caller, func() (*payment.Payment, error) { return nil, nil }, err
	}
	caller, records, err := s.core.Accounts().ByKey(ctx, key, now, place)
	return caller, func() (*payment.Payment, error) {
		if len(records) == 0 {
			if records, err = s.core.Store.Get(ctx, now, place); err != nil {
				return nil, fmt.Errorf("read payment: %w", err)
			}
		}
		p, err := checkout.PaymentIn(ctx, records[0])
		if err != nil || p == nil || p.Owner != caller.Owner {
			return nil, err
		}
		return p, nil
	}, err
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
