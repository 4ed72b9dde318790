package story

import (
	"context"
	"sync/atomic"
)

// hangingContext is the context of a provider request that may get no response. It ends as soon as somebody waits for
// its end, or, if hold is set, when hold is closed.
type hangingContext struct {
	context.Context
	hold  chan struct{}
	ended atomic.Bool
}

func (h *hangingContext) Done() <-chan struct{} {
	h.ended.Store(true)
	if h.hold != nil {
		return h.hold
	}
	over := make(chan struct{})
	close(over)
	return over
}

func (h *hangingContext) Err() error {
	if h.ended.Load() {
		return context.DeadlineExceeded
	}
	return h.Context.Err()
}
