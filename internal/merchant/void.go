package merchant

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/money"
	"checkout/internal/payment"
)

// Void cancels a payment that is authorised and not captured, or that settled on the same UTC day and has no refund
// (protocol.md, Statuses and moves). It waits for the provider, and returns WAITING after AwaitTimeout.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Void(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, followUp{kind: payment.JobVoid, allow: allowVoid})
}

func allowVoid(p *payment.Payment, _ string, now time.Time) (money.Amount, error) {
	today := settledAt(p).UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly)
	settled := p.Status == payment.StatusSettled && today && p.Reversible() && len(p.RefundAmounts()) == 0
	if p.Jobs.InProgress() || p.Status != payment.StatusPending && !settled {
		return money.Amount{}, errNotAllowed(payment.JobVoid)
	}
	return cmp.Or(p.Captured, p.Amount), nil
}

// settledAt returns when the payment was authorised, or later captured; zero if neither.
func settledAt(p *payment.Payment) time.Time {
	var at time.Time
	for _, t := range p.Transactions {
		if t.Status == payment.Success && (t.Type == p.EventType(payment.JobCharge) || t.Type == payment.EventCapture) {
			at = t.Date
		}
	}
	return at
}
