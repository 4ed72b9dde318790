package callback

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/metric"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Outbox sends stored callbacks. A function may leave those fields nil that it does not use.
type Outbox struct {
	metric.Meter
	Store    store.Store
	Queue    Queue
	Sender   Sender
	Accounts settings.Accounts
	Act      audit.Act // of the operator who has callbacks sent
	Breakers *BreakerCache

	// Release reports whether a callback may be sent now, and decides what becomes of one that is withheld.
	Release func(ctx context.Context, now time.Time, c *Callback) (ready bool, err error)
}

// delivery is a callback that is being sent to its merchant's notification_url.
type delivery struct {
	callback *Callback
	merchant *settings.Merchant
	url      string
	address  string  // as BreakerAddress names it
	slowly   bool    // its message came through the queue for slow addresses
	known    breaker // of the address, before
}

// Queue sends messages to the callback function. A message may arrive more than once, late, or (after a crash) not at
// all; then Sweep sends it again. A delay is at most MaxDelay.
type Queue interface {
	SendCallback(ctx context.Context, message Message, delay time.Duration) error

	// SendCallbacks sends at most ten messages of one queue in one request, without a delay. refused is how many of
	// them the queue did not accept.
	SendCallbacks(ctx context.Context, messages []Message) (refused int, err error)
}

// callbacksOf returns the callbacks of a payment in their order. It fails with CodeNotFound for an id that is none of
// ours.
func (s Outbox) callbacksOf(ctx context.Context, paymentID string) ([]*Callback, error) {
	query, err := store.CallbacksOf(paymentID)
	if err != nil {
		return nil, errNotFound()
	}
	all, err := decoded(s.Store.List(ctx, s.Now(), query))
	if err != nil {
		return nil, fmt.Errorf("list callbacks: %w", err)
	}
	slices.Reverse(all)
	return all, nil
}

func errNotFound() error {
	return fault.Refuse(fault.CodeNotFound, "Callback not found")
}

// decoded returns the callbacks of those documents that are stored.
func decoded(records []store.Record, err error) (all []*Callback, _ error) {
	for _, r := range records {
		c := &Callback{}
		if err := r.Decode(c); err != nil {
			return nil, err
		}
		if r.Version > 0 {
			all = append(all, c)
		}
	}
	return all, err
}
