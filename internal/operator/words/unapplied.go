package words

import (
	"cmp"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/sums"
	"checkout/internal/reason"
)

// The words for money that has arrived and does not count, while it waits for a person.

// whyUnapplied says why a job's coins do not count.
func whyUnapplied(p *payment.Payment) string {
	switch {
	case p.Status != payment.StatusDecline:
		return "arrived in excess of the payment, and does not count"
	case p.ReasonCode == reason.PaidTooLate:
		return "arrived too late, and does not count"
	case p.ReasonCode == reason.PaidTooLittle:
		return "arrived, which is less than was due, and does not count"
	}
	return "arrived for a payment that was declined, and does not count"
}

// ofUnapplied says what becomes of money that does not count. What ofMoney says of a declined payment holds as long as
// nothing of its money was decided.
func (s *Summary) ofUnapplied(p *payment.Payment, job *payment.Job) {
	coins, received := job.Coins.Text(), sums.Of(p).Received
	s.Turn, s.Retry, s.Next = turnOperator, "", "A person accepts it, returns it by hand, or closes the case."
	switch {
	case p.Status != payment.StatusDecline:
		s.Next = "A person returns it by hand, or closes the case."
		s.Means += " " + coins + " " + whyUnapplied(p) + "."
		s.Tell += " We have received " + coins + " more than that. It is being decided whether that is returned."
	case received == nil || received.Returned != nil || received.Closed != nil:
		s.Means = coins + " " + whyUnapplied(p) + "."
		s.Tell = "We have received " + coins + ", which does not count as the payment. A person decides whether it is " +
			"accepted or returned: please don't pay again until then."
	}
	switch {
	case job.Decision != nil:
		s.Turn, s.Next, s.At = TurnService, "What a person has decided of it is executed.", job.DueAt
	case !job.Person:
		s.Turn, s.Next, s.At = TurnService, "The provider is looked up once more, and then a person decides.", job.DueAt
	}
}

// addUnapplied adds what becomes of money that does not count, unless it waits for a person.
func (h *History) addUnapplied(job *payment.Job) {
	text := "The provider is looked up for " + job.Coins.Text() + " that does not count."
	if job.Decision != nil {
		text = "What a person has decided of " + job.Coins.Text() + " that does not count is executed."
	}
	if !job.Person {
		h.event(job.DueAt, "due", text)
	}
}

// addReturned adds that money was returned by hand.
func (h *History) addReturned(t payment.Transaction) {
	h.event(t.Date, "outcome", t.Coins.Text()+" was returned by hand.", "by", t.Decision.By,
		"transfer", t.Decision.Transfer, "reason", t.Decision.Reason, "of the charge", t.About)
}

// waitsFor says what of a payment waits for a person.
func waitsFor(p *payment.Payment, job *payment.Job) string {
	if job.Kind == payment.JobUnapplied {
		return job.Coins.Text() + " that does not count"
	}
	return RequestText(OperationOf(p, job), cmp.Or(job.Amount, p.Amount), p)
}

// AmountOf returns the amount that a job is about: of money that does not count in the currency that has arrived.
func AmountOf(p *payment.Payment, job *payment.Job) (amount, currency string) {
	if job.Kind == payment.JobUnapplied {
		return job.Coins.Amount, job.Coins.Currency
	}
	return cmp.Or(job.Amount, p.Amount).String(), p.Order.Currency
}
