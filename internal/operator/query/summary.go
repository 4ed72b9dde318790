package query

import (
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
)

// Summary says in words what a status means.
type Summary struct {
	State string    `json:"state"`
	Means string    `json:"means"`
	Turn  string    `json:"turn"` // whose turn it is: nobody, payer, merchant, provider, service, operator
	Next  string    `json:"next,omitempty"`
	At    time.Time `json:"at,omitzero"`     // of Next
	Tell  string    `json:"tell"`            // what the payer can be told
	Retry string    `json:"retry,omitempty"` // of a decline: whether another try would help
}

// summaryOf says in words where a payment stands, or its session for a nil p.
func summaryOf(row Row, p *payment.Payment, told []Delivery, now time.Time) Summary {
	words := statusWords[row.State]
	s := Summary{State: row.State, Means: words.Means, Turn: words.Turn, Tell: words.Tell}
	if p == nil {
		s.ofSession(row)
		return s
	}
	if p.Status == payment.StatusDecline {
		reason := reasonWords(p.ReasonCode)
		s.Tell, s.Retry = reason.Tell+" Nothing was charged.", reason.Retry
	}
	s.ofStatus(p)
	s.ofJobs(p, now)
	s.ofCallbacks(told)
	return s
}

// ofSession says when an open session ends.
func (s *Summary) ofSession(row Row) {
	if s.State == string("open") {
		s.Next, s.At = "The checkout page closes.", row.OpenUntil
	}
}

// ofStatus says what a status does not tell by itself.
func (s *Summary) ofStatus(p *payment.Payment) {
	switch refunded := len(p.Amounts().Refunds()) > 0; {
	case p.Status == payment.StatusPending && !p.Undecided():
		s.Means = "The amount is reserved on the payer's account and not captured yet."
		s.Next = "The merchant captures or voids it."
		s.Tell = "The amount is reserved. The shop takes it, for instance when it ships, or releases it."
	case p.Status == payment.StatusSettled && refunded:
		s.Means = "The payment has succeeded, and a part of it was refunded or is being refunded."
		s.Tell = "Your payment has succeeded, and a part of it is being returned."
	}
}

// ofJobs says what becomes of requests without an outcome: of the charge, or else of the first other one.
func (s *Summary) ofJobs(p *payment.Payment, now time.Time) {
	if len(p.Jobs) == 0 {
		return
	}
	job := p.Jobs.Charge()
	for i := range p.Jobs {
		if job == nil || p.Jobs[i].Person && !job.Person {
			job = &p.Jobs[i]
		}
	}
	if job.Kind == payment.JobUnapplied {
		s.ofUnapplied(p, job)
		return
	}
	what := nameOf(OperationOf(p, job))
	lookUp := job.DueAt.Add(-payment.JobGrace)
	switch job.State(now) {
	case payment.JobQueued:
		s.Turn, s.Next, s.At = turnService, "The "+what+" is sent to the provider.", lookUp
	case payment.JobSending:
		s.Turn, s.Next, s.At = turnProvider, "The provider responds to the "+what+", or it is looked up.", job.DueAt
	case payment.JobDecided:
		s.Turn, s.Next, s.At = turnService, "What a person has decided of the "+what+" is executed.", job.DueAt
	case payment.JobForPerson:
		s.forPerson(p, job, what)
	case payment.JobUnknown:
		s.Turn, s.Next, s.At = turnService, "The "+what+" is looked up at the provider.", lookUp
		s.Means = "The provider has not told what became of the " + what + ". It is looked up until that is known."
		if job.Kind == payment.JobCharge {
			s.Tell = "It is not known yet whether the payment has succeeded. Please wait, and don't pay a second time."
		}
	case payment.JobUndecided:
		s.At = lookUp
		s.undecided(p, job, what)
	}
}

func (s *Summary) undecided(p *payment.Payment, job *payment.Job, what string) {
	s.Turn, s.Next = turnProvider, "The "+what+" is looked up at the provider."
	switch {
	case job.Kind != payment.JobCharge:
		s.Means += " The provider has the " + what + " and has not decided it yet."
	case p.Action.HasInstructions():
		s.Turn = turnPayer
		if p.Status == payment.StatusPending {
			s.Means = "The payer was shown how to pay, and the provider has not got the money yet."
			s.Tell = "Please pay as the checkout page has shown you. Until then nothing is charged."
		}
		if until := p.Action.ExpiresAt; !until.IsZero() {
			s.Next, s.At = "The payer's time to pay ends.", until
		}
	default:
		s.Means = "The provider has the payment and has not decided it yet."
	}
}

// forPerson says what a person has to decide.
func (s *Summary) forPerson(p *payment.Payment, job *payment.Job, what string) {
	s.Turn = turnOperator
	if report := p.Requests().Contradiction(job); report != nil && job.Kind == payment.JobContradiction {
		s.Next = "A person decides which of both counts."
		switch {
		case report.Status == payment.Success && p.Requests().SentKind(job) == payment.JobRefund:
			s.Means = "The provider has approved a refund of more than is left, because others were made there."
		case report.Status == payment.Success:
			s.Means = "The " + what + " was declined, and later the provider has reported that it was approved."
			s.Tell = "It is being checked whether the money was taken. It is returned, or the order is accepted."
			s.Retry = ""
		default:
			s.Means = "A person has approved the " + what + ", and later the provider has reported that it was declined."
		}
		return
	}
	s.Means = "The provider has not told what became of the " + what + ", in all the time that it was looked up."
	s.Next = "A person looks for it at the provider, and settles it."
	if job.Kind == payment.JobCharge {
		s.Tell = "It is not known whether the payment has succeeded. A person is looking into it: please don't pay again."
	}
}

// ofCallbacks says whether the shop knows.
func (s *Summary) ofCallbacks(told []Delivery) {
	parked, waiting := 0, 0
	for _, d := range told {
		switch {
		case d.State == callback.Parked:
			parked++
		case d.State == callback.Waiting && len(d.Tries) > 0:
			waiting++
		}
	}
	switch {
	case parked > 0:
		s.Means += " The shop does not know: it could not be reached, and is not told again by itself."
		if s.Turn == turnNobody {
			s.Turn, s.Next = turnMerchant, "The shop's address is repaired, and the callback is sent again."
		}
	case waiting > 0:
		s.Means += " The shop may not know yet: it could not be reached so far."
	}
}

// nameOf returns what people call a request.
func nameOf(kind payment.EventType) string {
	switch kind {
	case payment.EventSale, payment.EventDebit, payment.EventRecurring:
		return "payment"
	case payment.EventCredit:
		return "payout"
	case payment.EventGiveBack:
		return "return"
	}
	return string(kind)
}
