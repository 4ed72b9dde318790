package provider

import (
	"context"
	"sync"
	"time"

	"checkout/internal/connector"
)

// Anybody who knows the address of a notice that isn't signed can have a payment looked up. So a request is looked up
// at most hintLimit times in hintPeriod. Each instance of a function counts for itself, in memory.
const (
	hintLimit  = 5
	hintPeriod = 10 * time.Second
	maxHinted  = 10_000 // requests that are counted at the same time
)

// Hints reads notices that are not signed, of which only the address is believed.
type Hints struct {
	now func() time.Time

	mu    sync.Mutex
	since time.Time      // when the counts began
	taken map[string]int // by reference
}

// NewHints makes one with a clock.
func NewHints(now func() time.Time) *Hints { return &Hints{now: now} }

// Notice reads a notice whose address NoticeURL has made, and whose body is no proof of anything, so that what has
// become of the request is looked up. Errors: connector.ErrNotAuthentic; connector.ErrTooManyNotices.
func (h *Hints) Notice(
	ctx context.Context, n connector.Notification,
	lookUp func(context.Context, connector.ProviderRequest) (connector.Result, error),
) (connector.Notice, error) {
	about, err := NoticeRequest(n, n.Credentials["secret"])
	if err != nil {
		return connector.Notice{}, err
	}
	if !h.take(about.Reference) {
		return connector.Notice{}, connector.ErrTooManyNotices
	}
	result, err := lookUp(ctx, about)
	if connector.ApprovesOther(err) {
		return NoticeOf(about, connector.Result{}).Telling(result, err)
	}
	if err != nil || result.Outcome == connector.OutcomeUnknown {
		return connector.Notice{}, err
	}
	return NoticeOf(about, result), nil
}

// take counts a notice about a request, and reports whether it is looked up.
func (h *Hints) take(reference string) bool {
	now := h.now()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.taken == nil || now.Sub(h.since).Abs() >= hintPeriod || len(h.taken) >= maxHinted {
		h.since, h.taken = now, map[string]int{}
	}
	if h.taken[reference] >= hintLimit {
		return false
	}
	h.taken[reference]++
	return true
}
