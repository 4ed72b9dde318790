package bench

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkCreateSession is `make bench`'s first row, for profiles: the session function in memory, from event to
// response.
func BenchmarkCreateSession(b *testing.B) {
	m := &inMemory{options: Options{Root: "../../.."}, now: time.Now()}
	if err := m.build(b.Context()); err != nil {
		b.Fatal(err)
	}
	var creations [][]byte
	for i := range orders {
		event, err := m.event("session/create.json", fmt.Sprintf("order-%06d", i))
		if err != nil {
			b.Fatal(err)
		}
		creations = append(creations, event)
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
