package circuit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/store"
)

// View is a circuit breaker that is not closed, for people.
type View struct {
	State  State     `json:"state"`
	Since  time.Time `json:"since"`  // when it opened
	Until  time.Time `json:"until"`  // from then on a charge is sent as a probe
	Reason Reason    `json:"reason"` // of the latest failure
}

// view returns the circuit breaker for people, nil if it is closed.
func (b *breaker) view(now time.Time) *View {
	state := b.state(now)
	if state == Closed {
		return nil
	}
	return &View{state, b.Since.UTC(), b.OpenUntil.UTC(), b.Reason}
}

// Listed is a circuit breaker in a list.
type Listed struct {
	MID
	View
}

// List returns the circuit breakers of owners that are not closed.
func (c Circuits) List(ctx context.Context, owners ...string) ([]Listed, error) {
	now := c.Now()
	var all []Listed
	for part := range slices.Chunk(owners, 50) {
		var keys []store.Key
		for _, owner := range part {
			keys = append(keys, store.CircuitsKey(owner))
		}
		records, err := c.Store.Get(ctx, now, keys...)
		if err != nil {
			return nil, fmt.Errorf("read circuit breakers: %w", err)
		}
		for i, r := range records {
			var d document
			if err := r.Decode(&d); err != nil {
				return nil, err
			}
			for _, b := range d.Breakers {
				b.Owner = part[i]
				if view := b.view(now); view != nil {
					all = append(all, Listed{b.MID, *view})
				}
			}
		}
	}
	return all, nil
}

// Close closes the circuit breakers of a MID by hand, whatever its connector is, and returns how many were not closed.
// Where any was, it stores other records with that. Other instances know within seconds.
func (c Circuits) Close(ctx context.Context, by audit.Act, mid MID, others ...store.Record) (closed int, err error) {
	err = c.change(ctx, mid.Owner, func(d *document, now time.Time) bool {
		closed = 0
		for _, b := range slices.Clone(d.Breakers) {
			if b.Mapping == mid.Mapping && b.Name == mid.Name && b.state(now) != Closed {
				closed++
				d.remove(b.MID)
			}
		}
		what := "circuit/" + mid.Owner + "/" + mid.Mapping + "/" + mid.Name
		d.act, d.acted = by, audit.Change{What: what, Changes: []string{"is closed"}, Records: others}
		return closed > 0
	})
	return closed, err
}

// View returns a MID's circuit breaker for people, nil if it is closed. It may be seconds out of date.
func (c Circuits) View(ctx context.Context, now time.Time, mid MID) *View {
	return c.cached(ctx, now, mid.Owner).of(mid).view(now)
}
