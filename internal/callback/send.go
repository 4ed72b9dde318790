package callback

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/store"
)

// repeats is when a callback that was not taken is sent again: after each try
// the next delay, and after the last one it is parked (decisions.md 6).
var repeats = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// inTurn is how long a callback waits before it looks again whether an
// earlier one of its payment, which is being sent at this moment, has arrived.
const inTurn = 3 * time.Second

// turn is how long who sends a callback keeps others from sending it too. It
// is longer than a receiver may take.
const turn = 15 * time.Second

// Outbox holds the callbacks that are stored and have to be sent, and sends them. What a function never sends with
// may be nil.
type Outbox struct {
	metric.Meter
	Store     store.Store
	Queue     Queue
	Sender    Sender
	Accounts  merchant.Accounts
	Receivers *ReceiverCache

	// Release decides about a withheld callback: ready says that it may be sent now.
	Release func(ctx context.Context, now time.Time, c *Callback) (ready bool, err error)
}

// Queue hands work to the callback function. A message may arrive more than once, late, or (after a crash) not
// at all: Sweep sends it again. Delay is at most MaxDelay.
type Queue interface {
	SendCallback(ctx context.Context, message Message, delay time.Duration) error

	// SendCallbacks sends at most MaxBatch messages in one request, without a delay. refused is how many of them the
	// queue did not take.
	SendCallbacks(ctx context.Context, messages []Message) (refused int, err error)
}

// Send puts a callback on its queue. A failure is only logged: the callback is stored and due, and Sweep sends it.
func (s Outbox) Send(ctx context.Context, c *Callback, delay time.Duration) {
	if c == nil || c.State != Waiting || c.SessionID != "" {
		return
	}
	if err := s.Queue.SendCallback(ctx, Message{PaymentID: c.PaymentID, Seq: c.Seq, Cause: c.Cause}, delay); err != nil {
		s.Log.WarnContext(ctx, "callback not sent, left to sweep", "payment", c.PaymentID, "error", err)
	}
}

// Deliver delivers the callback that the message names and those of the
// same payment that wait behind it, in order. A callback never overtakes an
// earlier one that is neither delivered nor parked. An error means that the
// message should come again.
func (s Outbox) Deliver(ctx context.Context, message Message) error {
	query, err := store.CallbacksOf(message.PaymentID)
	if err != nil {
		return fmt.Errorf("callback message: %w", err)
	}
	waiting, err := s.waitingCallbacks(ctx, query)
	if err != nil {
		return err
	}
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
			return s.standBehind(ctx, waiting, message)
		}
		if i == 0 && now.Before(c.NextAt) {
			return nil // a repeat is not due yet; it stays in the due listing
		}
		done, err := s.deliverOne(request.WithCause(ctx, cmp.Or(c.Cause, message.Cause)), c)
		if err != nil || !done {
			return err
		}
	}
	return nil
}

// waitingCallbacks returns the callbacks of a payment that are neither delivered nor parked, first one first.
func (s Outbox) waitingCallbacks(ctx context.Context, query store.Query) ([]*Callback, error) {
	records, err := s.Store.List(ctx, s.Now(), query)
	if err != nil {
		return nil, fmt.Errorf("list callbacks: %w", err)
	}
	var waiting []*Callback
	for _, r := range slices.Backward(records) {
		c := &Callback{}
		if err := r.Decode(c); err != nil {
			return nil, err
		}
		if c.State == Waiting {
			waiting = append(waiting, c)
		}
	}
	return waiting, nil
}

// standBehind deals with a message whose callback has to wait for the first
// one. While that is being sent, the message comes again shortly; while it
// waits for a repeat, so does the callback, and is sent by who delivers the first.
func (s Outbox) standBehind(ctx context.Context, waiting []*Callback, message Message) error {
	now, first := s.Now(), waiting[0]
	i := slices.IndexFunc(waiting, func(c *Callback) bool { return c.Seq == message.Seq })
	if i < 0 {
		return nil // delivered or parked meanwhile
	}
	if first.NextAt.Sub(now) <= turn {
		return s.Queue.SendCallback(ctx, message, inTurn)
	}
	c := waiting[i]
	c.NextAt = first.NextAt
	err := s.Store.Save(ctx, now, c.Record(first.NextAt.Add(callbackGrace)))
	if err != nil && !store.IsConflict(err) {
		return fmt.Errorf("store waiting callback: %w", err)
	}
	return nil
}

// delivery is a callback on its way to its merchant's notification_url.
type delivery struct {
	callback *Callback
	merchant *merchant.Merchant
	url      string
}

