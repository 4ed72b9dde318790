package operatortest

import (
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/connector"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// PaymentID is the id of the n-th payment of an order.
func PaymentID(n byte) string {
	return store.NewPaymentID(store.OrderHash("live/shop", "1"), paymenttest.At, []byte{0, 0, 0, n})
}

// Queued is a request that is to be sent.
func Queued(j payment.Job) payment.Job {
	j.SentAt, j.Released, j.DueAt = time.Time{}, false, paymenttest.At.Add(time.Minute)
	return j
}

// Sending is a request that is being sent.
func Sending(j payment.Job) payment.Job {
	j.Released, j.DueAt = false, paymenttest.At.Add(payment.JobLease)
	return j
}

// Undecided is a request that the provider has not decided.
func Undecided(j payment.Job) payment.Job { return j }

// Unknown is a request of unknown outcome.
func Unknown(j payment.Job) payment.Job {
	j.UnknownSince = paymenttest.At.Add(time.Second)
	return j
}

// ForPerson is a request that waits for a person.
func ForPerson(j payment.Job) payment.Job {
	j.UnknownSince, j.Person, j.DueAt = paymenttest.At.Add(time.Second), true, time.Time{}
	return j
}

// Decided is a request that a person has decided.
func Decided(j payment.Job) payment.Job {
	j.Decide(payment.Decision{By: "Ann", Verdict: payment.VerdictApproved, At: paymenttest.At})
	return j
}

// With returns a payment after changes.
func With(p *payment.Payment, changes ...func(p *payment.Payment)) *payment.Payment {
	for _, change := range changes {
		change(p)
	}
	return p
}

// Charging is a payment of which only the charge has begun.
func Charging(
	status payment.Status, state func(payment.Job) payment.Job, shown *connector.RequiredAction,
) *payment.Payment {
	p := paymenttest.Paid(status, state(paymenttest.Job(payment.JobCharge)))
	p.Transactions, p.Captured, p.ChargeReference, p.Action = nil, paymenttest.USD(""), "", shown
	p.Jobs[0].Amount = paymenttest.USD("")
	return p
}

// Placed has the charge sent to a MID.
func Placed(p *payment.Payment) {
	p.Transactions[0].MID, p.Transactions[0].Connector, p.Transactions[0].SentAt = "mid", "bank", paymenttest.At
}

// Reports has the provider report something else of a request that has ended.
func Reports(reference string, outcome connector.Outcome, amount string) func(p *payment.Payment) {
	return func(p *payment.Payment) {
		p.Contradictions().Add(reference, connector.Result{Outcome: outcome, Amount: usd(amount)}, paymenttest.At)
	}
}

// Declined is a payment that was declined for a reason.
func Declined(reason reason.Code) *payment.Payment {
	return With(paymenttest.Paid(payment.StatusDecline), func(p *payment.Payment) { p.ReasonCode = reason })
}

// Contradicted is a declined payment that was approved afterwards, or the other way around.
func Contradicted(status payment.Status, outcome connector.Outcome, amount string) *payment.Payment {
	p := paymenttest.Paid(status)
	p.Amount = paymenttest.USD(amount)
	p.Transactions[0].Amount = p.Amount
	p.Contradictions().Add("charge", connector.Result{Outcome: outcome}, paymenttest.At)
	return p
}
