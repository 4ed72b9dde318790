package query

import (
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
)

// Whoever removes a MID is told of its payments whose requests have no outcome: each once, whether a person has to
// decide or not, and neither those of another MID nor test payments.
func TestUnfinishedPaymentsOfAnAccount(t *testing.T) {
	l := newListed(t)
	open := payment.Job{Kind: payment.JobCharge, DueAt: l.Now}
	waits := payment.Job{Kind: payment.JobLookUp, Person: true, UnknownSince: l.Now}
	for n, one := range []struct {
		owner        fault.Owner
		mapping, mid string
		jobs         []payment.Job
	}{
		{owners[0], "main", "a", []payment.Job{open}}, {owners[0], "main", "a", []payment.Job{open, waits}},
		{owners[0], "main", "a", []payment.Job{waits}}, {owners[0], "main", "b", []payment.Job{open}},
		{owners[0], "other", "a", []payment.Job{open}}, {owners[1], "main", "a", []payment.Job{open}},
		{owners[2], "main", "a", []payment.Job{open}}, {owners[0], "main", "a", nil},
	} {
		id := l.awaits(one.owner, l.Now.Add(time.Duration(n)*time.Minute), n)
		p, err := l.Core.Payment(t.Context(), l.Now, id)
		if err != nil {
			t.Fatal(err)
		}
		p.Mapping, p.MID, p.Jobs = one.mapping, one.mid, one.jobs
		l.Save(p.Record())
	}
	by := person(grant.Viewer, "m-1")
	for a, want := range map[Account]int{
		{"m-1", "main", "a"}: 3, {"m-1", "main", ""}: 4, {"m-1", "other", ""}: 1, {"m-1", "none", ""}: 0,
	} {
		got, err := l.Unfinished(t.Context(), by, a)
		if err != nil || got.Payments != want {
			t.Errorf("%v: %+v, %v, want %d", a, got, err, want)
		}
	}
	if _, err := l.Unfinished(t.Context(), by, Account{"m-2", "main", "a"}); fault.CodeOf(err) != fault.CodeNotFound {
		t.Errorf("of another merchant: %v", err)
	}
}
