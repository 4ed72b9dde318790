package checkout

import (
	"fmt"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/money"
)

// Refusal is why a payment takes no capture, void or refund now. It wraps the error that a merchant gets.
type Refusal struct {
	told   error
	Status payment.Status // of the payment
	Why    string         // for operators, a sentence; "": Status is why
}

func (r *Refusal) Error() string { return r.told.Error() }

func (r *Refusal) Unwrap() error { return r.told }

// whyPaidOut is why a payout is neither voided nor refunded.
const whyPaidOut = "It was paid out, and no request brings that back."

// refuse refuses a capture, void or refund of a payment. why is Refusal.Why.
func refuse(p *payment.Payment, kind payment.JobKind, why string) (money.Amount, error) {
	return money.Amount{}, &Refusal{ErrNotAllowed(kind), p.Status, why}
}

// inProgress says which request of a payment has to have an outcome before another one of that kind, "" if it would be
// refused after that, too.
func inProgress(p *payment.Payment, kind payment.JobKind) string {
	job := p.Jobs.FirstUnknown()
	switch {
	case p.Disputed():
		return ""
	case job != nil:
		return fmt.Sprintf("The outcome of its %s is unknown since %s. Look it up first.", p.EventType(job.Kind),
			job.UnknownSince.UTC().Format(time.DateTime))
	case p.Undecided():
		return "The payment itself has no outcome yet."
	case p.Jobs.Has(kind):
		return "One is in progress already."
	}
	for _, other := range []payment.JobKind{payment.JobVoid, payment.JobCapture} {
		if p.Jobs.Has(other) {
			return "Its " + string(other) + " is in progress."
		}
	}
	return "A refund is in progress."
}