// deliverOne sends one callback and stores how it went. done is true if the next
// one may follow.
func (s Outbox) deliverOne(ctx context.Context, c *Callback) (done bool, err error) {
	now := s.Now()
	m, err := s.Accounts.ByID(ctx, c.Merchant, now)
	if err != nil {
		return false, err
	}
	url := ""
	if m != nil {
		url = m.CallbackURL(c.Owner)
	}
	if url == "" {
		c.addTry(Try{At: now, Error: "the merchant has no notification_url"})
		c.State = Parked
		s.reportParked(ctx, c)
		return true, s.Save(ctx, now, c, now)
	}
	closed, err := s.closedUntil(ctx, now, url)
	if err != nil {
		return false, err
	}
	if now.Before(closed) {
		c.NextAt = closed
		return false, s.Save(ctx, now, c, closed)
	}
	if mine, err := s.takeTurn(ctx, now, c); err != nil || !mine {
		return false, err
	}
	d := delivery{c, m, url}
	status, sendErr := s.post(ctx, d)
	return s.storeTry(ctx, d, status, sendErr)
}

// takeTurn keeps a callback from being sent twice at once: by who has its
// message, and by who sends those before it. The first of a payment has nobody
// before it and needs no turn, so an ordinary payment costs no write more.
// Where the callback is due after the turn anyway, it stays so: another time
// would cost two writes to the index.
func (s Outbox) takeTurn(ctx context.Context, now time.Time, c *Callback) (mine bool, err error) {
	if c.Seq == 1 {
		return true, nil
	}
	c.NextAt = now.Add(turn)
	due := c.dueAt
	if due.Before(c.NextAt) {
		due = c.NextAt.Add(callbackGrace)
	}
	err = s.Save(ctx, now, c, due)
	if store.IsConflict(err) {
		return false, nil // somebody else sends it
	}
	return err == nil, err
}

// post makes one request of the callback and sends it.
func (s Outbox) post(ctx context.Context, d delivery) (int, error) {
	now, c := s.Now(), d.callback
	contentType, body := "application/x-www-form-urlencoded", []byte(nil)
	if d.merchant.CallbackJSON {
		contentType, body = "application/json", encodeJSON(c.Fields)
	} else {
		body = encodeForm(c.Fields)
	}
	header := map[string]string{"webhook-id": c.ID, "webhook-timestamp": strconv.FormatInt(now.Unix(), 10)}
	var err error
	if header["webhook-signature"], err = d.merchant.SignWebhook(c.ID, now, body); err != nil {
		return 0, fmt.Errorf("sign callback: %w", err)
	}
	return s.Sender.Send(ctx, Outgoing{URL: d.url, ContentType: contentType, Header: header, Body: body})
}

// storeTry stores how a delivery went and plans the next one if it has to be repeated.
func (s Outbox) storeTry(ctx context.Context, d delivery, status int, sendErr error) (done bool, err error) {
	now, c := s.Now(), d.callback
	ctx = context.WithoutCancel(ctx) // what was sent is written down even if the time is up
	try := Try{At: now, Status: status}
	if sendErr != nil {
		try.Error = request.ErrorText(sendErr)
	}
	c.addTry(try)
	due := now // of a parked one: when that was
	switch {
	case sendErr == nil && status >= 200 && status < 300:
		c.State = Delivered
	case c.scheduled() > len(repeats):
		c.State = Parked
	default:
		c.NextAt = now.Add(repeats[c.scheduled()-1])
		due = c.NextAt
		if c.NextAt.Sub(now) <= MaxDelay {
			due = c.NextAt.Add(callbackGrace)
		}
	}
	age := metric.Metric{Name: "callback_age", Unit: "Milliseconds", Value: now.Sub(c.CreatedAt).Milliseconds()}
	s.Measure(ctx, metric.Line{Message: "callback", Dimension: "state", Metrics: []metric.Metric{metric.Count("callback_tries"), age}},
		slog.String("state", string(c.State)), slog.String("callback", c.ID), slog.String("payment", c.PaymentID),
		slog.String("merchant", c.Merchant), slog.Int("status", status), slog.Int("tries", len(c.Tries)), slog.String("error", try.Error))
	if errors.Is(sendErr, ErrTimeout) {
		if err := s.addTimeout(ctx, now, d.url); err != nil {
			s.Log.WarnContext(ctx, "timeout of an address not stored", "error", err)
		}
	}
	if err := s.Save(ctx, now, c, due); err != nil {
		return false, err
	}
	if c.State == Parked {
		s.reportParked(ctx, c)
	}
	if c.State == Waiting && c.NextAt.Sub(now) <= MaxDelay {
		s.Send(ctx, c, c.NextAt.Sub(now))
	}
	return c.State != Waiting, nil
}

// reportParked measures a callback that is given up for now.
func (s Outbox) reportParked(ctx context.Context, c *Callback) {
	s.Measure(ctx, metric.Line{Message: "callback parked", Metrics: []metric.Metric{metric.Count("parked_callbacks")}},
		slog.String("callback", c.ID), slog.String("payment", c.PaymentID), slog.String("merchant", c.Merchant))
}

// Save stores a callback that is due at a time.
func (s Outbox) Save(ctx context.Context, now time.Time, c *Callback, due time.Time) error {
	if err := s.Store.Save(ctx, now, c.Record(due)); err != nil {
		return fmt.Errorf("store callback %s: %w", c.ID, err)
	}
	c.version++
	return nil
}
