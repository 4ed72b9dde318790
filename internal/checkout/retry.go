package checkout

import (
	"context"
	"errors"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/settings"
)

// ErrRetry refuses a retry (protocol.md, Errors).
func ErrRetry() *fault.Error { return fault.Refuse(fault.CodeNotAllowed, "Retry is not allowed.") }

// refuseRetry refuses a retry: why is Refusal.Why.
func refuseRetry(why string) error { return &Refusal{ErrRetry(), why} }

// mayRetry returns why a payment takes no retry by itself, whatever its chain is. Errors: a Refusal.
func mayRetry(p *payment.Payment) error {
	switch {
	case !p.Recurring:
		return refuseRetry("The payer made this payment: only later payments of a recurring chain are charged again.")
	case p.Status != payment.StatusDecline:
		return refuseRetry("It was not declined.")
	case p.RetriedBy != "":
		return refuseRetry("It was charged again: see payment " + p.RetriedBy + ".")
	case !p.ReasonCode.Soft():
		return refuseRetry("The decline is final: another try would be declined, too.")
	case p.Contradictions().HasOpenApproval():
		return refuseRetry("The provider has reported later that it was approved: a person has to settle that first.")
	}
	return nil
}

// MayRetryIn returns why a payment of a chain, nil if that is not stored, can't be retried, nil if it can.
// Errors: a Refusal; CodeDenied.
func (s *Core) MayRetryIn(p *payment.Payment, c *Chain, m *settings.Merchant) error {
	switch why := mayRetry(p); {
	case why != nil:
		return why
	case c == nil:
		return refuseRetry("Its recurring chain is not stored any more.")
	case !s.Declarations[c.Connector].Recurring:
		return refuseRetry("Its provider takes no recurring payments.")
	case c.Disabled(m):
		return fault.ErrDenied()
	}
	return nil
}

// RetryPayment makes the payment that charges again for a declined later one, with the same order, and names it in that
// one. Both are stored in one write. Errors: a Refusal; CodeDenied.
func (s *Core) RetryPayment(
	ctx context.Context, now time.Time, m *settings.Merchant, p *payment.Payment,
) (*payment.Payment, *Chain, error) {
	c, err := s.Chain(ctx, now, p.Chain)
	if err != nil {
		return nil, nil, err
	}
	if err := s.MayRetryIn(p, c, m); err != nil {
		return nil, nil, err
	}
	retry, err := s.LaterPayment(now, c, p.Details)
	if err != nil {
		return nil, nil, err
	}
	retry.ScheduleID = p.ScheduleID
	retry.StartsSchedule = p.StartsSchedule && !c.StoppedSince(p.CreatedAt)
	retry.Jobs.SetCause(ctx)
	p.RetriedBy = retry.ID
	return retry, c, nil
}

// WithoutWhy returns the error that a merchant gets, in place of one that says why.
func WithoutWhy(err error) error {
	var refused *Refusal
	if errors.As(err, &refused) {
		return refused.told
	}
	return err
}
