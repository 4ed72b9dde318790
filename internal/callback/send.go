package callback

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"time"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// retryDelays are the delays after each failed try of a callback. After the last one it is parked (protocol.md,
// Delivery).
var retryDelays = []time.Duration{
	time.Minute, 5 * time.Minute, 15 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// predecessorDelay is how long a callback waits when an earlier one of its payment is just being sent.
const predecessorDelay = 3 * time.Second

// Send sends the callback's message to its queue. nil has none. A failure is only logged: the callback is stored and
// due, so Sweep sends the message again.
func (c *Callback) Send(ctx context.Context, log *slog.Logger, queue Queue, delay time.Duration) {
	if c == nil || c.State != Waiting || c.SessionID != "" {
		return
	}
	if err := queue.SendCallback(ctx, c.message(), delay); err != nil {
		log.WarnContext(ctx, "callback not sent, left to sweep", "payment", c.PaymentID, "error", err)
	}
}

// Deliver delivers the callback that the message names and the later waiting callbacks of its payment, in order. A
// callback is never sent before an earlier one that is neither delivered nor parked. After an error the message should
// be delivered again.
func (s Outbox) Deliver(ctx context.Context, message Message) error {
	all, err := s.callbacksOf(ctx, message.PaymentID)
	if err != nil {
		return err
	}
	waiting := slices.DeleteFunc(all, func(c *Callback) bool { return c.State != Waiting })
	for i, c := range waiting {
		now := s.Now()
		withheld := c.SessionID != ""
		ready, err := s.Release(ctx, now, c)
		switch {
		case err != nil:
			return err
		case c.State == Dropped:
			continue
		case !ready:
			return nil
		}
		if i == 0 && c.Seq != message.Seq && !withheld { // one that was withheld has no message of its own
			return s.waitForPredecessor(ctx, waiting, message)
		}
		if i == 0 && c.NextAt.Sub(now) > clocksDiffer {
			return nil // the repeat is not due yet; its own message or Sweep sends it
		}
		finished, err := s.deliverOne(fault.WithCause(ctx, cmp.Or(c.Cause, message.Cause)), c, message)
		if err != nil || !finished {
			return err
		}
	}
	return nil
}

// clocksDiffer is by how much this function's clock may be behind that of the one which has stored when a callback is
// due. The message comes in time by the queue's clock, and is the only one before the next sweep.
const clocksDiffer = 5 * time.Second

// waitForPredecessor delays a message whose callback is not the first that waits. If the first one is just being sent,
// the message is sent again after a short time. If the first one waits for its repeat, the callback becomes due at the
// same time, and whoever delivers the first one delivers it as well.
func (s Outbox) waitForPredecessor(ctx context.Context, waiting []*Callback, message Message) error {
	now, first := s.Now(), waiting[0]
	i := slices.IndexFunc(waiting, func(c *Callback) bool { return c.Seq == message.Seq })
	if i < 0 {
		return nil // delivered or parked meanwhile
	}
	if first.NextAt.Sub(now) <= leaseTTL {
		return s.Queue.SendCallback(ctx, message, predecessorDelay)
	}
	c := waiting[i]
	c.NextAt = first.NextAt
	err := s.Store.Save(ctx, now, c.Record(first.NextAt.Add(callbackGrace)))
	if err != nil && !store.IsConflict(err) {
		return fmt.Errorf("store waiting callback: %w", err)
	}
	return nil
}

// deliverOne sends one callback and stores the result. finished reports that the next one may be sent. To an address
// with an open circuit breaker it sends only what an operator chose by itself, once.
func (s Outbox) deliverOne(ctx context.Context, c *Callback, message Message) (finished bool, err error) {
	now := s.Now()
	m, err := s.Accounts.ByID(ctx, c.Merchant, now)
	if err != nil {
		return false, err
	}
	url := c.Address(m)
	if url == "" {
		c.addTry(Try{At: now, Error: "the merchant has no notification_url"})
		if c.State = Delivered; !c.Redelivery {
			c.State = Parked
			s.reportParked(ctx, c)
		}
		return true, s.Save(ctx, now, c, now)
	}
	address := BreakerAddress(c.Owner, url)
	b, err := s.breaker(ctx, now, c, address)
	if err != nil {
		return false, err
	}
	again := c.message()
	again.Single = message.Single && c.AwaitsOperator()
	if now.Before(b.OpenUntil) && !again.Single {
		c.NextAt = b.OpenUntil
		return false, s.Save(ctx, now, c, b.OpenUntil)
	}
	d := delivery{c, m, url, address, message.Slow, b}
	switch lane, err := s.laneOf(ctx, now, d); {
	case err != nil:
		return false, err
	case lane == sendLater:
		return false, s.Queue.SendCallback(ctx, again, crowdWait)
	case lane == sendApart:
		return false, s.moveToSlow(ctx, now, c, again)
	}
	if acquired, err := s.acquireLease(ctx, now, c); !acquired {
		return false, err
	}
	try, sendErr := s.post(ctx, d)
	return s.storeTry(ctx, d, try, sendErr)
}

// acquireLease keeps a callback from being sent twice at the same time: by the handler of its message, and by that of
// an earlier callback. The first callback of a payment has no earlier one and needs no lease, so an ordinary payment
// costs no additional write; one that an operator had sent may have two messages under way, and needs it. A callback
// that is due after the end of the lease keeps its due time, because a change would cost two writes to the index.
func (s Outbox) acquireLease(ctx context.Context, now time.Time, c *Callback) (acquired bool, err error) {
	if c.Seq == 1 && c.SentAgainAt.IsZero() {
		return true, nil
	}
	c.NextAt = now.Add(leaseTTL)
	due := c.dueAt
	if due.Before(c.NextAt) {
		due = c.NextAt.Add(callbackGrace)
	}
	err = s.Save(ctx, now, c, due)
	if store.IsConflict(err) {
		return false, nil // another handler sends it
	}
	return err == nil, err
}

// post encodes and signs the callback and sends it once.
func (s Outbox) post(ctx context.Context, d delivery) (try Try, err error) {
	now, c := s.Now(), d.callback
	out, err := c.outgoing(d.merchant, now, d.merchant.CallbacksAreJSON(c.Mapping))
	if err != nil {
		return try, err
	}
	out.URL = d.url
	out.Refused = func(start []byte) { try.Response = c.shown(start) }
	if !c.Test {
		out.Slow = func() { s.isSlow(ctx, d) }
	}
	if !c.Test && !d.slowly {
		free, _ := s.Breakers.running.Take(d.address, math.MaxInt) // laneOf has found it not crowded
		defer free()
	}
	try.Status, err = s.Sender.Send(ctx, out)
	after := s.Now()
	if try.Millis = after.Sub(now).Milliseconds(); !c.Test && !d.slowly && after.Sub(now) < SlowAfter {
		s.isFast(ctx, after, d)
	}
	return try, err
}

// outgoing encodes and signs the callback, as JSON or as a form. It has no address yet.
func (c *Callback) outgoing(m *settings.Merchant, now time.Time, asJSON bool) (out Outgoing, err error) {
	out.ContentType = "application/x-www-form-urlencoded"
	if fields := c.signed(m); asJSON {
		out.ContentType, out.Body = "application/json", encodeJSON(fields)
	} else {
		out.Body = encodeForm(fields)
	}
	out.Header = map[string]string{"webhook-id": c.ID, "webhook-timestamp": strconv.FormatInt(now.Unix(), 10)}
	if c.Redelivery {
		out.Header["webhook-redelivery"] = "1"
	}
	if out.Header["webhook-signature"], err = m.SignWebhook(c.ID, now, out.Body); err != nil {
		return out, fmt.Errorf("sign callback: %w", err)
	}
	return out, nil
}

// storeTry stores the result of a delivery and schedules its repeat if there has to be one.
func (s Outbox) storeTry(ctx context.Context, d delivery, try Try, sendErr error) (finished bool, err error) {
	now, c := s.Now(), d.callback
	ctx = context.WithoutCancel(ctx) // the result is stored even if the handler's time is up
	try.At = now
	if sendErr != nil {
		try.Error = fault.ErrorText(sendErr)
	}
	c.addTry(try)
	due, taken := now, sendErr == nil && IsTaken(try.Status) // a parked callback is listed by the time of parking
	switch {
	case taken, c.Redelivery:
		c.State = Delivered
	case c.scheduled() > len(retryDelays):
		c.State = Parked
	default:
		c.NextAt = now.Add(retryDelays[c.scheduled()-1])
		due = c.NextAt
		if c.NextAt.Sub(now) <= MaxDelay {
			due = c.NextAt.Add(callbackGrace)
		}
	}
	s.measureTry(ctx, now, c, try)
	if errors.Is(sendErr, ErrTimeout) {
		if err := s.addTimeout(ctx, now, d); err != nil {
			s.Log.WarnContext(ctx, "timeout of an address not stored", "error", err)
		}
	}
	if err := s.Save(ctx, now, c, due); err != nil {
		return false, err
	}
	if c.State == Parked {
		s.reportParked(ctx, c)
	}
	if c.NextAt.Sub(now) <= MaxDelay {
		c.Send(ctx, s.Log, s.Queue, c.NextAt.Sub(now))
	}
	return c.State != Waiting && (taken || !c.Redelivery), nil // those after a failed redelivery have their own times
}

// Save stores a callback that is due at due.
func (s Outbox) Save(ctx context.Context, now time.Time, c *Callback, due time.Time) error {
	if err := s.Store.Save(ctx, now, c.Record(due)); err != nil {
		return fmt.Errorf("store callback %s: %w", c.ID, err)
	}
	c.version++
	return nil
}
