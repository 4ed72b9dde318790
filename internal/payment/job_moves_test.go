package payment

import (
	"slices"
	"testing"
	"time"
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
