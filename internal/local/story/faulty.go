package story

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/store"
	"checkout/internal/worker"
)

// MessageQueue has all queues.
type MessageQueue interface {
	payment.JobQueue
	worker.JobBatches
	callback.Queue
}

// lossyQueue records every message, and loses those that the function lose selects.
type lossyQueue struct {
	MessageQueue
	mu   sync.Mutex
	sent []string
	lose func(kind string) (fails, vanishes bool) // kind is job or callback
}

// loseAll, loseJobs and loseCallbacks are what a lossyQueue can lose; failAll makes it return errors instead.
func loseAll(string) (fails, vanishes bool) { return false, true }

func loseJobs(kind string) (fails, vanishes bool) { return false, kind == "job" }

func loseCallbacks(kind string) (fails, vanishes bool) { return false, kind == "callback" }

func failAll(string) (fails, vanishes bool) { return true, false }

func (q *lossyQueue) SendJob(ctx context.Context, m payment.JobMessage, delay time.Duration) error {
	return q.send("job", m, func() error { return q.MessageQueue.SendJob(ctx, m, delay) })
}

func (q *lossyQueue) SendCallback(ctx context.Context, m callback.Message, delay time.Duration) error {
	return q.send("callback", m, func() error { return q.MessageQueue.SendCallback(ctx, m, delay) })
}

func (q *lossyQueue) SendJobs(ctx context.Context, messages []payment.JobMessage) (refused int, err error) {
	for _, m := range messages {
		if q.SendJob(ctx, m, 0) != nil {
			refused++
		}
	}
	return refused, nil
}

func (q *lossyQueue) SendCallbacks(ctx context.Context, messages []callback.Message) (refused int, err error) {
	for _, m := range messages {
		if q.SendCallback(ctx, m, 0) != nil {
			refused++
		}
	}
	return refused, nil
}

func (q *lossyQueue) send(kind string, m any, send func() error) error {
	q.mu.Lock()
	q.sent = append(q.sent, fmt.Sprintf("%s %+v", kind, m))
	fails, vanishes := false, false
	if q.lose != nil {
		fails, vanishes = q.lose(kind)
	}
	q.mu.Unlock()
	switch {
	case fails:
		return fmt.Errorf("the %s queue can't be reached", kind)
	case vanishes:
		return nil
	}
	return send()
}

func (q *lossyQueue) messages() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return strings.Join(q.sent, "\n")
}

// faultyStore fails before or after a write, as next determines.
type faultyStore struct {
	store.Store
	mu     sync.Mutex
	faults []string
	rival  func(store.Key) bool // a save of these documents is always a conflict
	down   bool                 // every request fails
	first  func()               // called once, before the next save
	reads  int                  // number of read requests so far
	saves  int                  // number of saves so far
	fails  int                  // the number of the read that fails; 0: none
}

// errStore has a detail that no response may show.
var errStore = fmt.Errorf("the table detail-of-the-store does not respond")

// read counts a read request, and returns an error if it has to fail.
func (s *faultyStore) read() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	if s.down || s.reads == s.fails {
		return errStore
	}
	return nil
}

func (s *faultyStore) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	if err := s.read(); err != nil {
		return nil, err
	}
	return s.Store.Get(ctx, now, keys...)
}

func (s *faultyStore) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	if err := s.read(); err != nil {
		return nil, err
	}
	return s.Store.List(ctx, now, query)
}

func (s *faultyStore) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	s.mu.Lock()
	if first := s.first; first != nil {
		s.first = nil
		s.mu.Unlock()
		first()
		s.mu.Lock()
	}
	s.saves++
	fault := "ok"
	if s.down {
		fault = "before"
	}
	if len(s.faults) > 0 && !s.down && !strings.HasPrefix(records[0].Key.Partition, "circuit/") {
		fault, s.faults = s.faults[0], s.faults[1:]
	}
	s.mu.Unlock()
	switch fault {
	case "before":
		return errStore
	case "dies before":
		panic(errStore)
	}
	var conflict store.ConflictError
	for _, r := range records {
		if s.rival != nil && s.rival(r.Key) {
			conflict.Keys = append(conflict.Keys, r.Key)
		}
	}
	if len(conflict.Keys) > 0 {
		return &conflict
	}
	err := s.Store.Save(ctx, now, records...)
	switch fault {
	case "after":
		return errStore
	case "dies after":
		panic(errStore)
	}
	return err
}

// next determines how the next saves go, in order: "ok"; "before" or "after" for an error although nothing or
// everything was written; "dies before" or "dies after" for a function that ends at that moment. Those of circuit
// breakers do not count: a failure of one never fails a payment.
func (s *faultyStore) next(faults ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults
}

// overtakes calls do before the next save, after the reads that belong to that save.
func (s *faultyStore) overtakes(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.first = do
}

// panics is a store that panics instead of returning errors.
type panics struct{ store.Store }

func (panics) Get(context.Context, time.Time, ...store.Key) ([]store.Record, error) {
	panic(errStore)
}

func (panics) Save(context.Context, time.Time, ...store.Record) error { panic(errStore) }

// hurriedSender sends callbacks and gives up as soon as a shop that doesn't respond has received one, instead of
// waiting for the time limit.
type hurriedSender struct {
	callback.Sender
	mu      sync.Mutex
	waiting map[string]func() // by webhook-id
}

func (h *hurriedSender) Send(ctx context.Context, out callback.Outgoing) (int, error) {
	limit := &limitedContext{Context: ctx, over: make(chan struct{})}
	h.mu.Lock()
	h.waiting[out.Header["webhook-id"]] = sync.OnceFunc(func() { close(limit.over) })
	h.mu.Unlock()
	return h.Sender.Send(limit, out)
}

// giveUp ends the sending of a callback.
func (h *hurriedSender) giveUp(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waiting[id]()
}

// limitedContext is a context that ends when over is closed, as if its time was over.
type limitedContext struct {
	context.Context
	over chan struct{}
}

func (l *limitedContext) Done() <-chan struct{} { return l.over }

func (l *limitedContext) Err() error {
	select {
	case <-l.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
