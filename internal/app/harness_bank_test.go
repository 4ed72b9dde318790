package app_test

import (
	"context"
	"sync"
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
}

// onItsWay is longer than a function that asks can live.
const onItsWay = 90 * time.Second

func (w *watched) Charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	w.mu.Lock()
	at, again := w.asked[c.Reference]
	w.asked[c.Reference] = w.Now()
	w.mu.Unlock()
	if again {
		w.t.Errorf("the sandbox is asked for the money of %s again, %s after the first question", c.Reference, w.Now().Sub(at))
	}
	return w.Sandbox.Charge(ctx, c)
}

func (w *watched) Lookup(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	result, err := w.Sandbox.Lookup(ctx, c)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lookups++
	if err == nil && result.Outcome == checkout.OutcomeUnknown && w.Now().Sub(w.asked[c.Reference]) >= onItsWay {
		delete(w.asked, c.Reference)
	}
	return result, err
}
