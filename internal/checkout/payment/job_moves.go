package payment

import (
	"fmt"
	"slices"
	"time"

	"checkout/internal/money"
)

// JobState is where a job stands. It follows from what is stored of the job, and while a worker may be sending it from
// the time.
type JobState string

// The states of a job that has not ended.
const (
	JobQueued    JobState = "queued"    // nothing was sent to the provider, or nothing reached it
	JobSending   JobState = "sending"   // a worker may be sending it, until its lease ends
	JobUndecided JobState = "undecided" // the provider has it and has not decided, or its payer still has to act
	JobUnknown   JobState = "unknown"   // nobody has told the outcome
	JobForPerson JobState = "person"    // a person decides
	JobDecided   JobState = "decided"   // a person has decided: a worker looks it up once more, and ends it
)

// jobMoves are all changes of a job's state that are allowed beside its end. A state may also stay.
var jobMoves = map[JobState][]JobState{
	JobQueued:    {JobSending},
	JobSending:   {JobQueued, JobUndecided, JobUnknown, JobForPerson, JobDecided},
	JobUndecided: {JobSending, JobUnknown, JobForPerson, JobDecided},
	JobUnknown:   {JobSending, JobQueued, JobUndecided, JobForPerson, JobDecided},
	JobForPerson: {JobSending, JobUndecided, JobUnknown, JobDecided},
	JobDecided:   {JobUndecided, JobUnknown, JobForPerson},
}

// States returns the states of the jobs by their references.
func (j Jobs) States(now time.Time) map[string]JobState {
	states := make(map[string]JobState, len(j))
	for i := range j {
		states[j[i].Reference] = j[i].State(now)
	}
	return states
}

// Check returns an error if a job has made a move since that the table does not allow.
func (j Jobs) Check(before map[string]JobState, now time.Time) error {
	for i := range j {
		job := &j[i]
		from, known := before[job.Reference]
		if to := job.State(now); known && from != to && !slices.Contains(jobMoves[from], to) {
			return fmt.Errorf("%s %s may not go from %s to %s", job.Kind, job.Reference, from, to)
		}
	}
	return nil
}

// State returns the job's state at now. What a person has decided waits for a worker that may be sending the job.
func (j *Job) State(now time.Time) JobState {
	switch {
	case !j.SentAt.IsZero() && !j.Released && now.Before(j.SentAt.Add(JobLease)):
		return JobSending
	case j.Decision != nil:
		return JobDecided
	case j.Person:
		return JobForPerson
	case j.SentAt.IsZero():
		return JobQueued
	case !j.Released || !j.UnknownSince.IsZero():
		return JobUnknown
	}
	return JobUndecided
}

// Send begins to send the job. It is due when the lease ends. A job that is sent soon after it was stored is due late
// enough already: a change would cost two writes to the index.
func (j *Job) Send(now time.Time) {
	j.SentAt, j.Released, j.FoundBy = now, false, time.Time{}
	if end := now.Add(JobLease); j.DueAt.Before(end) {
		j.DueAt = end
	}
	j.Tries++
}

// ToNextMID makes a charge one of the next MID, with a reference of its own and no card but the one in memory.
func (j *Job) ToNextMID(reference string) {
	j.Reference = reference
	j.Sealed, j.Tries, j.LookUps, j.UnknownSince, j.Finding, j.Trouble = false, 0, 0, time.Time{}, nil, ""
}

// QueueAgain queues a job of which nothing reached the provider, to be sent again after a delay.
func (j *Job) QueueAgain(now time.Time, delay time.Duration) {
	j.SentAt, j.UnknownSince, j.DueAt = time.Time{}, time.Time{}, now.Add(delay+JobGrace)
}

// AwaitPayer leaves a charge to its payer, who has to act. The card is not needed any more.
func (j *Job) AwaitPayer(now time.Time, delay time.Duration) {
	j.Sealed, j.Released, j.Tries, j.UnknownSince = false, true, 0, time.Time{}
	j.End, j.Fault = false, "" // of an action before that could not be shown
	j.DueAt = now.Add(delay + JobGrace)
}

// Release ends the run of a worker without an outcome. fault is why a charge can't go on, "" if it can.
func (j *Job) Release(fault string) { j.Released, j.Fault = true, fault }

// ReleaseToEnd ends the run of a worker: the provider is to end the charge because of a fault.
func (j *Job) ReleaseToEnd(fault string, now time.Time) {
	j.Release(fault)
	j.End, j.DueAt = true, now.Add(JobGrace)
}

// ReleaseForm ends the run of a worker that did not reach the provider with the payer's second form, which is sent
// again after a delay.
func (j *Job) ReleaseForm(now time.Time, delay time.Duration) {
	j.Continue, j.Released, j.DueAt = true, true, now.Add(delay+JobGrace)
}

// ContinueWith has the payer's second form sent. cause is the id of the API call.
func (j *Job) ContinueWith(cause string, now time.Time) {
	j.Continue, j.Person, j.Cause, j.DueAt = true, false, cause, now.Add(NewJobGrace)
}

// EndBy has the provider end the charge, as its payer wants. cause is the id of the API call.
func (j *Job) EndBy(cause string, now time.Time) {
	j.End, j.Tries, j.Person, j.Cause, j.DueAt = true, 0, false, cause, now.Add(NewJobGrace)
}

// KeepOpen leaves the charge open, which the provider was to end.
func (j *Job) KeepOpen() { j.End = false }

// Ask has the job looked up for an operator.
func (j *Job) Ask(now time.Time) { j.Asked, j.Person, j.DueAt = true, false, now.Add(JobGrace) }

// Decide stores what a person has decided. The worker executes it.
func (j *Job) Decide(d Decision) { j.Decision, j.Person, j.DueAt = &d, false, d.At.Add(JobGrace) }

// BeginLookUp stores that a look-up begins which a call or an operator has asked for.
func (j *Job) BeginLookUp(now time.Time) { j.LookedUpAt, j.LookingUp = now, true }

// TakeLookUps takes over what a run has looked up.
func (j *Job) TakeLookUps(ran Job) {
	j.LookUps, j.LookedUpAt, j.FoundBy, j.LookingUp = ran.LookUps, ran.LookedUpAt, ran.FoundBy, false
}

// GiveBack makes a contradiction a request that gives the money back, under a reference of its own, with the coins that
// were decided about.
func (j *Job) GiveBack(reference, cause string, now time.Time) {
	var coins *money.Coins
	if j.Decision != nil {
		coins = j.Decision.Coins
	}
	*j = Job{
		Kind: JobGiveBack, Reference: reference, About: j.Reference, Amount: j.Amount, Cause: cause,
		DueAt: now.Add(NewJobGrace), Coins: coins,
	}
}

// keepAsked makes a job for a person one that an operator has looked up first, if the one in its place was.
func (j *Job) keepAsked(old Job) {
	if old.Asked {
		j.Asked, j.Person, j.DueAt = true, false, old.DueAt
	}
}
