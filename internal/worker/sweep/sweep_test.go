package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/metric"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// sweeping is a sweep whose queue takes a time for each batch.
type sweeping struct {
	Sweep
	t       *testing.T
	takes   time.Duration
	refuses int // of each batch, the first documents
	fails   error
	log     bytes.Buffer

	mu   sync.Mutex
	sent map[string]int  // by payment
	most int             // of one batch
	came []store.DueKind // in the order of their batches
}

func newSweeping(t *testing.T, takes time.Duration) *sweeping {
	s := &sweeping{t: t, takes: takes, sent: map[string]int{}}
	meter := metric.Meter{Log: slog.New(slog.NewJSONHandler(&s.log, nil)), Now: time.Now}
	s.Sweep = Sweep{Meter: meter, Store: memory.NewStore(), Send: s.send}
	return s
}

func (s *sweeping) send(_ context.Context, kind store.DueKind, test bool, batch []Due) (refused int, err error) {
	time.Sleep(s.takes)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil {
		return 0, s.fails
	}
	s.came, s.most = append(s.came, kind.Of(test)), max(s.most, len(batch))
	refused = min(s.refuses, len(batch))
	for _, due := range batch[refused:] {
		s.sent[due.PaymentID]++
	}
	return refused, nil
}

// backlog stores n due documents of one kind, a millisecond apart, the last one due now. It returns their payments' ids
// in this order.
func (s *sweeping) backlog(kind store.DueKind, n int) (ids []string) {
	s.t.Helper()
	now, records := time.Now(), []store.Record(nil)
	for i := range n {
		key := store.Key{Partition: fmt.Sprintf("order/%015x", i), Sort: fmt.Sprintf("o/%016x/%s", i, kind)}
		if kind.Of(true) == store.DueCallback.Of(true) {
			key.Sort = fmt.Sprintf("callback/%016x/000001", i+n)
		}
		id, _, err := dueID(key)
		if err != nil {
			s.t.Fatal(err)
		}
		ids = append(ids, id)
		due := now.Add(time.Duration(i+1-n) * time.Millisecond)
		records = append(records, store.Record{Key: key, Doc: []byte(`{}`), DueKind: kind, DueAt: due})
	}
	for some := range slices.Chunk(records, 100) {
		if err := s.Store.Save(s.t.Context(), now, some...); err != nil {
			s.t.Fatal(err)
		}
	}
	return ids
}

// run sweeps with a function's time limit and returns how long that took.
func (s *sweeping) run() time.Duration {
	s.t.Helper()
	start := time.Now()
	ctx, cancel := context.WithTimeout(s.t.Context(), 50*time.Second)
	defer cancel()
	if err := s.Run(ctx); err != nil {
		s.t.Error(err)
	}
	return time.Since(start)
}

// count returns how many of the payments were sent, and how often the one that was sent most.
func (s *sweeping) count(ids []string) (sent, most int) {
	for _, id := range ids {
		if s.sent[id] > 0 {
			sent++
		}
		most = max(most, s.sent[id])
	}
	return sent, most
}

// The queue takes two seconds for a batch of 10. With 32 shards at once these are 160 messages a second: 7,200 in the
// 45 seconds of a sweep, and 25,000 in four sweeps. The last callback is sent by the fourth sweep, no callback is
// sent twice before that, and the due payment is sent by every sweep.
func TestBacklogIsSentByFourSweeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, start := newSweeping(t, 2*time.Second), time.Now()
		callbacks := s.backlog(store.DueCallback, 25_000)
		job := s.backlog(store.DuePayment, 1)[0]
		for sweep := 1; sweep <= 4; sweep++ {
			if took := s.run(); took > 46*time.Second {
				t.Errorf("sweep %d took %s", sweep, took)
			}
			sent, most := s.count(callbacks)
			if want := min(25_000, sweep*7_000); sent < want || most > 1 && sweep < 4 || s.sent[job] != sweep {
				t.Errorf("after sweep %d, %d were sent, one of them %d times, and the payment's job %d times",
					sweep, sent, most, s.sent[job])
			}
			time.Sleep(time.Until(start.Add(time.Duration(sweep) * time.Minute)))
		}
		if s.most != 10 {
			t.Errorf("batches had %d messages at most", s.most)
		}
		for _, age := range []string{
			`"kind":"callback","sent":7`, `"due_age":26999,`, `"due_age":206999,`, `"kind":"chain","sent":0,"due_age":0,`,
		} {
			if !strings.Contains(s.log.String(), age) {
				t.Errorf("the log misses %s:\n%s", age, s.log.String())
			}
		}
	})
}

// Jobs go before callbacks, and payments with the live key before those with the test key.
func TestOrderOfKinds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, want := newSweeping(t, time.Second), []store.DueKind(nil)
		for _, test := range []bool{false, true} {
			for _, kind := range []store.DueKind{store.DuePayment, store.DueChain, store.DueCallback} {
				s.backlog(kind.Of(test), 500)
				want = append(want, kind.Of(test))
			}
		}
		s.run()
		if got := slices.Compact(s.came); !slices.Equal(got, want) {
			t.Errorf("sent in the order %v", got)
		}
	})
}

// More due payments than a sweep can send leave time for callbacks. The next sweep goes on with the next payments.
func TestNoKindTakesTheWholeSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSweeping(t, 5*time.Second)
		jobs, callbacks := s.backlog(store.DuePayment, 3000), s.backlog(store.DueCallback, 300)
		for sweep := 1; sweep <= 3; sweep++ {
			s.run()
			if sent, _ := s.count(callbacks); sent != 300 {
				t.Errorf("after sweep %d, %d callbacks were sent", sweep, sent)
			}
		}
		if sent, most := s.count(jobs); sent != 3000 || most > 2 {
			t.Errorf("%d jobs were sent, one of them %d times", sent, most)
		}
	})
}

// A sweep without a time limit ends before the next minute, too.
func TestSweepEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, start := newSweeping(t, 2*time.Second), time.Now()
		s.backlog(store.DueCallback, 10_000)
		if err := s.Run(t.Context()); err != nil || time.Since(start) > 46*time.Second {
			t.Errorf("it took %s, %v", time.Since(start), err)
		}
	})
}

// Messages that a queue refuses are logged and sent by the next sweep. A queue that fails is an error, and nothing is
// lost.
func TestSweepSendsAgainWhatWasRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSweeping(t, 0)
		jobs := s.backlog(store.DuePayment, 500)
		s.refuses = 2
		s.run()
		if sent, _ := s.count(jobs); sent == 0 || sent == 500 || !strings.Contains(s.log.String(), `"refused":2`) {
			t.Errorf("%d sent; log: %s", sent, s.log.String())
		}
		s.fails = errors.New("the queue can't be reached")
		if err := s.Run(t.Context()); !errors.Is(err, s.fails) {
			t.Errorf("the sweep returned %v", err)
		}
		s.fails, s.refuses = nil, 0
		s.run()
		if sent, most := s.count(jobs); sent != 500 || most != 2 {
			t.Errorf("%d sent, one of them %d times", sent, most)
		}
	})
}

// Several sweeps at once, which share the cursors: everything is sent, and no sweep fails.
func TestSweepsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSweeping(t, 2*time.Second)
		callbacks := s.backlog(store.DueCallback, 10_000)
		for range 2 {
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() { s.run() })
			}
			both.Wait()
		}
		if sent, most := s.count(callbacks); sent != 10_000 || most > 4 {
			t.Errorf("%d sent, one of them %d times", sent, most)
		}
	})
}
