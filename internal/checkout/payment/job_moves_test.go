package payment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/golden"
)

// Every transition leads from each state that it begins in to one that the table allows.
func TestJobMoves(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	decision := Decision{Verdict: VerdictApproved, At: now}
	states := map[JobState]Job{
		JobQueued:    {},
		JobSending:   {SentAt: now},
		JobUndecided: {SentAt: now, Released: true},
		JobUnknown:   {SentAt: now, Released: true, UnknownSince: now},
		JobForPerson: {SentAt: now, Released: true, UnknownSince: now, Person: true},
		JobDecided:   {SentAt: now, Released: true, UnknownSince: now, Decision: &decision},
	}
	for state, job := range states {
		if got := job.State(now); got != state {
			t.Errorf("the job of state %s is %s", state, got)
		}
	}
	if lost := states[JobSending]; lost.State(now.Add(JobLease)) != JobUnknown {
		t.Error("a lease never ends")
	}
	sent := []JobState{JobUndecided, JobUnknown, JobForPerson}
	for _, test := range []struct {
		name string
		from []JobState
		make func(*Job)
		to   []JobState
	}{
		{"send", []JobState{JobQueued, JobUndecided, JobUnknown}, func(j *Job) { j.Send(now) }, []JobState{JobSending}},
		{"not reached", []JobState{JobSending, JobUnknown}, func(j *Job) { j.QueueAgain(now, 0) }, []JobState{JobQueued}},
		{"release", []JobState{JobSending}, func(j *Job) { j.Release("") }, []JobState{JobUndecided}},
		{"to be ended", []JobState{JobSending}, func(j *Job) { j.ReleaseToEnd("x", now) }, []JobState{JobUndecided}},
		{"form again", []JobState{JobSending}, func(j *Job) { j.ReleaseForm(now, 0) }, []JobState{JobUndecided}},
		{"payer", []JobState{JobSending, JobUnknown}, func(j *Job) { j.AwaitPayer(now, 0) }, []JobState{JobUndecided}},
		{"second form", sent, func(j *Job) { j.ContinueWith("", now) }, []JobState{JobUndecided, JobUnknown}},
		{"end", sent, func(j *Job) { j.EndBy("", now) }, []JobState{JobUndecided, JobUnknown}},
		{"ask", sent, func(j *Job) { j.Ask(now) }, []JobState{JobUndecided, JobUnknown}},
		{"decide", append(sent, JobSending), func(j *Job) { j.Decide(decision) }, []JobState{JobDecided, JobSending}},
		{"look up", sent, func(j *Job) { j.BeginLookUp(now) }, sent},
	} {
		for _, from := range test.from {
			job := states[from]
			test.make(&job)
			to := job.State(now)
			if !slices.Contains(test.to, to) || to != from && !slices.Contains(jobMoves[from], to) {
				t.Errorf("%s: from %s to %s", test.name, from, to)
			}
		}
	}
	p := &Payment{Jobs: []Job{states[JobQueued]}}
	before := p.Jobs.States(now)
	p.Jobs[0] = states[JobForPerson]
	if p.Jobs.Check(before, now) == nil {
		t.Error("a job that was never sent may wait for a person")
	}
}

// Every transition of a request changes what testdata/job_moves.golden says, from a request that has everything.
func TestTransitions(t *testing.T) {
	decision := Decision{Verdict: VerdictApproved, By: "Ann", At: later}
	var got strings.Builder
	for _, move := range []struct {
		name string
		do   func(*Job)
	}{
		{"send", func(j *Job) { j.Send(later) }},
		{"send soon after it was stored", func(j *Job) { j.Send(paidAt.Add(JobGrace)) }},
		{"to the next MID", func(j *Job) { j.ToNextMID("next") }},
		{"again", func(j *Job) { j.QueueAgain(later, time.Minute) }},
		{"await the payer", func(j *Job) { j.AwaitPayer(later, time.Minute) }},
		{"release", func(j *Job) { j.Release("fault") }},
		{"release to end", func(j *Job) { j.ReleaseToEnd("fault", later) }},
		{"release form", func(j *Job) { j.ReleaseForm(later, time.Minute) }},
		{"second form", func(j *Job) { j.ContinueWith("call", later) }},
		{"end", func(j *Job) { j.EndBy("call", later) }},
		{"keep open", func(j *Job) { j.KeepOpen() }},
		{"ask", func(j *Job) { j.Ask(later) }},
		{"decide", func(j *Job) { j.Decide(decision) }},
		{"begin a look-up", func(j *Job) { j.BeginLookUp(later) }},
		{"take look-ups", func(j *Job) { j.TakeLookUps(Job{LookedUp: LookedUp{LookUps: 7, LookedUpAt: later}}) }},
	} {
		for _, full := range []bool{false, true} {
			job := Job{Kind: JobCharge, Reference: "charge", DueAt: paidAt.Add(90 * time.Second)}
			if full {
				job = Job{Kind: JobCharge, Reference: "charge", ChargeInput: ChargeInput{Sealed: true}, SentAt: paidAt,
					Continue: true, End: true,
					Released: true, Tries: 2, Cause: "old", Trouble: "old", Fault: "old", DueAt: paidAt, UnknownSince: paidAt,
					Person: true, LookedUp: LookedUp{LookUps: 3, LookedUpAt: paidAt, LookingUp: true, Asked: true,
						Finding: &Finding{Text: "old"}}}
			}
			before := golden.Members(job)
			move.do(&job)
			fmt.Fprintf(&got, "%s, full %t:%s\n", move.name, full, golden.Differences(before, golden.Members(job)))
		}
	}
	golden.Compare(t, "testdata/job_moves.golden", got.String(), *update)
}

// No change of a request's state is allowed that the table does not have.
func TestTableOfJobMoves(t *testing.T) {
	jobs := map[JobState]Job{
		JobQueued: {}, JobSending: {SentAt: later}, JobUndecided: {SentAt: paidAt, Released: true},
		JobUnknown:   {SentAt: paidAt, Released: true, UnknownSince: paidAt},
		JobForPerson: {SentAt: paidAt, Released: true, Person: true},
		JobDecided:   {SentAt: paidAt, Released: true, Decision: &Decision{}},
	}
	want := map[JobState]string{
		JobQueued: "sending", JobSending: "queued undecided unknown person decided",
		JobUndecided: "sending unknown person decided", JobUnknown: "sending queued undecided person decided",
		JobForPerson: "sending undecided unknown decided", JobDecided: "undecided unknown person",
	}
	for from := range jobs {
		for to, job := range jobs {
			allowed := from == to || strings.Contains(" "+want[from]+" ", " "+string(to)+" ")
			if err := (Jobs{job}).Check(map[string]JobState{"": from}, later); (err == nil) != allowed {
				t.Errorf("from %s to %s: %v", from, to, err)
			}
			if err := (Jobs{job}).Check(nil, later); err != nil {
				t.Errorf("a new request: %v", err)
			}
		}
	}
}
