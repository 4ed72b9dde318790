package callback

import (
	"context"
	"errors"
	"time"

	"checkout/internal/store"
)

// The callbacks to a slow address go through a queue of their own, in which slow addresses delay each other only.
const (
	// SlowAfter is after how long without a response a Sender reports that an address is slow.
	SlowAfter = 2 * time.Second

	slowFor   = 30 * time.Minute       // after the last slow response
	fastFor   = 5 * time.Minute        // after the last fast one, within which many may be sent at once
	probeFor  = leaseTTL               // the most that a try takes
	crowded   = 50                     // callbacks that one process sends to one address at once, outside the slow queue
	crowdWait = 250 * time.Millisecond // for the outcome of those that are being sent; SQS makes a second of it
	slowGrace = MaxDelay               // after which the sweep sends a callback again that waits in the slow queue
)

// lane is how a callback is sent to an address.
type lane int

const (
	sendNow   lane = iota
	sendApart      // through the queue for slow addresses
	sendLater      // when it is known how fast the address is, or fewer are being sent to it
)

// laneOf decides how a callback is sent to its address. As long as nothing is known of an address, one callback at a
// time finds out how fast it is, so that not all that are due at once can be stuck there.
func (s Outbox) laneOf(ctx context.Context, now time.Time, d delivery) (lane, error) {
	switch b := d.known; {
	case d.apart():
		return sendNow, nil
	case now.Before(b.SlowUntil):
		return sendApart, nil
	case s.Breakers.running.Taken(d.address) >= crowded, now.Before(b.ProbeUntil):
		return sendLater, nil
	case now.Before(b.FastUntil):
		return sendNow, nil
	}
	chosen := sendLater
	err := s.changeBreaker(ctx, now, d, func(b *breaker) bool {
		if now.Before(b.ProbeUntil) || now.Before(b.SlowUntil) {
			chosen = sendLater // another one finds out, or has done so before this one could store that it begins
			return false
		}
		chosen, b.ProbeUntil = sendNow, now.Add(probeFor)
		return true
	})
	if errors.Is(err, store.ErrConflicts) {
		return sendLater, nil
	}
	return chosen, err
}

// isSlow stores that an address is slow, before it has responded.
func (s Outbox) isSlow(ctx context.Context, d delivery) {
	now := s.Now()
	s.storeSpeed(ctx, now, d, func(b *breaker) bool {
		if now.Add(slowFor / 2).Before(b.SlowUntil) {
			return false
		}
		s.Log.InfoContext(ctx, "an address for callbacks is slow", "merchant", d.callback.Merchant)
		b.SlowUntil, b.FastUntil, b.ProbeUntil = now.Add(slowFor), time.Time{}, time.Time{}
		return true
	})
}

// isFast stores that an address has responded soon, unless that is known for a while.
func (s Outbox) isFast(ctx context.Context, now time.Time, d delivery) {
	known := func(b *breaker) bool { return now.Before(b.SlowUntil) || now.Add(fastFor/2).Before(b.FastUntil) }
	if known(&d.known) {
		return
	}
	s.storeSpeed(ctx, now, d, func(b *breaker) bool {
		if known(b) {
			return false
		}
		b.FastUntil, b.ProbeUntil = now.Add(fastFor), time.Time{}
		return true
	})
}

// storeSpeed stores what was found out about an address. A failure only makes later callbacks wait a little.
func (s Outbox) storeSpeed(ctx context.Context, now time.Time, d delivery, change func(*breaker) bool) {
	if err := s.changeBreaker(context.WithoutCancel(ctx), now, d, change); err != nil {
		s.Log.WarnContext(ctx, "speed of an address not stored", "error", err)
	}
}

// moveToSlow sends a callback's message to the queue for slow addresses. The callback is due later, so that the sweep
// does not send it once more while it waits there.
func (s Outbox) moveToSlow(ctx context.Context, now time.Time, c *Callback, message Message) error {
	err := s.Save(ctx, now, c, now.Add(slowGrace))
	if store.IsConflict(err) {
		return nil // another message has moved or sent it
	}
	if err != nil {
		return err
	}
	message.Slow = true
	return s.Queue.SendCallback(ctx, message, 0)
}

// apart reports whether a delivery takes no place of those to other addresses.
func (d delivery) apart() bool { return d.slowly || d.callback.Test }
