package story

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/app"
	"checkout/internal/callback"
	"checkout/internal/card/vault"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/worker"
)

// backlog stores n due documents of one kind, a millisecond apart, the last one due at end. It returns their payments'
// ids in this order.
func backlog(t *testing.T, docs store.Store, kind store.DueKind, n int, end time.Time) (ids []string) {
	t.Helper()
	records := make([]store.Record, n)
	for i := range records {
		sort := fmt.Sprintf("o/a%015x/payment", i)
		if kind == store.DueCallback {
			sort = fmt.Sprintf("callback/b%015x/000001", i)
		}
		records[i] = store.Record{
			Key: store.Key{Partition: fmt.Sprintf("order/%015x", i), Sort: sort}, Doc: []byte(`{}`),
			DueKind: kind, DueAt: end.Add(time.Duration(i+1-n) * time.Millisecond),
		}
		hash, tail := fmt.Sprintf("%015x", i), sort[strings.Index(sort, "/")+1:][:16]
		ids = append(ids, hash[:8]+"-"+hash[8:12]+"-8"+hash[12:]+"-"+tail[:4]+"-"+tail[4:])
	}
	for some := range slices.Chunk(records, 100) {
		if err := docs.Save(t.Context(), end, some...); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// Thousands of callbacks to an address that doesn't respond are due, and another shop's payment job was lost. The next
// sweep sends the job before any callback.
func TestBacklogDelaysNoPayment(t *testing.T) {
	const callbacks = 5_000
	w := open(t)
	w.goesLive(w.bank)
	w.queue.lose = loseAll
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/38"))
	w.skip(5 * time.Minute)
	backlog(t, w.app.Store, store.DueCallback, callbacks, w.clock.Now())
	w.queue.sent = nil
	w.queue.lose = loseCallbacks
	w.sweep()
	if !strings.HasPrefix(w.queue.sent[0], "job {PaymentID:"+payer.paymentID()) || len(w.queue.sent) != callbacks+1 {
		t.Errorf("%d messages, the first is %s", len(w.queue.sent), w.queue.sent[0])
	}
	w.work()
	payer.is("settled")
}

// slowQueue counts what a sweep sends. Each batch takes a time.
type slowQueue struct {
	MessageQueue
	takes   time.Duration
	refuses int // of each batch, the first messages
	fails   error
	mu      sync.Mutex
	sent    map[string]int // by payment
	most    int            // of one batch
}

func (q *slowQueue) SendJobs(_ context.Context, messages []payment.JobMessage) (int, error) {
	return sendSlowly(q, messages, func(m payment.JobMessage) string { return m.PaymentID })
}

func (q *slowQueue) SendCallbacks(_ context.Context, messages []callback.Message) (int, error) {
	return sendSlowly(q, messages, func(m callback.Message) string { return m.PaymentID })
}

func sendSlowly[M any](q *slowQueue, messages []M, id func(M) string) (int, error) {
	time.Sleep(q.takes)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fails != nil {
		return 0, q.fails
	}
	q.most = max(q.most, len(messages))
	for _, m := range messages[min(q.refuses, len(messages)):] {
		q.sent[id(m)]++
	}
	return min(q.refuses, len(messages)), nil
}

// count returns how many of the payments were sent, and how often the one that was sent most.
func (q *slowQueue) count(ids []string) (sent, most int) {
	for _, id := range ids {
		if q.sent[id] > 0 {
			sent++
		}
		most = max(most, q.sent[id])
	}
	return sent, most
}

// swept is a sweeper with its store.
type swept struct {
	*worker.Sweeper
	store.Store
}

// sweeping returns a service that only sweeps, for a test with synthetic time.
func sweeping(t *testing.T, takes time.Duration) (swept, *slowQueue, *Journal) {
	t.Helper()
	queue, log := &slowQueue{takes: takes, sent: map[string]int{}}, &Journal{}
	local, err := vault.NewLocal(rand.Reader, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	core := &checkout.Core{Store: memory.NewStore(), Now: time.Now, Log: app.Logger(log)}
	return swept{worker.NewSweeper(core, queue, queue, local), core.Store}, queue, log
}

// sweepFor sweeps with a function's time limit and returns how long it took.
func sweepFor(t *testing.T, s swept, limit time.Duration) time.Duration {
	t.Helper()
	start := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	return time.Since(start)
}

// The queue takes two seconds for a batch of 10. With 32 shards at once these are 160 messages a second: 7,200 in the
// 45 seconds of a sweep, and 25,000 in four sweeps. The last callback is sent by the fourth sweep, no callback is
// sent twice before that, and the due payment is sent by every sweep.
func TestBacklogIsSentByFourSweeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 50 * time.Second
		s, queue, log := sweeping(t, 2*time.Second)
		start := time.Now()
		dead := backlog(t, s.Store, store.DueCallback, 25_000, start)
		job := backlog(t, s.Store, store.DuePayment, 1, start)
		healthy := dead[len(dead)-1:]
		for sweep := 1; sweep <= 4; sweep++ {
			if took := sweepFor(t, s, limit); took > limit-4*time.Second {
				t.Errorf("sweep %d took %s", sweep, took)
			}
			sent, most := queue.count(dead)
			if want := min(25_000, sweep*7_000); sent < want || most > 1 && sweep < 4 {
				t.Errorf("after sweep %d, %d were sent, one of them %d times; want at least %d",
					sweep, sent, most, want)
			}
			if queue.sent[job[0]] != sweep {
				t.Errorf("after sweep %d, the payment's job was sent %d times", sweep, queue.sent[job[0]])
			}
			time.Sleep(time.Until(start.Add(time.Duration(sweep) * time.Minute)))
		}
		if queue.sent[healthy[0]] == 0 || queue.most != 10 {
			t.Errorf("the healthy callback was not sent; batches had %d messages at most", queue.most)
		}
		for _, age := range []string{
			`"kind":"callback","sent":7`, `"due_age":26999,`, `"due_age":206999,`,
			`"kind":"chain","sent":0,"due_age":0,`,
		} {
			if !strings.Contains(log.String(), age) {
				t.Errorf("the log misses %s:\n%s", age, log.String())
			}
		}
	})
}

