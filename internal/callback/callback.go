// Package callback tells merchants what happened to their payments (decisions.md 6): the document of an event, its
// signed body, and the outbox with its schedule of repeats. The request itself is sent by package post.
package callback

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// State is where a callback stands.
type State string

// The states of a callback. A parked one was tried to the end of the schedule,
// or had no address, and is kept for good, to be seen and sent again.
const (
	Waiting   State = "waiting"
	Delivered State = "delivered"
	Parked    State = "parked"
	Dropped   State = "dropped" // a decline that the payer's next attempt made no news
)

// Callback is one event that a merchant has to be told (decisions.md 6). Its
// fields are fixed when the event happens; only the delivery changes. ID,
// PaymentID and Seq, and with them the first field, are in its key.
type Callback struct {
	ID        string `json:"-"` // webhook-id, the same on every repeat
	PaymentID string `json:"-"`
	Seq       int    `json:"-"` // 1, 2, ... of the payment; the order of delivery
	request.Owner
	Fields    Fields    `json:"fields"` // the first is the payment's id
	CreatedAt time.Time `json:"created_at"`
	Cause     string    `json:"cause,omitempty"` // id of the API call that led to it, if known
	State     State     `json:"state"`
	NextAt    time.Time `json:"next_at,omitzero"`     // not to be sent before; stored where it is not CreatedAt
	SessionID string    `json:"session_id,omitempty"` // withheld until this session is over (declines: last)
	Tries     []Try     `json:"tries,omitempty"`      // the latest, at most maxTries

	// Of one that was parked and is sent again.
	SentAgainAt  time.Time `json:"sent_again_at,omitzero"`  // when an operator asked for it last
	ScheduleFrom int       `json:"schedule_from,omitempty"` // how many of Tries were before that: the schedule begins anew

	version int64
	dueAt   time.Time // as it is stored
}

// Try is one delivery that was tried, and its end.
type Try struct {
	At     time.Time `json:"at"`
	Status int       `json:"status,omitempty"` // the HTTP answer; 0: none
	Error  string    `json:"error,omitempty"`  // in printable form, cut
}

// callbackGrace is how long after its message a callback is due: Sweep then sends it again.
const callbackGrace = time.Minute

// maxTries is how many tries of a callback are kept: those of five schedules.
const maxTries = 45

// addTry keeps a try, in place of the oldest one if there are too many.
func (c *Callback) addTry(try Try) {
	c.Tries = append(c.Tries, try)
	if over := len(c.Tries) - maxTries; over > 0 {
		c.Tries, c.ScheduleFrom = slices.Clone(c.Tries[over:]), max(c.ScheduleFrom-over, 0)
	}
}

// scheduled is how many tries of the callback's present schedule were made.
func (c *Callback) scheduled() int { return len(c.Tries) - c.ScheduleFrom }

// WebhookID is the webhook-id of a callback, the same on every repeat.
func WebhookID(paymentID string, seq int) string { return fmt.Sprintf("msg_%s_%d", paymentID, seq) }

// Record is the callback as a store keeps it. While it waits it is due at due;
// once it is parked it is listed by due, the time when it was.
func (c *Callback) Record(due time.Time) store.Record {
	key, err := store.CallbackKey(c.PaymentID, c.Seq)
	if err != nil {
		panic("callback of a payment without an id of ours: " + c.PaymentID)
	}
	r := store.Encode(key, c.version, c.shortened())
	switch c.State {
	case Waiting:
		r.DueAt, r.DueKind = due, store.DueCallback
	case Parked:
		r.DueAt, r.DueKind = due, store.DueParked
	}
	return r
}

// Due is when Sweep has a new callback sent if nobody did; of a parked one, when it was parked.
func (c *Callback) Due(now time.Time) time.Time {
	switch {
	case c.State == Parked:
		return now
	case c.SessionID != "":
		return c.NextAt
	}
	return now.Add(callbackGrace)
}

// Event is the callback's type, status and order_status.
func (c *Callback) Event() string {
	var words []string
	for _, name := range []string{"type", "status", "order_status"} {
		for _, f := range c.Fields {
			if f.Name == name {
				words = append(words, f.Value)
			}
		}
	}
	return strings.Join(words, " ")
}

// shortened is the callback as it is stored.
func (c *Callback) shortened() *Callback {
	short := *c
	short.Fields = c.Fields[1:] // the first is the payment's id
	if short.NextAt.Equal(short.CreatedAt) {
		short.NextAt = time.Time{}
	}
	return &short
}

// Complete implements Shortened.
func (c *Callback) Complete(r store.Record) (err error) {
	c.version, c.dueAt = r.Version, r.DueAt
	if c.NextAt.IsZero() {
		c.NextAt = c.CreatedAt
	}
	c.PaymentID, c.Seq, err = store.CallbackOf(r.Key)
	c.ID = WebhookID(c.PaymentID, c.Seq)
	c.Fields = append(Fields{{Name: "id", Value: c.PaymentID}}, c.Fields...)
	return err
}
