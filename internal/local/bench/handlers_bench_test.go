package bench

import (
	"testing"
	"time"
)

// inMemoryCalls returns functions that create another session at each call, and that read the status of one order.
func inMemoryCalls(tb testing.TB) (create, status func()) {
	tb.Helper()
	m := &inMemory{options: Options{Root: "../../.."}, now: time.Now()}
	fail := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	fail(m.build(tb.Context()))
	creations, err := m.creations()
	fail(err)
	event, err := m.event("status/by_order_id.json", "order-000000")
	fail(err)
	i := 0
	create = func() {
		if i%orders == 0 {
			m.now = m.now.Add(time.Minute)
		}
		fail(call(tb.Context(), m.session, creations[i%orders]))
		i++
	}
	create() // the order whose status is read
	return create, func() { fail(call(tb.Context(), m.status, event)) }
}

// BenchmarkCreateSession measures the same as the first row of `make bench`: the session function in memory, from event
// to response. It is a Go benchmark, so that it can be profiled.
func BenchmarkCreateSession(b *testing.B) {
	create, _ := inMemoryCalls(b)
	measureCalls(b, create)
}

// BenchmarkStatus measures the same as the second row.
func BenchmarkStatus(b *testing.B) {
	_, status := inMemoryCalls(b)
	measureCalls(b, status)
}

func measureCalls(b *testing.B, call func()) {
	b.ReportAllocs()
	began := processor()
	for b.Loop() {
		call()
	}
	b.ReportMetric(float64((processor()-began).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// The allocations of a request do not depend on the machine. Those of a creation do not depend on the methods and MIDs
// that a merchant has beside those that the session names: this one has all.
func TestAllocations(t *testing.T) {
	create, status := inMemoryCalls(t)
	for _, test := range []struct {
		name string
		call func()
		most float64
	}{{"session creation", create, 210}, {"status by order_id", status, 184}} {
		if got := testing.AllocsPerRun(200, test.call); got > test.most {
			t.Errorf("%s has %.0f allocations, more than %.0f", test.name, got, test.most)
		}
	}
}
