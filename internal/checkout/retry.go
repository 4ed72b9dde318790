package checkout

import (
	"context"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Retry tries a later recurring payment again that was softly declined
// (decisions.md 2). A decline is final, so the retry is a payment of its own
// with the same order; the answer names it. Its outcome follows in a callback.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Retry(ctx context.Context, call Call) (Response, error) {
	now := s.Now()
	r, err := request.ReadFollowUp(call.Body, false)
	if err != nil {
		return nil, err
	}
	m, owner, err := s.account(ctx, r.MerchantKey, now)
	if err != nil {
		return nil, err
	}
	if err := s.authenticate(m, r.Hash, request.SignedPayment(r.PaymentID)); err != nil {
		return nil, err
	}
	p, err := s.paymentOf(ctx, now, owner, r.PaymentID) // before the key is looked up: who retried it stored the key too
	if err != nil {
		return nil, err
	}
	by := merchant.Caller{Merchant: m, Owner: owner}
	answer, err := s.idempotent(ctx, by, call, func(idem *idempotencyRecord) (Response, error) {
		if p == nil {
			return nil, s.errNotStored(ctx, by, jobRetry, r.PaymentID)
		}
		return s.retry(ctx, now, p, retryCall{m, idem})
	})
	return answer, request.WithFirst(err, m.FirstErrors(p.mapping()))
}

// jobRetry stands for a retry where requests are read and refused. No job is of that kind: a retry is a charge of its own.
const jobRetry JobKind = "retry"

// retryCall is who retries, and by what call.
type retryCall struct {
	merchant *merchant.Merchant
	idem     *idempotencyRecord
}

func (s *Service) retry(ctx context.Context, now time.Time, p *Payment, r retryCall) (Response, error) {
	if !p.Recurring || p.Status != StatusDecline || !p.Soft || p.RetriedBy != "" {
		return nil, errNotAllowed(jobRetry)
	}
	c, err := s.chain(ctx, now, p.Chain)
	if err != nil {
		return nil, err
	}
	if c == nil || !s.Declarations[c.Connector].Recurring {
		return nil, errNotAllowed(jobRetry)
	}
	if c.disabled(r.merchant) {
		return nil, request.ErrDenied()
	}
	again, err := s.laterPayment(now, c, p.Details)
	if err != nil {
		return nil, err
	}
	again.ScheduleID, again.StartsSchedule = p.ScheduleID, p.StartsSchedule
	again.setCause(ctx)
	p.RetriedBy = again.ID
	answer := accepted(again.ID)
	err = s.Store.Save(ctx, now, r.idem.with(nil, answer, p.record(), again.record())...)
	if store.IsConflict(err) && (r.idem == nil || !store.ConflictOn(err, r.idem.key)) {
		return nil, errNotAllowed(jobRetry) // somebody else retries it
	}
	if err != nil {
		return nil, err
	}
	s.sendJob(ctx, again.message(again.ID), 0)
	return answer, nil
}
