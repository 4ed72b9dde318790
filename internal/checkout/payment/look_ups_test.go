package payment

import (
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/page/screen"
)

// A request is looked up until 3 days after its look-ups began to fail, or after the payer's time is over. What the
// provider calls undecided is looked up for 30 days.
func TestLookedUpUntil(t *testing.T) {
	sent := time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	hours := func(n int) time.Time { return sent.Add(time.Duration(n) * time.Hour) }
	noEnd := &connector.RequiredAction{Kind: connector.ActionRedirect, URL: "https://bank.example"}
	ends := &connector.RequiredAction{Kind: connector.ActionPending, Text: screen.TextScanQR, ExpiresAt: hours(10)}
	hidden := &connector.RequiredAction{Kind: connector.ActionPending, ExpiresAt: hours(10)}
	form := &connector.RequiredAction{Kind: connector.ActionPending, Step: 1}
	type outcomes map[int]TransactionStatus // by the hour of the look-up; "": the payer still has to act
	for _, test := range []struct {
		name    string
		kind    JobKind
		action  *connector.RequiredAction
		told    outcomes
		until   int // hours after it was sent
		unknown int // since this hour; -1: nothing is unknown
	}{
		{"no response", JobCharge, nil, outcomes{0: Undefined, 1: Undefined}, 72, 0},
		{"not decided", JobCharge, nil, outcomes{0: Waiting, 1: Waiting}, 720, -1},
		{"not decided, then it fails", JobRefund, nil, outcomes{0: Waiting, 100: Undefined, 101: Undefined}, 172, 100},
		{"fails, then not decided", JobRefund, nil, outcomes{0: Undefined, 71: Waiting}, 720, -1},
		{"the payer acts", JobCharge, noEnd, outcomes{0: "", 1: ""}, 720, -1},
		{"look-ups fail while the payer acts", JobCharge, noEnd, outcomes{1: Undefined, 2: Undefined, 73: Undefined}, 73, 1},
		{"one look-up fails", JobCharge, noEnd, outcomes{1: Undefined, 2: ""}, 720, -1},
		{"look-ups fail again", JobCharge, noEnd, outcomes{1: Undefined, 2: Waiting, 400: Undefined}, 472, 400},
		{"the payer's time ends", JobCharge, ends, outcomes{0: "", 12: ""}, 82, -1},
		{"look-ups fail in the payer's time", JobCharge, ends, outcomes{0: Undefined, 12: Undefined}, 82, -1},
		{"nothing is shown to pay with any more", JobCharge, hidden, outcomes{2: Undefined, 12: Undefined}, 74, 2},
		{"a form was filled in", JobCharge, form, outcomes{5: Undefined, 6: Undefined}, 77, 5},
		{"a refund beside a payer who acts", JobRefund, noEnd, outcomes{0: Undefined}, 72, 0},
	} {
		p, job := &Payment{Instructions: Instructions{Action: test.action}}, &Job{Kind: test.kind, SentAt: sent}
		for hour := range 500 {
			if status, lookedUp := test.told[hour]; lookedUp {
				p.LookUps(job).SetUnknown(status, hours(hour))
			}
		}
		if got := p.LookUps(job).until(); !got.Equal(hours(test.until)) {
			t.Errorf("%s: looked up for %s", test.name, got.Sub(sent))
		}
		if test.unknown < 0 != job.UnknownSince.IsZero() ||
			test.unknown >= 0 && !job.UnknownSince.Equal(hours(test.unknown)) {
			t.Errorf("%s: unknown since %s", test.name, job.UnknownSince)
		}
		until := hours(test.until)
		if p.LookUps(job).SetNext(until.Add(-time.Second)); job.Person || job.DueAt.IsZero() {
			t.Errorf("%s: a person decides too early", test.name)
		}
		if p.LookUps(job).SetNext(until); !job.Person || !job.DueAt.IsZero() || job.UnknownSince.IsZero() {
			t.Errorf("%s: no person decides: %+v", test.name, job)
		}
	}
}

// A call has a request looked up whose outcome nobody knows, and not again within ten seconds.
func TestMayLookUp(t *testing.T) {
	old := later.Add(-lookUpEvery)
	for name, test := range map[string]struct {
		job          Job
		may, isUnder bool
	}{
		"never sent":              {Job{}, false, false},
		"never sent, unknown":     {Job{UnknownSince: paidAt}, false, false},
		"decided":                 {Job{SentAt: paidAt, UnknownSince: paidAt, Decision: &Decision{}}, false, false},
		"unknown":                 {Job{SentAt: paidAt, Released: true, UnknownSince: paidAt}, true, false},
		"undecided":               {Job{SentAt: paidAt, Released: true}, false, false},
		"its lease just ended":    {Job{SentAt: later.Add(-JobLease)}, true, false},
		"its lease has not ended": {Job{SentAt: later.Add(1 - JobLease)}, false, false},
		"looked up long ago": {Job{SentAt: paidAt, UnknownSince: paidAt,
			LookedUp: LookedUp{LookedUpAt: old, LookingUp: true}}, true, false},
		"looked up a moment ago": {Job{SentAt: paidAt, UnknownSince: paidAt,
			LookedUp: LookedUp{LookedUpAt: old.Add(1), LookingUp: true}}, false, true},
		"looked up, and that has ended": {Job{SentAt: paidAt, UnknownSince: paidAt,
			LookedUp: LookedUp{LookedUpAt: old.Add(1)}}, false, false},
	} {
		if test.job.MayLookUp(later) != test.may || test.job.IsLookedUp(later) != test.isUnder {
			t.Errorf("%s: %t, %t", name, !test.may, test.job.IsLookedUp(later))
		}
	}
}

// The n-th look-up of what is unknown comes at its time, whatever was looked up before.
func TestUntilLookUp(t *testing.T) {
	for unknown, want := range map[time.Duration]time.Duration{
		0: 2 * time.Second, 2*time.Second - 1: 1, 2 * time.Second: 8 * time.Second, 10 * time.Second: 50 * time.Second,
		time.Minute: 4 * time.Minute, 5 * time.Minute: time.Hour, 64 * time.Minute: time.Minute, 65 * time.Minute: time.Hour,
	} {
		if got := untilLookUp(unknown); got != want {
			t.Errorf("after %s: %s, want %s", unknown, got, want)
		}
	}
	for tries, want := range []time.Duration{5 * time.Second, 5 * time.Second, 15 * time.Second} {
		if got := DelayAfter(UndecidedDelays, tries); got != want {
			t.Errorf("%d tries: %s", tries, got)
		}
	}
	if DelayAfter(UndecidedDelays, 100) != time.Hour {
		t.Error("the last delay does not repeat")
	}
}
