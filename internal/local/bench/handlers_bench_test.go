package bench

import (
	"testing"
	"time"
)

// BenchmarkCreateSession measures the same as the first row of `make bench`: the session function in memory, from event
// to response. It is a Go benchmark, so that it can be profiled.
func BenchmarkCreateSession(b *testing.B) {
	m := &inMemory{options: Options{Root: "../../.."}, now: time.Now()}
	if err := m.build(b.Context()); err != nil {
		b.Fatal(err)
	}
	creations, err := m.creations()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	began, i := processor(), 0
	for b.Loop() {
		if i%orders == 0 {
			m.now = m.now.Add(time.Minute)
		}
		if err := call(b.Context(), m.session, creations[i%orders]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64((processor()-began).Nanoseconds())/float64(b.N), "cpu-ns/op")
}
