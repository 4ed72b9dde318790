package story

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/connector"
)

// watched is the sandbox, and fails the story if it is asked for the same money
// twice: a second question needs a look-up that found nothing, at a time when
// the first one can't be on its way any more.
type watched struct {
	*connector.Sandbox
	t tester

	mu      sync.Mutex
	asked   map[string]time.Time // by reference: the question that may still be carried out
	lookups int
	hold    chan struct{} // until it is closed, questions without an answer stay open

	charging func() // is called when a charge arrives
}

// onItsWay is longer than a function that asks can live.
const onItsWay = 40 * time.Second

func (w *watched) Charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	w.asks(c.Reference)
	if w.charging != nil {
		w.charging()
	}
	return w.Sandbox.Charge(&hanging{Context: ctx, hold: w.hold}, c)
}

func (w *watched) Capture(ctx context.Context, q checkout.Question) (checkout.Result, error) {
	w.asks(q.Reference)
	return w.Sandbox.Capture(&hanging{Context: ctx, hold: w.hold}, q)
}

func (w *watched) Void(ctx context.Context, q checkout.Question) (checkout.Result, error) {
	w.asks(q.Reference)
	return w.Sandbox.Void(&hanging{Context: ctx, hold: w.hold}, q)
}

func (w *watched) Refund(ctx context.Context, q checkout.Question) (checkout.Result, error) {
	w.asks(q.Reference)
	return w.Sandbox.Refund(&hanging{Context: ctx, hold: w.hold}, q)
}

// asks notes a question.
func (w *watched) asks(reference string) {
	w.mu.Lock()
	at, again := w.asked[reference]
	w.asked[reference] = w.Now()
	w.mu.Unlock()
	if again {
		w.t.Errorf("the sandbox is asked about %s again, %s after the first question", reference, w.Now().Sub(at))
	}
}

// hanging is a context for a question that may never be answered. Whoever waits
// for its end has nothing else left to do, so that is at once, or when hold is closed.
type hanging struct {
	context.Context
	hold  chan struct{}
	ended atomic.Bool
}

func (h *hanging) Done() <-chan struct{} {
	h.ended.Store(true)
	if h.hold != nil {
		return h.hold
	}
	over := make(chan struct{})
	close(over)
	return over
}

func (h *hanging) Err() error {
	if h.ended.Load() {
		return context.DeadlineExceeded
	}
	return h.Context.Err()
}

// hurried sends callbacks and gives up as soon as a shop that never answers has
// got one: what a time limit does, without the time.
type hurried struct {
	checkout.Sender
	mu      sync.Mutex
	waiting map[string]func() // by webhook-id
}

func (h *hurried) Send(ctx context.Context, out checkout.Outgoing) (int, error) {
	limit := &limited{Context: ctx, over: make(chan struct{})}
	h.mu.Lock()
	h.waiting[out.Header["webhook-id"]] = sync.OnceFunc(func() { close(limit.over) })
	h.mu.Unlock()
	return h.Sender.Send(limit, out)
}

// giveUp ends the sending of a callback.
func (h *hurried) giveUp(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waiting[id]()
}

// limited is a context whose time is over when a story says so.
type limited struct {
	context.Context
	over chan struct{}
}

func (l *limited) Done() <-chan struct{} { return l.over }

func (l *limited) Err() error {
	select {
	case <-l.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func (w *watched) Lookup(ctx context.Context, c checkout.Question) (checkout.Result, error) {
	result, err := w.Sandbox.Lookup(ctx, c)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lookups++
	if err == nil && result.Outcome == checkout.OutcomeUnknown && w.Now().Sub(w.asked[c.Reference]) >= onItsWay {
		delete(w.asked, c.Reference)
	}
	return result, err
}
