package checkout

import (
	"cmp"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/money"
)

// mayVoid returns the amount of a void of a payment that is authorised and not captured, or that settled on the same
// UTC day and has no refund (protocol.md, Statuses and moves).
func mayVoid(p *payment.Payment, amount string, now time.Time) (money.Amount, error) {
	if amount != "" {
		return money.Amount{}, fault.At("amount", "A void has no amount: it is of all.")
	}
	if why := whyNotVoid(p, now); why != "" {
		return refuse(errVoid(), why)
	}
	return cmp.Or(p.Captured, p.Amount), nil
}

// whyNotVoid says why a payment can't be voided, "" if it can.
func whyNotVoid(p *payment.Payment, now time.Time) string {
	settled := p.Status == payment.StatusSettled
	today := settledAt(p).UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly)
	switch ended, job := whyEnded(p), waitsFor(p.Jobs); {
	case ended != "":
		return ended
	case settled && (!today || p.Transactions.Count(payment.EventRefund, payment.Success) > 0):
		return "Only a payment of the same day (UTC) without refunds can be voided: refund it."
	case job != nil:
		return whyWait(job)
	case !settled && p.Status != payment.StatusPending:
		return whyUndecided
	}
	return ""
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

func errVoid() *fault.Error { return fault.Refuse(fault.CodeNotAllowed, "Void is not allowed.") }