// More due payments than a sweep can send leave time for callbacks. The next sweep goes on with the next payments.
func TestNoKindTakesTheWholeSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, queue, _ := sweeping(t, 5*time.Second)
		jobs := backlog(t, s.Store, store.DuePayment, 3000, time.Now())
		callbacks := backlog(t, s.Store, store.DueCallback, 300, time.Now())
		for sweep := 1; sweep <= 3; sweep++ {
			sweepFor(t, s, 50*time.Second)
			if sent, _ := queue.count(callbacks); sent != 300 {
				t.Errorf("after sweep %d, %d callbacks were sent", sweep, sent)
			}
		}
		if sent, most := queue.count(jobs); sent != 3000 || most > 2 {
			t.Errorf("%d jobs were sent, one of them %d times", sent, most)
		}
	})
}

// A sweep without a time limit ends before the next minute, too.
func TestSweepEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, _ := sweeping(t, 2*time.Second)
		backlog(t, s.Store, store.DueCallback, 10_000, time.Now())
		start := time.Now()
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 46*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// Messages that a queue rejects are logged and sent by the next sweep. A queue that fails is an error, and nothing is
// lost.
func TestSweepSendsAgainWhatWasRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, queue, log := sweeping(t, 0)
		jobs := backlog(t, s.Store, store.DuePayment, 500, time.Now())
		queue.refuses = 2
		sweepFor(t, s, time.Minute)
		if sent, _ := queue.count(jobs); sent == 0 || sent == 500 || !strings.Contains(log.String(), `"refused":2`) {
			t.Errorf("%d sent; log: %s", sent, log)
		}
		queue.fails = errors.New("the queue can't be reached")
		if err := s.Sweep(t.Context()); !errors.Is(err, queue.fails) {
			t.Errorf("the sweep returned %v", err)
		}
		queue.fails, queue.refuses = nil, 0
		sweepFor(t, s, time.Minute)
		if sent, most := queue.count(jobs); sent != 500 || most != 2 {
			t.Errorf("%d sent, one of them %d times", sent, most)
		}
	})
}

// Several sweeps at once, which share the cursors: everything is sent, and no sweep fails.
func TestSweepsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, queue, _ := sweeping(t, 2*time.Second)
		callbacks := backlog(t, s.Store, store.DueCallback, 10_000, time.Now())
		for range 2 {
			together(2, func(int) {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
				defer cancel()
				if err := s.Sweep(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		if sent, most := queue.count(callbacks); sent != 10_000 || most > 4 {
			t.Errorf("%d sent, one of them %d times", sent, most)
		}
	})
}
