package checkout

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/money"
)

// Void cancels a payment that is authorised and not captured, or was settled
// on this UTC day and nothing of it refunded (decisions.md 2). It answers
// when the provider has, and with WAITING if that takes long.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Void(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, followUp{kind: JobVoid, allow: (*Payment).allowVoid})
}

func (p *Payment) allowVoid(_ string, now time.Time) (money.Amount, error) {
	today := p.settledAt().UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly)
	settled := p.Status == StatusSettled && today && p.reversible() && len(p.RefundAmounts()) == 0
	if len(p.Jobs) > 0 || p.Status != StatusPending && !settled {
		return money.Amount{}, errNotAllowed(JobVoid)
	}
	return cmp.Or(p.Captured, p.Amount), nil
}

// settledAt is when the money was taken, zero if it was not.
func (p *Payment) settledAt() time.Time {
	var at time.Time
	for _, t := range p.Transactions {
		if t.Status == Success && (t.Type == p.EventType(JobCharge) || t.Type == EventCapture) {
			at = t.Date
		}
	}
	return at
}
