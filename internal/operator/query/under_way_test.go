package query

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// awaits stores a payment with requests that have no outcome, the n-th that was made at a time, and returns its id.
func (l *listed) awaits(owner fault.Owner, made time.Time, n int, jobs ...payment.Job) string {
	l.T.Helper()
	hash := store.OrderHash(owner.Text(), fmt.Sprint(n))
	p := &payment.Payment{ID: store.NewPaymentID(hash, made, binary.BigEndian.AppendUint32(nil, uint32(n)))}
	p.Owner, p.Order.Number, p.Order.Currency = owner, fmt.Sprint(n), "USD"
	p.CreatedAt, p.ChangedAt, p.Jobs = made, made, jobs
	l.Save(p.Record())
	return p.ID
}

// ends removes the requests of a payment.
func (l *listed) ends(id string) {
	l.T.Helper()
	p, err := l.Core.Payment(l.T.Context(), l.Now, id)
	if err != nil {
		l.T.Fatal(err)
	}
	p.Jobs = nil
	l.Save(p.Record())
}

// owners of requests without an outcome.
var owners = []fault.Owner{{Merchant: "m-1"}, {Merchant: "m-2"}, {Merchant: "m-1", Test: true}}

// mostUnderWay is how many requests to the store a page of what is under way may take.
const mostUnderWay = store.MaxDueShards + underWayGets

// underWay reads all pages and returns the orders' numbers. It does something after each page.
func (l *listed) underWay(by grant.Person, f Filter, between func(last UnderWay)) (numbers []string) {
	l.T.Helper()
	for range 1000 {
		page, cursor, err := l.UnderWay(l.T.Context(), by, f)
		if err != nil {
			l.T.Fatal(err)
		}
		for _, r := range page {
			numbers = append(numbers, r.OrderNumber)
		}
		if f.Cursor = cursor; cursor == "" {
			return numbers
		}
		if between != nil && len(page) > 0 {
			between(page[len(page)-1])
		}
	}
	l.T.Fatal("what is under way has no end")
	return nil
}

// What is under way is listed page by page, that of the oldest payments first, each once: for whom it is about, and of
// the mode that is asked for. What ends meanwhile, or begins, moves nothing.
func TestPagesOfWhatIsUnderWay(t *testing.T) {
	l, want := newListed(t), map[fault.Owner][]string{}
	for n := range 900 {
		owner, at := owners[n%3], l.Now.Add(time.Duration(n/7-200)*time.Minute) // some at the same time
		job := payment.Job{Kind: payment.JobCharge, DueAt: l.Now.Add(time.Duration(n*7919%900) * time.Second)}
		l.awaits(owner, at, n, job)
		want[owner] = append(want[owner], fmt.Sprint(n))
	}
	l.awaits(owners[0], l.Now.Add(-24*time.Hour), 9000, payment.Job{Kind: payment.JobCharge, Person: true,
		UnknownSince: l.Now})
	live := slices.Concat(want[owners[0]], want[owners[1]])
	for _, c := range []struct {
		by   grant.Person
		f    Filter
		want []string
	}{
		{person(grant.Viewer, "*"), Filter{}, live},
		{person(grant.Viewer, "*"), Filter{Limit: 7}, live},
		{person(grant.Support, "*"), Filter{Mode: "test"}, want[owners[2]]},
		{person(grant.Support, "*"), Filter{Merchant: "m-2"}, want[owners[1]]},
		{person(grant.Support, "m-1"), Filter{}, want[owners[0]]},
		{person(grant.Support, "m-1"), Filter{Merchant: "m-2"}, nil},
		{person(grant.Support, "m-3"), Filter{}, nil},
		{grant.Person{Grants: []grant.Grant{{Role: grant.Admin, Merchants: []string{"*"}, Mode: grant.Test}}}, Filter{}, nil},
		{grant.Person{}, Filter{}, nil},
	} {
		got := l.underWay(c.by, c.f, nil)
		if !slices.IsSortedFunc(got, oldestFirst) {
			t.Errorf("%+v: not in the order of the payments: %v", c.f, got)
		}
		slices.Sort(got)
		if slices.Sort(c.want); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %d requests, want %d: %v", c.f, len(got), len(c.want), got)
		}
	}
	l.Requests.Store(0)
	if _, _, err := l.UnderWay(t.Context(), person(grant.Support, "m-3"), Filter{}); err != nil ||
		l.Requests.Load() > mostUnderWay {
		t.Errorf("%d requests, %v", l.Requests.Load(), err)
	}
	n := 900
	got := l.underWay(person(grant.Viewer, "*"), Filter{Limit: 7}, func(last UnderWay) {
		l.ends(last.PaymentID)
		l.awaits(owners[0], l.Now, n, payment.Job{Kind: payment.JobCharge, DueAt: l.Now})
		n++
	})
	if seen := slices.Compact(slices.Sorted(slices.Values(got))); len(seen) != len(got) || len(got) < len(live) {
		t.Errorf("%d requests, %d of them once, want %d", len(got), len(seen), len(live))
	}
}

