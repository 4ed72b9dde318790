package story

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"checkout/internal/store"
)

// RunningClock returns a clock that goes on from a time.
func RunningClock(from time.Time) *Clock { return &Clock{now: from, began: time.Now()} }

// Outside returns the time of the one clock that queues and providers have.
func (c *Clock) Outside() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.middle()
}

// differ says whether the clocks of functions differ from now on. Each true is ended by a false.
func (c *Clock) differ(is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if is {
		c.apart++
	} else {
		c.apart--
	}
}

// Move moves the clock forward.
func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// pass lets time go by as in production: workers handle each message when it is due, and a sweep runs every minute.
// Minutes whose sweep would find nothing go by at once: some stories last months.
func (w *World) pass(d time.Duration) {
	w.t.Helper()
	end := w.clock.Now().Add(d)
	w.work()
	for now := w.clock.Now(); now.Before(end); now = w.clock.Now() {
		minute, next := w.nextSweep(now), end
		if minute.Before(next) {
			next = minute
		}
		for _, message := range w.app.Queue.Pending() {
			if message.Due.Before(next) && message.Due.After(now) {
				next = message.Due
			}
		}
		w.clock.Move(next.Sub(now))
		if next.Equal(minute) {
			w.sweep()
		}
		w.work()
	}
}

// never is later than anything that is due.
var never = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// nextSweep is the first whole minute after now at which a sweep finds something, as far as is stored by now.
func (w *World) nextSweep(now time.Time) time.Time {
	w.t.Helper()
	due := never
	for _, kind := range []store.DueKind{store.DuePayment, store.DueChain, store.DueCallback} {
		for _, entry := range w.Listed(kind, never, 1) {
			if entry.At.Before(due) {
				due = entry.At
			}
		}
	}
	minute := now.Truncate(time.Minute).Add(time.Minute)
	if due.After(minute) {
		minute = due.Add(time.Minute - 1).Truncate(time.Minute)
	}
	return minute
}

// HasDue reports whether a sweep would find anything.
func (w *World) HasDue() bool {
	return len(w.due(store.DuePayment))+len(w.due(store.DueChain))+len(w.due(store.DueCallback)) > 0
}

// due lists all documents of a kind that are due. Parked callbacks are always due.
func (w *World) due(kind store.DueKind) []store.DueEntry {
	w.t.Helper()
	return w.Listed(kind, w.clock.Now(), 1_000_000)
}

// Listed lists the first documents of each shard of a kind that are due by a time.
func (w *World) Listed(kind store.DueKind, by time.Time, limit int) (all []store.DueEntry) {
	w.t.Helper()
	kinds := []store.DueKind{kind, kind.Of(true)}
	for _, kind := range slices.Compact(kinds) { // parked callbacks are listed together
		for shard := range kind.Shards() {
			query := store.DueQuery{Kind: kind, Shard: shard, Limit: limit}
			entries, err := w.app.Store.Due(context.Background(), by, query)
			if err != nil {
				w.t.Fatalf("list what is due: %v", err)
			}
			all = append(all, entries...)
		}
	}
	return all
}

// skip moves the clock while the workers do nothing. The key of the day is made all the same.
func (w *World) skip(d time.Duration) {
	w.clock.Move(d)
	w.MakeDayKey()
}

// MakeDayKey makes the key of the day if there is none.
func (w *World) MakeDayKey() {
	day := store.PublicKeyKey(w.clock.Now().UTC().Format(time.DateOnly))
	key, err := store.GetOne(context.Background(), w.app.Store, w.clock.Now(), day)
	if err == nil && key.Version == 0 {
		err = w.rotateElsewhere()
	}
	if err != nil {
		w.t.Fatalf("key of the day: %v", err)
	}
}

// atOnce calls do n times at once, as functions whose clocks differ, and waits until all calls have returned.
func (w *World) atOnce(n int, do func(i int)) {
	w.clock.Move(clocksDiffer) // to all of them it has happened what happened before
	w.clock.differ(true)
	together(n, do)
	w.clock.differ(false)
	w.clock.Move(clocksDiffer) // what they have sent is due
}

// together calls do n times at once and waits until all calls have returned.
func together(n int, do func(i int)) {
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

// until waits for something that another goroutine does, for minutes at most.
func until(t Tester, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// eventIDs returns the webhook-ids of the callbacks that the shop took, in order.
func eventIDs(w *World) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, r := range w.shop.Taken() {
			if !yield(r.Header.Get("webhook-id")) {
				return
			}
		}
	}
}
