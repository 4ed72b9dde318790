package circuit

import (
	"context"
	"log/slog"
	"slices"
	"time"
)

// Requests to a MID whose provider responds slowly go through a queue of their own, in which slow providers delay each
// other only. What is known of a fast one counts for a day, so that ordinary payments write nothing.
const (
	// SlowAfter is after how long without a response a provider is slow.
	SlowAfter = 5 * time.Second

	slowFor = 5 * time.Minute // after the last slow response
	fastFor = 24 * time.Hour  // after the last fast one, as it is stored: again after the half of it
)

// speed is how fast the provider behind a MID responds.
type speed struct {
	MID
	FastUntil time.Time `json:"fast_until,omitzero"`
	SlowUntil time.Time `json:"slow_until,omitzero"`
	TriedTill time.Time `json:"tried_till,omitzero"` // end of the lease of the one request that finds out
}

// ends returns when nothing of the speed counts any more.
func (s *speed) ends() time.Time {
	return slices.MaxFunc([]time.Time{s.FastUntil, s.SlowUntil, s.TriedTill}, time.Time.Compare)
}

// speedOf returns what is known of a MID's speed, the zero value for nothing.
func (d document) speedOf(mid MID) speed {
	for _, s := range d.Speeds {
		if s.is(mid) {
			return *s
		}
	}
	return speed{MID: mid}
}

// setSpeed replaces what is known of a MID's speed.
func (d *document) setSpeed(s speed) {
	d.Speeds = slices.DeleteFunc(d.Speeds, func(old *speed) bool { return old.is(s.MID) })
	d.Speeds = append(d.Speeds, &s)
}

// Enter takes a place for a request to a MID, which the caller has to leave. ok is false where the request goes through
// the slow queue: the MID's circuit breaker is open, its provider is slow, or its owner has its share of the places in
// this process. As long as nothing is known of a provider, one request at a time finds out how fast it is, whose lease
// Enter acquires, so that not all that come at once can be stuck there.
func (c Circuits) Enter(ctx context.Context, mid MID, share int, lease time.Duration) (leave func(), ok bool) {
	leave, ok = c.Memory.running.Take(mid.Owner, share)
	if ok && c.apart(ctx, mid, lease) {
		leave()
		return nil, false
	}
	return leave, ok
}

// apart reports whether a request goes through the slow queue for what is known of its MID.
func (c Circuits) apart(ctx context.Context, mid MID, lease time.Duration) bool {
	now := c.Now()
	d := c.cached(ctx, now, mid.Owner)
	switch s := d.speedOf(mid); {
	case d.of(mid).state(now) != Closed, now.Before(s.SlowUntil), now.Before(s.TriedTill):
		return true
	case now.Before(s.FastUntil):
		return false
	}
	apart := true // another request has begun to find out, or that this one does could not be stored
	err := c.change(ctx, mid.Owner, func(d *document, now time.Time) (changed bool) {
		s := d.speedOf(mid)
		apart = now.Before(s.SlowUntil) || now.Before(s.TriedTill)
		if apart || now.Before(s.FastUntil) {
			return false
		}
		s.TriedTill = now.Add(lease)
		d.setSpeed(s)
		return true
	})
	return apart || err != nil
}

// Sending begins to measure how fast the provider behind a MID responds, until done is called, and stores it as far as
// it is not known. A request that went through the slow queue, apart, finds out only that the provider is slow.
func (c Circuits) Sending(ctx context.Context, mid MID, apart bool) (done func()) {
	ctx = context.WithoutCancel(ctx)
	sentAt := c.Now()
	return func() {
		switch soon := c.Now().Sub(sentAt) < SlowAfter; {
		case !soon:
			c.isSlow(ctx, mid)
		case !apart:
			c.isFast(ctx, mid)
		}
	}
}

// isSlow stores that a provider is slow, unless that is known for a while.
func (c Circuits) isSlow(ctx context.Context, mid MID) {
	stored := c.changeSpeed(ctx, mid, func(s *speed, now time.Time) bool {
		if now.Add(slowFor / 2).Before(s.SlowUntil) {
			return false
		}
		*s = speed{MID: mid, SlowUntil: now.Add(slowFor)}
		return true
	})
	if stored {
		c.Log.LogAttrs(ctx, slog.LevelInfo, "a provider is slow", mid.attrs()...)
	}
}

// isFast stores that a provider responds soon, unless that is known for a while or it was slow just now.
func (c Circuits) isFast(ctx context.Context, mid MID) {
	c.changeSpeed(ctx, mid, func(s *speed, now time.Time) bool {
		if now.Before(s.SlowUntil) || now.Add(fastFor/2).Before(s.FastUntil) {
			return false
		}
		*s = speed{MID: mid, FastUntil: now.Add(fastFor)}
		return true
	})
}

// changeSpeed stores what was found out about a MID's speed, if that is new by what this process knows, and by the
// table. A failure is logged, and only makes later requests wait a little.
func (c Circuits) changeSpeed(ctx context.Context, mid MID, change func(*speed, time.Time) bool) (stored bool) {
	now := c.Now()
	known := c.cached(ctx, now, mid.Owner).speedOf(mid)
	if !change(&known, now) {
		return false
	}
	err := c.change(ctx, mid.Owner, func(d *document, now time.Time) bool {
		s := d.speedOf(mid)
		if stored = change(&s, now); stored {
			d.setSpeed(s)
		}
		return stored
	})
	return stored && err == nil
}
