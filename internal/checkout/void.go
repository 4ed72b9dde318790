package checkout

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/money"
)

// Void cancels a payment that is authorised and not captured, or that settled on the same UTC day and has no refund
// (decisions.md 2). It waits for the provider, and returns WAITING after AwaitTimeout.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Void(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, followUp{kind: JobVoid, allow: (*Payment).allowVoid})
}

func (p *Payment) allowVoid(_ string, now time.Time) (money.Amount, error) {
	today := p.settledAt().UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly)
	settled := p.Status == StatusSettled && today && p.reversible() && len(p.RefundAmounts()) == 0
	if p.inProgress() || p.Status != StatusPending && !settled {
		return money.Amount{}, errNotAllowed(JobVoid)
	}
	return cmp.Or(p.Captured, p.Amount), nil
}

// settledAt returns when the payment was authorised, or later captured; zero if neither.
func (p *Payment) settledAt() time.Time {
	var at time.Time
	for _, t := range p.Transactions {
		if t.Status == Success && (t.Type == p.EventType(JobCharge) || t.Type == EventCapture) {
			at = t.Date
		}
	}
	return at
}
