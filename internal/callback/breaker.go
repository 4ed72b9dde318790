package callback

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/routing/circuit"
	"checkout/internal/store"
)

// breakerCacheTTL is how late a change that another instance stored takes effect.
const breakerCacheTTL = 10 * time.Second

// breaker returns the circuit breaker of the address of a callback. It may be seconds out of date, but where it is to
// be found out how fast the address is.
func (s Outbox) breaker(ctx context.Context, now time.Time, c *Callback, address string) (breaker, error) {
	b, err := s.Breakers.cache.Get(address, now, breakerCacheTTL, func() (breaker, error) {
		b, _, err := s.readBreaker(ctx, now, address)
		return b, err
	})
	if err != nil {
		return b, fmt.Errorf("read address: %w", err)
	}
	if !c.Test && !now.Before(b.OpenUntil) && !now.Before(b.SlowUntil) && !now.Before(b.FastUntil) {
		s.Breakers.cache.Forget(address)
	}
	return b, nil
}

// AddressStates returns how addresses do, each named as BreakerAddress does.
func (s Outbox) AddressStates(ctx context.Context, addresses []string) ([]AddressState, error) {
	keys, states, now := make([]store.Key, len(addresses)), make([]AddressState, len(addresses)), s.Now()
	for i, address := range addresses {
		keys[i] = store.BreakerKey(address)
	}
	if len(keys) == 0 {
		return nil, nil
	}
	records, err := s.Store.Get(ctx, now, keys...)
	if err != nil {
		return nil, fmt.Errorf("read addresses: %w", err)
	}
	for i, r := range records {
		var b breaker
		if err := r.Decode(&b); err != nil {
			return nil, err
		}
		if now.Before(b.OpenUntil) {
			states[i].OpenUntil = b.OpenUntil
		}
		states[i].Slow = now.Before(b.SlowUntil)
	}
	return states, nil
}

func (s Outbox) readBreaker(ctx context.Context, now time.Time, address string) (b breaker, version int64, err error) {
	record, err := store.GetOne(ctx, s.Store, now, store.BreakerKey(address))
	if err != nil {
		return b, 0, err
	}
	return b, record.Version, record.Decode(&b)
}

// changeBreaker changes the circuit breaker of an address, unless change returns false. It fails with ErrConflicts
// where many do so at once.
func (s Outbox) changeBreaker(
	ctx context.Context, now time.Time, d delivery, change func(*breaker) (changed bool),
) error {
	s.Breakers.cache.Forget(d.address)
	var b breaker
	changed := false
	update := store.Update{Doing: "store address", Store: s.Store, Now: func() time.Time { return now }}
	err := update.Do(ctx, func(now time.Time) ([]store.Record, error) {
		stored, version, err := s.readBreaker(ctx, now, d.address)
		if b = stored; err != nil {
			return nil, fmt.Errorf("read address: %w", err)
		}
		if changed = change(&b); !changed {
			return nil, nil
		}
		return []store.Record{b.record(now, d.address, version)}, nil
	})
	switch {
	case errors.Is(err, store.ErrConflicts):
		return s.Conflicts(ctx, d.callback.Test, "change address", "")
	case err == nil && changed:
		s.Breakers.cache.Put(d.address, b, now.Add(breakerCacheTTL))
	}
	return err
}

// addTimeout counts a timeout of an address, and opens its circuit breaker at the fifth. Where so many requests time
// out at once that it fails with ErrConflicts, one timeout less does not matter.
func (s Outbox) addTimeout(ctx context.Context, now time.Time, d delivery) error {
	return s.changeBreaker(ctx, now, d, func(b *breaker) bool {
		of := b.breaker()
		_, changed := of.Fail(ofAddresses, now, circuit.Failure{SentAt: now, At: now, Reason: circuit.TimedOut})
		b.Timeouts, b.OpenUntil = of.Failures, of.OpenUntil
		return changed
	})
}

// Close closes the circuit breakers of an owner's addresses, and forgets that they were slow. Callbacks flow again at
// their next times. closed is false if nothing was to be closed. Other records are stored with that.
func (s Outbox) Close(
	ctx context.Context, o fault.Owner, urls []string, others ...store.Record,
) (closed bool, err error) {
	update := store.Update{Doing: "store addresses", Store: s.Store, Now: s.Now, Final: func(conflict error) bool {
		return slices.ContainsFunc(others, func(r store.Record) bool { return store.ConflictOn(conflict, r.Key) })
	}}
	err = update.Do(ctx, func(now time.Time) ([]store.Record, error) {
		records, lines := slices.Clone(others), []string(nil)
		for _, url := range urls {
			address := BreakerAddress(o, url)
			b, version, err := s.readBreaker(ctx, now, address)
			if err != nil {
				return nil, fmt.Errorf("read address: %w", err)
			}
			if !now.Before(b.OpenUntil) && !now.Before(b.SlowUntil) && len(b.Timeouts) == 0 {
				continue
			}
			b = breaker{FastUntil: b.FastUntil, ProbeUntil: b.ProbeUntil}
			records = append(records, b.record(now, address, version))
			lines = append(lines, "its circuit breaker is closed: "+ShownURL(url))
		}
		if closed = len(lines) > 0; !closed {
			return nil, nil
		}
		return append(records, s.Act.Records(now, "address/"+o.Text(), lines...)...), nil
	})
	return closed && err == nil, err
}
