package callback

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/store"
)

// Five timeouts within five minutes close an address for fifteen (decisions.md 6).
const (
	timeoutsToClose = 5
	timeoutsWithin  = 5 * time.Minute
	closedFor       = 15 * time.Minute
	receiverCache   = 10 * time.Second // how late an instance learns what another one stored
)

// receiver is what is remembered of a notification_url that did not answer in time.
type receiver struct {
	Timeouts    []time.Time `json:"timeouts,omitempty"`
	ClosedUntil time.Time   `json:"closed_until,omitzero"`
}

// closedUntil answers until when an address is closed. It may be seconds late to learn it.
func (s Outbox) closedUntil(ctx context.Context, now time.Time, url string) (time.Time, error) {
	a, err := s.Receivers.cache.Get(url, now, receiverCache, func() (receiver, error) {
		a, _, err := s.readReceiver(ctx, now, url)
		return a, err
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("read address: %w", err)
	}
	return a.ClosedUntil, nil
}

// ReceiverCache remembers receivers for a while. The zero value is empty.
type ReceiverCache struct{ cache store.Cache[receiver] }

func (s Outbox) readReceiver(ctx context.Context, now time.Time, url string) (a receiver, version int64, err error) {
	record, err := store.GetOne(ctx, s.Store, now, store.BreakerKey(url))
	if err != nil {
		return a, 0, err
	}
	return a, record.Version, record.Decode(&a)
}

// addTimeout counts a timeout of an address and closes it after the fifth.
// Errors: ErrConflicts, where so many time out at once that one less does not matter.
func (s Outbox) addTimeout(ctx context.Context, now time.Time, url string) error {
	defer s.Receivers.cache.Forget(url)
	for range store.ConflictTries {
		a, version, err := s.readReceiver(ctx, now, url)
		if err != nil {
			return fmt.Errorf("read address: %w", err)
		}
		a.Timeouts = slices.DeleteFunc(a.Timeouts, func(t time.Time) bool { return now.Sub(t) >= timeoutsWithin })
		a.Timeouts = append(a.Timeouts, now)
		expires := now.Add(timeoutsWithin)
		if expires.Before(a.ClosedUntil) { // a callback that was on its way when the address was closed
			expires = a.ClosedUntil
		}
		if len(a.Timeouts) >= timeoutsToClose {
			a = receiver{ClosedUntil: now.Add(closedFor)}
			expires = a.ClosedUntil
		}
		r := store.Encode(store.BreakerKey(url), version, a)
		r.ExpiresAt = expires
		err = s.Store.Save(ctx, now, r)
		if err == nil || !store.IsConflict(err) {
			return err
		}
	}
	return s.Conflicts(ctx, "count timeout", "")
}
