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
	uses   settings.UseCounts
}

// account returns who has a merchant_key.
func (s *callers) account(ctx context.Context, key string, now time.Time) (settings.Caller, error) {
	caller, _, err := s.core.Accounts().ByKey(ctx, key, now)
	return caller, err
}

// readPayment returns the payment that a request names, nil if its caller has none of that id in that mode. It is
// called when the request is authentic.
type readPayment func(caller settings.Caller) (*payment.Payment, error)

// accountAndPayment returns who has a merchant_key, and a function for a payment. If the caller is not cached, both are
// read in one request.
func (s *callers) accountAndPayment(
	ctx context.Context, now time.Time, key, paymentID string,
) (settings.Caller, readPayment, error) {
	place, invalid := store.PaymentKey(paymentID)
	if invalid != nil { // there is no such payment
		caller, err := s.account(ctx, key, now)
		return caller, func(settings.Caller) (*payment.Payment, error) { return nil, nil }, err
	}
	caller, records, err := s.core.Accounts().ByKey(ctx, key, now, place)
	return caller, func(caller settings.Caller) (*payment.Payment, error) {
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

// authenticate checks the hash of a request that is not a session, made of its parts and the password, and admits the
// caller's merchant. forms are the parts as they were sent, then in others that may be signed (protocol.md, Hashes).
// It returns the caller as it is then: its key or password may have been replaced since they were cached.
// Errors: CodeHash, also if the merchant is nil; CodeDenied; CodeTooMany.
func (s *callers) authenticate(
	ctx context.Context, c settings.Caller, hash string, forms ...request.Signed,
) (settings.Caller, error) {
	valid := func(m *settings.Merchant) bool {
		known := cmp.Or(m, settings.NoMerchant)
		return slices.ContainsFunc(forms, func(parts request.Signed) bool {
			return settings.VerifyHash(hash, known, parts...)
		}) && m != nil
	}
	if !valid(c.Merchant) {
		again, is, err := s.core.Accounts().Again(ctx, c, s.core.Now())
		if err != nil {
			return c, err
		}
		if c = again; !is || !valid(c.Merchant) {
			return c, settings.ErrHash(c.Merchant, c.Owner, hash, forms[0])
		}
	}
	return c, s.accept(ctx, c, valid)
}

// accept admits the merchant of an authentic request, and counts by which key and password the request was accepted.
// valid reports whether its hash is valid for a merchant. Errors: those of admit.
func (s *callers) accept(ctx context.Context, c settings.Caller, valid func(*settings.Merchant) bool) error {
	err := s.admit(c.Merchant)
	if err == nil {
		s.countUses(ctx, c, c.Merchant.HasOldPassword() && !valid(c.Merchant.WithoutOld()))
	}
	return err
}

// admit checks that a merchant is enabled and within its rate limit. Errors: CodeDenied, CodeTooMany.
func (s *callers) admit(m *settings.Merchant) error {
	if m.Disabled {
		return fault.ErrDenied()
	}
	return s.limits.Take(m, s.core.Now())
}