// oldestFirst compares the numbers of orders by the time when their payments were made.
func oldestFirst(a, b string) int {
	var x, y int
	_, _ = fmt.Sscan(a, &x)
	_, _ = fmt.Sscan(b, &y)
	return cmp.Compare(x/7, y/7)
}

// A request is late if neither the sweep nor its queue can have it any more.
func TestLate(t *testing.T) {
	l := newListed(t)
	for n, due := range []time.Duration{time.Hour, 0, -lateAfter, -lateAfter - time.Millisecond, -time.Hour} {
		l.awaits(owners[0], l.Now.Add(time.Duration(n)*time.Second), n,
			payment.Job{Kind: payment.JobCharge, DueAt: l.Now.Add(due)},
			payment.Job{Kind: payment.JobLookUp, Person: true, UnknownSince: l.Now})
	}
	page, cursor, err := l.UnderWay(t.Context(), person(grant.Viewer, "m-1"), Filter{})
	if err != nil || cursor != "" || len(page) != 5 {
		t.Fatalf("%+v, %q, %v", page, cursor, err)
	}
	for n, r := range page {
		if r.OrderNumber != fmt.Sprint(n) || r.Late != (n > 2) || r.State != payment.JobQueued || r.Mode != "live" {
			t.Errorf("%+v", r)
		}
	}
}

// What waits for a person is listed page by page, each request once, that first which waits longest: to those who may
// see its payment. What is decided meanwhile moves nothing.
func TestPagesOfWhatWaits(t *testing.T) {
	l, since := newListed(t), map[string]time.Time{}
	ids := map[fault.Owner][]string{}
	for n := range 450 {
		owner, at := owners[n%3], l.Now.Add(-time.Duration(n*7919%450/9)*time.Millisecond) // nine at the same time
		id := l.awaits(owner, l.Now.Add(-time.Hour), n,
			payment.Job{Kind: payment.JobCharge, Reference: fmt.Sprint("r", n), Person: true, UnknownSince: at})
		ids[owner], since[id] = append(ids[owner], id), at
	}
	read := func(by grant.Person, between func(last string)) (found []string) {
		for after, pages := "", 0; pages < 100; pages++ {
			page, next, err := l.Waiting(t.Context(), by, after)
			if err != nil || len(page) > WaitingPage {
				t.Fatalf("%d requests, %v", len(page), err)
			}
			for _, w := range page {
				found = append(found, w.PaymentID)
			}
			if after = next; next == "" {
				return found
			}
			if between != nil {
				between(found[len(found)-1])
			}
		}
		t.Fatal("what waits has no end")
		return nil
	}
	all := slices.Concat(ids[owners[0]], ids[owners[1]], ids[owners[2]])
	liveOnly := grant.Person{Grants: []grant.Grant{{Role: grant.Viewer, Merchants: []string{"m-1"}, Mode: grant.Live}}}
	for _, c := range []struct {
		by   grant.Person
		want []string
	}{
		{person(grant.Viewer, "*"), all},
		{person(grant.Support, "m-1"), slices.Concat(ids[owners[0]], ids[owners[2]])},
		{liveOnly, ids[owners[0]]},
		{person(grant.Admin, "m-3"), nil},
		{grant.Person{}, nil},
	} {
		got := read(c.by, nil)
		if !slices.IsSortedFunc(got, func(a, b string) int { return since[a].Compare(since[b]) }) {
			t.Errorf("%+v: not in the order in which they wait", c.by)
		}
		slices.Sort(got)
		if slices.Sort(c.want); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %d requests, want %d", c.by, len(got), len(c.want))
		}
	}
	got := read(person(grant.Viewer, "*"), l.ends)
	slices.Sort(got)
	if slices.Sort(all); !slices.Equal(got, all) {
		t.Errorf("while some are decided: %d requests, want %d", len(got), len(all))
	}
	for _, after := range []string{"x", "2030-01-02T03:04:05Z", "2030-01-02T03:04:05Z/x"} {
		_, _, err := l.Waiting(t.Context(), person(grant.Viewer, "*"), after)
		if fault.CodeOf(err) != fault.CodeInvalid {
			t.Errorf("after %s: %v", after, err)
		}
	}
}
