package checkout

import (
	"context"
	"time"
)

// Retry tries a later recurring payment again that was softly declined
// (decisions.md 2). A decline is final, so the retry is a payment of its own
// with the same order; the answer names it. Its outcome follows in a callback.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Retry(ctx context.Context, call Call) (any, error) {
	now := s.Now()
	r, err := readFollowUp(JobVoid, call.Body) // the same fields
	if err != nil {
		return nil, err
	}
	m, err := s.merchant(ctx, r.MerchantKey, now)
	if err != nil {
		return nil, err
	}
	if err := s.authenticate(m, r.Hash, signedPayment(r.PaymentID)); err != nil {
		return nil, err
	}
	return s.once(ctx, r.MerchantKey, call, func(first *firstCall) (any, error) {
		p, err := s.paymentOf(ctx, now, r.MerchantKey, r.PaymentID)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, errPayment()
		}
		return s.retry(ctx, now, p, first)
	})
}

func (s *Service) retry(ctx context.Context, now time.Time, p *Payment, first *firstCall) (any, error) {
	if !p.Recurring || p.Status != StatusDecline || !p.Soft || p.RetriedBy != "" {
		return nil, errRetry()
	}
	c, err := s.chain(ctx, now, p.Chain)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, errRetry()
	}
	again, err := s.laterPayment(now, c, p.Order)
	if err != nil {
		return nil, err
	}
	again.ScheduleID, again.StartsSchedule, again.Customer, again.CustomData = p.ScheduleID, p.StartsSchedule, p.Customer, p.CustomData
	p.RetriedBy = again.ID
	answer := accepted(again.ID)
	err = s.Store.Save(ctx, now, first.with(nil, answer, p.record(), again.record())...)
	if isConflict(err) && (first == nil || !conflictOn(err, first.key)) {
		return nil, errRetry() // somebody else retries it
	}
	if err != nil {
		return nil, err
	}
	s.sendJob(ctx, again.message(again.ID), 0)
	return answer, nil
}

func errRetry() *Error { return refuse(CodeNotAllowed, FaultInvalid, "Retry is not allowed.") }
