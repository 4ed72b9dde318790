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
// final, so the retry is a new payment with the same order, which the response names. It takes the lock of its order
// number. Its outcome follows in a callback.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed, CodeDuplicate.
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
	sent := checkout.SentOrder{Owner: retry.Owner, Number: retry.Order.Number, At: retry.CreatedAt, PaymentID: retry.ID,
		Retries: p.ID}
	err = s.core.SaveOnce(ctx, sent, r.idem, func(lock store.Record) []store.Record {
		return r.idem.With(nil, response, lock, p.Record(), retry.Record())
	})
	if err != nil {
		return nil, s.errNotSaved(ctx, p.ID, r.idem, err)
	}
	s.payments.jobs.Send(ctx, retry.Message(retry.ID), 0)
	return response, nil
}

// errNotSaved returns the error for a retry that was not saved: ErrRetry if another request has retried or changed the
// payment meanwhile. That request has the order's lock, too.
func (s *Recurrer) errNotSaved(
	ctx context.Context, paymentID string, idem *checkout.IdempotencyRecord, err error,
) error {
	if idem.IsConflict(err) {
		return err
	}
	if store.IsConflict(err) {
		return checkout.ErrRetry()
	}
	if fault.CodeOf(err) == fault.CodeDuplicate {
		if p, _ := s.core.Payment(ctx, s.core.Now(), paymentID); p != nil && p.RetriedBy != "" {
			return checkout.ErrRetry()
		}
	}
	return err
}
