package merchant

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Retry charges again for a later recurring payment that was softly declined (protocol.md, Endpoints). A decline is
// final, so the retry is a new payment with the same order, which the response names. Its outcome follows in a
// callback. Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Recurrer) Retry(ctx context.Context, call Call) (Response, error) {
	now := s.core.Now()
	r, err := request.ReadFollowUp(call.Body, false)
	if err != nil {
		return nil, err
	}
	caller, read, err := s.callers.accountAndPayment(ctx, now, r.MerchantKey, r.PaymentID)
	if err != nil {
		return nil, err
	}
	if caller, err = s.callers.authenticate(ctx, caller, r.Hash, request.SignedPayment(r.PaymentID)); err != nil {
		return nil, err
	}
	// It is read before the idempotency record, which is stored with RetriedBy: a repeat then finds the record.
	p, err := read(caller)
	if err != nil {
		return nil, err
	}
	response, err := s.payments.idempotent(ctx, caller, call, func(idem *checkout.IdempotencyRecord) (Response, error) {
		if p == nil {
			return nil, s.payments.errNotStored(ctx, caller, r.PaymentID, checkout.ErrRetry())
		}
		return s.retry(ctx, now, p, retryCall{caller.Merchant, idem})
	})
	return response, fault.WithFirst(err, caller.Merchant.FirstErrors(p.MappingName()))
}

// retryCall is the merchant that retries, and its idempotency record.
type retryCall struct {
	merchant *settings.Merchant
	idem     *checkout.IdempotencyRecord
}

func (s *Recurrer) retry(ctx context.Context, now time.Time, p *payment.Payment, r retryCall) (Response, error) {
	retry, _, err := s.core.RetryPayment(ctx, now, r.merchant, p)
	if err != nil {
		return nil, checkout.WithoutWhy(err)
	}
	response := accepted(retry.ID)
	err = s.core.Store.Save(ctx, now, r.idem.With(nil, response, p.Record(), retry.Record())...)
	if store.IsConflict(err) && !r.idem.IsConflict(err) {
		return nil, checkout.ErrRetry() // another request retried it
	}
	if err != nil {
		return nil, err
	}
	s.payments.jobs.Send(ctx, retry.Message(retry.ID), 0)
	return response, nil
}
