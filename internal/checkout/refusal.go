package checkout

import (
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/money"
)

// Refusal is why a payment takes no capture, void or refund now. It wraps the error that a merchant gets.
type Refusal struct {
	told error
	Why  string // a sentence for operators
}

func (r *Refusal) Error() string { return r.told.Error() }

func (r *Refusal) Unwrap() error { return r.told }

// refuse refuses a capture, void or refund: told is the merchant's error, why Refusal.Why.
func refuse(told *fault.Error, why string) (money.Amount, error) {
	return money.Amount{}, &Refusal{told, why}
}

// whyEnded says why a payment takes no request any more, "" if it may, or is not decided yet.
func whyEnded(p *payment.Payment) string {
	switch p.Status {
	case payment.StatusSettled:
		if !p.Reversible() {
			return "It was paid out, and no request brings that back."
		}
	case payment.StatusDecline:
		return "It was declined."
	case payment.StatusRefund:
		return "It was refunded in full."
	case payment.StatusVoid:
		return "It was voided."
	case payment.StatusChargeback:
		return "It was charged back."
	case payment.StatusReversal:
		return "It was reversed."
	}
	return ""
}

// whyUndecided is why a payment takes no request yet.
const whyUndecided = "The payment itself has no outcome yet."

// waitsFor returns the one of the jobs that has to end before another request, nil if none has to: that whose outcome
// is unknown for the longest time, if there is one.
func waitsFor(jobs payment.Jobs) *payment.Job {
	if unknown := jobs.FirstUnknown(); unknown != nil {
		return unknown
	}
	i := slices.IndexFunc(jobs, func(job payment.Job) bool { return job.Kind.OfPayment() })
	if i < 0 {
		return nil
	}
	return &jobs[i]
}

// whyWait says what becomes of a request that has to end before another one.
func whyWait(job *payment.Job) string {
	its, outcome := "its "+string(job.Kind), "The outcome of its "+string(job.Kind)
	if job.Kind == payment.JobCharge {
		its, outcome = "it", "Its outcome"
	}
	since := " has been unknown since " + job.UnknownSince.UTC().Format("2006-01-02 15:04:05 UTC")
	switch {
	case job.Decision != nil:
		return "A person's decision on " + its + " is being executed."
	case job.Person:
		return outcome + since + ": settle it first."
	case !job.UnknownSince.IsZero():
		return outcome + since + ": look it up first."
	case job.Kind == payment.JobCharge:
		return whyUndecided
	}
	return "A " + string(job.Kind) + " is in progress."
}
