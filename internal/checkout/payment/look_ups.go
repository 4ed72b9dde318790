package payment

import "time"

// lookUpTimes are when an unknown outcome is looked up, since it is unknown. After the last one a look-up follows every
// lookUpPeriod. They do not depend on the look-ups before, so that a message that arrives twice delays none.
var lookUpTimes = []time.Duration{2 * time.Second, 10 * time.Second, time.Minute, 5 * time.Minute}

const lookUpPeriod = time.Hour

// untilLookUp returns the time until the next look-up of what is unknown for a while.
func untilLookUp(unknown time.Duration) time.Duration {
	for _, at := range lookUpTimes {
		if unknown < at {
			return at - unknown
		}
	}
	return lookUpPeriod - (unknown-lookUpTimes[len(lookUpTimes)-1])%lookUpPeriod
}

// UndecidedDelays are the delays before each look-up while the payer still has to act, or the provider says that it has
// not decided. The last one repeats.
var UndecidedDelays = []time.Duration{
	5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
}

const (
	// unknownLimit is how long an unknown outcome is looked up before a person decides, and how long a charge is looked
	// up after the payer's time to act is over.
	unknownLimit = 3 * 24 * time.Hour
	// UndecidedLimit is the same where the provider knows the request and says that it is not decided yet: a payout or a
	// bank transfer may take long.
	UndecidedLimit = 30 * 24 * time.Hour
	// lookUpEvery is the least time between two look-ups that calls ask for.
	lookUpEvery = 10 * time.Second
	// foundByMargin is how long after FoundBy the next look-up begins: queues have delays in whole seconds.
	foundByMargin = 2 * time.Second
)

// DelayAfter returns the delay after a number of tries.
func DelayAfter(delays []time.Duration, tries int) time.Duration {
	return delays[min(max(tries-1, 0), len(delays)-1)]
}

// LookUps decides when an outcome that nobody has told is looked up: that of one job of a payment.
type LookUps struct {
	p   *Payment
	job *Job
}

// LookUps returns the look-ups of one of the payment's jobs.
func (p *Payment) LookUps(job *Job) LookUps { return LookUps{p, job} }

// SetUnknown stores whether a request that has no outcome is one of an unknown outcome. It is not while the provider
// says that it has not decided, or that the payer still has to act, nor while the time lasts that the payer has: a
// look-up that fails then tells nothing new.
func (l LookUps) SetUnknown(status TransactionStatus, now time.Time) {
	waits := l.waitForPayer() && !l.p.HasFilledForm() && !l.p.Action.ExpiresAt.IsZero()
	switch {
	case status != Undefined || waits || l.job.SentAt.IsZero():
		l.job.UnknownSince = time.Time{}
	case l.job.UnknownSince.IsZero():
		l.job.UnknownSince = now
	}
}

// waitForPayer reports whether the job is a charge of which the payer is shown what to do.
func (l LookUps) waitForPayer() bool {
	return l.job.Kind == JobCharge && l.p.Action.HasInstructions()
}

// delay returns the delay before the next look-up of a job. What was not found is looked up again as soon as that
// proves something.
func (l LookUps) delay(now time.Time) time.Duration {
	delay := untilLookUp(now.Sub(l.job.UnknownSince))
	if l.job.UnknownSince.IsZero() || l.waitForPayer() {
		delay = l.p.Action.LimitDelay(now, DelayAfter(UndecidedDelays, l.job.Tries))
	}
	if l.job.FoundBy.After(now) {
		delay = min(delay, l.job.FoundBy.Sub(now)+foundByMargin)
	}
	return delay
}

// IsRare reports whether the job is looked up once an hour from now on. Before that it is looked up more often.
func (l LookUps) IsRare(now time.Time) bool {
	if l.job.UnknownSince.IsZero() || l.waitForPayer() {
		return DelayAfter(UndecidedDelays, l.job.Tries) >= lookUpPeriod
	}
	return now.Sub(l.job.UnknownSince) >= lookUpTimes[len(lookUpTimes)-1]
}

// until returns when a job that has no outcome by then waits for a person.
func (l LookUps) until() time.Time {
	switch {
	case !l.job.UnknownSince.IsZero():
		return l.job.UnknownSince.Add(unknownLimit)
	case l.waitForPayer() && !l.p.Action.ExpiresAt.IsZero():
		return l.p.Action.ExpiresAt.Add(unknownLimit)
	}
	return l.job.SentAt.Add(UndecidedLimit)
}

// SetNext sets when a job without an outcome is looked up again, or that it waits for a person, and returns the
// delay, 0 for a person.
func (l LookUps) SetNext(now time.Time) time.Duration {
	if !l.job.Kind.ForPerson() && (l.job.SentAt.IsZero() || now.Before(l.until())) {
		delay := l.delay(now)
		l.job.DueAt = now.Add(delay + JobGrace)
		return delay
	}
	l.job.Person, l.job.DueAt = true, time.Time{}
	if l.job.UnknownSince.IsZero() {
		l.job.UnknownSince = now
	}
	return 0
}

// unknown reports whether the outcome of the job's request is unknown: nobody has told it, and no worker waits for it.
func (j *Job) unknown(now time.Time) bool {
	if j.SentAt.IsZero() || j.Decision != nil || j.Kind == JobUnapplied {
		return false
	}
	return !j.UnknownSince.IsZero() || !j.Released && !now.Before(j.SentAt.Add(JobLease))
}

// MayLookUp reports whether a call may have the job looked up now.
func (j *Job) MayLookUp(now time.Time) bool {
	return j.unknown(now) && !now.Before(j.LookedUpAt.Add(lookUpEvery))
}

// IsLookedUp reports whether a look-up that a call asked for is under way.
func (j *Job) IsLookedUp(now time.Time) bool {
	return j.LookingUp && now.Before(j.LookedUpAt.Add(lookUpEvery))
}
