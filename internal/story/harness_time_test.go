package story

import (
	"iter"
	"sync"
	"time"
)

// atOnce calls do n times at once and waits until all calls have returned.
func atOnce(n int, do func(i int)) {
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		group.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	group.Wait()
}

// until waits for something that another goroutine does, for 10 seconds at most.
func until(t tester, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// eventIDs returns the webhook-ids of the callbacks that the shop took, in order.
func eventIDs(w *world) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, r := range w.shop.taken() {
			if !yield(r.header.Get("webhook-id")) {
				return
			}
		}
	}
}
