package words

import (
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/sums"
	"checkout/internal/method"
	"checkout/internal/money"
)

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
		s.Turn, s.Next, s.At = TurnService, "The "+what+" is sent to the provider.", lookUp
	case payment.JobSending:
		s.Turn, s.Next, s.At = turnProvider, "The provider answers the "+what+", or is asked what became of it.", job.DueAt
		s.doNotRepeat(p, job, now)
	case payment.JobDecided:
		s.Turn, s.Next, s.At = TurnService, "A person has decided about the "+what+". That is carried out.", job.DueAt
	case payment.JobForPerson:
		s.forPerson(p, job, what)
	case payment.JobUnknown:
		s.Turn, s.Next, s.At = TurnService, "The provider is asked what became of the "+what+".", lookUp
		s.unknown(p, job, now)
	case payment.JobUndecided:
		s.At = lookUp
		s.undecided(p, job, what, now)
	}
}

// unknown says that nobody has told what became of a request.
func (s *Summary) unknown(p *payment.Payment, job *payment.Job, now time.Time) {
	if job.Kind != payment.JobCharge {
		s.doNotRepeat(p, job, now)
		return
	}
	s.Means = "The provider has not told what became of the " + nameOf(OperationOf(p, job)) + ". It is asked " +
		howOften(p, job, now) + ", until that is known."
	if job.Finding != nil && tookAnother(job.Finding.Text) {
		s.Turn, s.Next, s.At = turnOperator, "A person asks the provider, and settles the payment.", time.Time{}
		s.Means = findingText(p, job)
	} else {
		s.Means += foundSoFar(p, job)
	}
	s.Tell = "It is not known yet whether the payment has succeeded. Please wait, and don't pay a second time."
	if p.Operation == method.Credit {
		s.Means += " Do not pay out again."
		s.Tell = "It is not known yet whether the payout was made. Please wait."
	}
}

// doNotRepeat says of a request that was sent and has no outcome that it is not to be made again.
func (s *Summary) doNotRepeat(p *payment.Payment, job *payment.Job, now time.Time) {
	what := OperationOf(p, job)
	if job.Kind == payment.JobCharge {
		return
	}
	if job.Kind != payment.JobRefund { // which is among the sums
		s.Means += " The " + RequestText(what, job.Amount, p) + " was sent."
	}
	s.Means += " Do not " + againText(what) + " again: the provider has not answered yet. It is asked " +
		howOften(p, job, now) + "."
	if job.State(now) == payment.JobUnknown {
		s.Means += foundSoFar(p, job)
	}
}

// foundSoFar says what the provider has said of a request when it was last asked, "" if it was not asked yet.
func foundSoFar(p *payment.Payment, job *payment.Job) string {
	said := findingText(p, job)
	switch {
	case said == "":
		return ""
	case job.LookUps == 0:
		return " " + said
	}
	return " When it was last asked: " + uncapital(said)
}

// againText is what people are not to do a second time.
func againText(kind payment.EventType) string {
	if kind == payment.EventGiveBack {
		return "give it back"
	}
	return string(kind)
}

// howOften says how often a provider is asked about a request.
func howOften(p *payment.Payment, job *payment.Job, now time.Time) string {
	if p.LookUps(job).IsRare(now) {
		return "every hour"
	}
	return "again soon, and then at least every hour"
}

func (s *Summary) undecided(p *payment.Payment, job *payment.Job, what string, now time.Time) {
	s.Turn, s.Next = turnProvider, "The provider is asked what became of the "+what+"."
	switch {
	case job.Kind != payment.JobCharge:
		s.doNotRepeat(p, job, now)
	case p.Action.HasInstructions():
		s.Turn = turnPayer
		if p.Status == payment.StatusPending {
			s.toPay(p)
		}
		if until := p.Action.ExpiresAt; !until.IsZero() {
			s.Next, s.At = "The payer's time to pay ends.", until
		}
	default:
		s.Means = "The provider has the " + what + " and has not decided it yet."
		if p.Status == payment.StatusPending && p.Operation != method.Credit {
			s.Tell = statusWords[string(payment.StatusPrepare)].Tell
		}
	}
}

// toPay says that the payer was shown how to pay, and what has arrived so far.
func (s *Summary) toPay(p *payment.Payment) {
	s.Means = "The payer was shown how to pay, and the provider has not got the money yet."
	s.Tell = "Please pay as the checkout page has shown you. Until then nothing is charged."
	if r := sums.Of(p).Received; r != nil && !r.Due.IsZero() {
		s.Means = amount(r.Arrived) + " of " + amount(r.Due) + " has arrived. The payer has to send the rest."
		s.Tell = "Your " + amount(r.Arrived) + " has arrived, of " + amount(r.Due) + " that is due."
		if rest, err := r.Due.Sub(r.Arrived); err == nil {
			s.Tell += " Please send the remaining " + amount(rest) + "."
		}
	}
}

// forPerson says what a person has to decide.
func (s *Summary) forPerson(p *payment.Payment, job *payment.Job, what string) {
	s.Turn, s.At = turnOperator, time.Time{}
	if report := p.Requests().Contradiction(job); report != nil && job.Kind == payment.JobContradiction {
		s.contradicted(p, job, report, what)
		return
	}
	asked := "The provider was asked again and again what became of the " + what + ", and has not told."
	s.Next = "A person looks for it at the provider, and settles it."
	if job.Kind != payment.JobCharge {
		s.Means += " " + asked + " Do not " + againText(OperationOf(p, job)) + " again before a person has settled it."
		return
	}
	s.Means = asked
	if said := findingText(p, job); said != "" {
		s.Means += " " + said
	}
	s.Tell = "It is not known whether the payment has succeeded. A person is looking into it: please don't pay again."
	if p.Operation == method.Credit {
		s.Means += " Do not pay out again."
		s.Tell = "It is not known whether the payout was made. A person is looking into it."
	}
}

// contradicted says what a provider reports against an outcome.
func (s *Summary) contradicted(p *payment.Payment, job *payment.Job, report *payment.Transaction, what string) {
	s.Next = "A person decides which of the two answers counts."
	taken := knownText(p, report.Amount)
	switch {
	case report.Status == payment.Success && p.Requests().SentKind(job) == payment.JobRefund:
		s.Means = "The provider has approved a refund of " + taken + ", which is more than is left, because other refunds " +
			"were made there."
	case report.Status == payment.Success && p.Operation == method.Credit:
		s.Means = "The payout was declined, and later the provider reported that it was made: " + taken + "."
		s.Tell, s.Retry = "It is being checked whether the payout was made.", ""
	case report.Status == payment.Success:
		s.Means = "The " + what + " was declined, and later the provider reported that it was approved: " + taken + "."
		s.Tell = "Your bank may have taken " + taken + " although the payment was declined. That is being checked. Please " +
			"don't pay again until it is decided."
		s.Retry = ""
	default:
		s.Means = "A person has approved the " + what + ", and later the provider reported that it was declined."
	}
}

// knownText returns an amount, or that of the payment if it is not known.
func knownText(p *payment.Payment, a money.Amount) string {
	if a.IsZero() {
		a = p.Amount
	}
	return amountText(known(a), p.Order.Currency)
}
