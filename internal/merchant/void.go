package merchant

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/money"
)

// Void cancels a payment that is authorised and not captured, or that settled on the same UTC day and has no refund
// (protocol.md, Statuses and moves). It waits for the provider, and returns WAITING after AwaitTimeout.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Void(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, followUp{kind: checkout.JobVoid, allow: allowVoid})
}

func allowVoid(p *checkout.Payment, _ string, now time.Time) (money.Amount, error) {
	today := settledAt(p).UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly)
	settled := p.Status == checkout.StatusSettled && today && p.Reversible() && len(p.RefundAmounts()) == 0
	if p.Jobs.InProgress() || p.Status != checkout.StatusPending && !settled {
		return money.Amount{}, errNotAllowed(checkout.JobVoid)
	}
	return cmp.Or(p.Captured, p.Amount), nil
}

// settledAt returns when the payment was authorised, or later captured; zero if neither.
func settledAt(p *checkout.Payment) time.Time {
	var at time.Time
	for _, t := range p.Transactions {
		if t.Status == checkout.Success && (t.Type == p.EventType(checkout.JobCharge) || t.Type == checkout.EventCapture) {
			at = t.Date
		}
	}
	return at
}
