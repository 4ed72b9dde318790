package callback

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/store"
)

// Five timeouts within five minutes open the circuit breaker of an address for fifteen (decisions.md 6).
const (
	timeoutsToOpen  = 5
	timeoutsWithin  = 5 * time.Minute
	openFor         = 15 * time.Minute
	breakerCacheTTL = 10 * time.Second // a change that another instance stored takes effect this late
)

// breaker is the circuit breaker of a notification_url that did not respond in time.
type breaker struct {
	Timeouts  []time.Time `json:"timeouts,omitempty"`
	OpenUntil time.Time   `json:"closed_until,omitzero"`
}

// openUntil returns until when the circuit breaker of an address is open. It may be seconds out of date.
func (s Outbox) openUntil(ctx context.Context, now time.Time, url string) (time.Time, error) {
	b, err := s.Breakers.cache.Get(url, now, breakerCacheTTL, func() (breaker, error) {
		b, _, err := s.readBreaker(ctx, now, url)
		return b, err
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("read address: %w", err)
	}
	return b.OpenUntil, nil
}

// BreakerCache caches circuit breakers for some seconds. The zero value is empty.
type BreakerCache struct{ cache store.Cache[breaker] }

func (s Outbox) readBreaker(ctx context.Context, now time.Time, url string) (b breaker, version int64, err error) {
	record, err := store.GetOne(ctx, s.Store, now, store.BreakerKey(url))
	if err != nil {
		return b, 0, err
	}
	return b, record.Version, record.Decode(&b)
}

// addTimeout counts a timeout of an address, and opens its circuit breaker at the fifth. It fails with ErrConflicts
// where so many requests time out at once that one timeout less does not matter.
func (s Outbox) addTimeout(ctx context.Context, now time.Time, url string) error {
	defer s.Breakers.cache.Forget(url)
	for range store.ConflictTries {
		b, version, err := s.readBreaker(ctx, now, url)
		if err != nil {
			return fmt.Errorf("read address: %w", err)
		}
		b.Timeouts = slices.DeleteFunc(b.Timeouts, func(t time.Time) bool { return now.Sub(t) >= timeoutsWithin })
		b.Timeouts = append(b.Timeouts, now)
		expires := now.Add(timeoutsWithin)
		if expires.Before(b.OpenUntil) { // the callback was sent before the breaker opened
			expires = b.OpenUntil
		}
		if len(b.Timeouts) >= timeoutsToOpen {
			b = breaker{OpenUntil: now.Add(openFor)}
			expires = b.OpenUntil
		}
		r := store.Encode(store.BreakerKey(url), version, b)
		r.ExpiresAt = expires
		err = s.Store.Save(ctx, now, r)
		if err == nil || !store.IsConflict(err) {
			return err
		}
	}
	return s.Conflicts(ctx, "count timeout", "")
}
