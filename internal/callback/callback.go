// Package callback notifies merchants of what happened to their payments (protocol.md, Callbacks). It has the document
// of an event, its body, and the outbox that sends it and repeats what failed. Package post makes the HTTP request.
package callback

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// State is the state of a callback's delivery.
type State string

// The states of a callback. A parked one failed at every time of its schedule, or had no address. It stays stored, so
// that an operator can have it sent again.
const (
	Waiting   State = "waiting"
	Delivered State = "delivered"
	Parked    State = "parked"
	Dropped   State = "dropped" // a decline that was withheld and that the payer's next attempt made obsolete
)

// Callback is one event that is sent to a merchant (protocol.md, Callbacks). Its fields are fixed when the event
// happens; only the state of the delivery changes. ID, PaymentID, Seq and the first field are not stored, because the
// key has them.
type Callback struct {
	ID        string `json:"-"` // webhook-id, the same on every repeat
	PaymentID string `json:"-"`
	Seq       int    `json:"-"` // 1, 2, ... of the payment; the order of delivery
	fault.Owner
	Mapping   string    `json:"mapping,omitempty"` // of the payment; it decides on the hash
	URL       string    `json:"url,omitempty"`     // that the session has named; "": the merchant's notification_url
	Fields    Fields    `json:"fields"`            // without the hash; the first is the payment's id
	CreatedAt time.Time `json:"created_at"`
	Cause     string    `json:"cause,omitempty"` // id of the API call that led to it, if known
	State     State     `json:"state"`
	NextAt    time.Time `json:"next_at,omitzero"` // not to be sent before; only stored if it is not CreatedAt
	// SessionID is set for a decline that is withheld until this session ends, since only the last decline is sent.
	SessionID string `json:"session_id,omitempty"`
	Tries     []Try  `json:"tries,omitempty"` // the latest, at most maxTries

	// SentAgainAt is when an operator last had the callback sent now. Its schedule began anew then, and
	// ScheduleFrom is how many of Tries were made before.
	SentAgainAt  time.Time `json:"sent_again_at,omitzero"`
	ScheduleFrom int       `json:"schedule_from,omitempty"`
	// Redelivery is set once an operator has sent a delivered callback again. Such a callback is tried once each time, and
	// is delivered again after that, whatever the response is: a later callback of the payment never waits for it.
	Redelivery bool `json:"redelivery,omitempty"`

	version int64
	dueAt   time.Time // as it is stored
}

// Try is one try to deliver a callback, and its result.
type Try struct {
	At     time.Time `json:"at"`
	Status int       `json:"status,omitempty"` // of the HTTP response; 0: none
	Error  string    `json:"error,omitempty"`  // in printable form, truncated
	Millis int64     `json:"ms,omitempty"`     // until the response, or until there was none
	// Response is the beginning of a response that is no success, without what nobody may see.
	Response string `json:"response,omitempty"`
}

// callbackGrace is how long after the time of its message a callback is due. Sweep sends it again then, in case the
// message was lost.
const callbackGrace = time.Minute

// maxTries is how many tries of a callback are stored: those of five schedules.
const maxTries = 45

// addTry adds a try, in place of the oldest one if there are too many.
func (c *Callback) addTry(try Try) {
	c.Tries = append(c.Tries, try)
	if over := len(c.Tries) - maxTries; over > 0 {
		c.Tries, c.ScheduleFrom = slices.Clone(c.Tries[over:]), max(c.ScheduleFrom-over, 0)
	}
}

// scheduled is how many tries were made since the callback's schedule began.
func (c *Callback) scheduled() int { return len(c.Tries) - c.ScheduleFrom }

// failing is for how long the callback has been tried since its schedule began.
func (c *Callback) failing(now time.Time) time.Duration { return now.Sub(c.Tries[c.ScheduleFrom].At) }

// isSentAgain reports whether a callback is to be sent now, if those with these numbers are: a parked or delivered one
// of them, and a waiting one that is one of them or stands before one. One that is tried within seconds is left alone,
// because it may be under way.
func (c *Callback) isSentAgain(now time.Time, seqs []int) bool {
	if c.State == Parked || c.State == Delivered {
		return slices.Contains(seqs, c.Seq)
	}
	return c.State == Waiting && c.SessionID == "" && c.NextAt.Sub(now) > leaseTTL &&
		slices.ContainsFunc(seqs, func(seq int) bool { return c.Seq <= seq })
}

// restart makes a callback wait until at, with a schedule that begins anew. Its tries stay.
func (c *Callback) restart(now, at time.Time) {
	c.Redelivery = c.Redelivery || c.State == Delivered
	c.State, c.NextAt, c.SentAgainAt, c.ScheduleFrom = Waiting, at, now, len(c.Tries)
}

// AwaitsOperator reports whether an operator has the callback sent, and that was not tried yet.
func (c *Callback) AwaitsOperator() bool {
	return c.State == Waiting && !c.SentAgainAt.IsZero() && c.scheduled() == 0
}

// message returns the message that names the callback.
func (c *Callback) message() Message {
	return Message{PaymentID: c.PaymentID, Seq: c.Seq, Test: c.Test, Cause: c.Cause, Merchant: c.Merchant}
}

// WebhookID is the webhook-id of a callback, the same on every repeat.
func WebhookID(paymentID string, seq int) string { return fmt.Sprintf("msg_%s_%d", paymentID, seq) }

// Address is where the callback of a merchant is sent to, "" for nowhere. Without a merchant it is nowhere.
func (c *Callback) Address(m *settings.Merchant) string {
	if m == nil {
		return ""
	}
	return cmp.Or(c.URL, m.CallbackURL(c.Owner))
}

// Record is the callback as it is stored. A waiting one is due at due. For a parked one due is the time of parking, by
// which it is listed.
func (c *Callback) Record(due time.Time) store.Record {
	key, err := store.CallbackKey(c.PaymentID, c.Seq)
	if err != nil {
		panic("callback of a payment without an id of ours: " + c.PaymentID)
	}
	r := store.Encode(key, c.version, c.shortened())
	switch c.State {
	case Waiting:
		r.DueAt, r.DueKind = due, store.DueCallback.Of(c.Test)
	case Parked:
		r.DueAt, r.DueKind = due, store.DueParked
	}
	return r
}

// Forget blanks what the callback tells of payer and payee, but for their countries, and the fields of the merchant's
// custom_data. It reports whether there was anything.
func (c *Callback) Forget(custom []request.Field) (changed bool) {
	for i, field := range c.Fields {
		personal := strings.HasPrefix(field.Name, "customer_") || strings.HasPrefix(field.Name, "payee_")
		country := strings.HasSuffix(field.Name, "_country")
		if (personal && !country || slices.Contains(custom, field)) && field.Value != "" {
			c.Fields[i].Value, changed = "", true
		}
	}
	return changed
}

// signed returns the fields with the hash, after the date. It is made of the merchant's present password.
func (c *Callback) signed(m *settings.Merchant) Fields {
	value := func(name string) string {
		i := slices.IndexFunc(c.Fields, func(f request.Field) bool { return f.Name == name })
		if i < 0 {
			return ""
		}
		return c.Fields[i].Value
	}
	order := request.Order{
		Number: value("order_number"), Amount: request.Amount{Text: value("order_amount")},
		Currency: value("order_currency"), Description: value("order_description"),
	}
	hash := settings.SignCallback(m, m.MappingNamed(c.Mapping), c.PaymentID, order)
	date := slices.IndexFunc(c.Fields, func(f request.Field) bool { return f.Name == "date" })
	return slices.Insert(slices.Clone(c.Fields), date+1, request.Field{Name: "hash", Value: hash})
}

// Due is when Sweep sends a new callback unless it has been delivered by then. For a parked one it is now, the time of
// parking.
func (c *Callback) Due(now time.Time) time.Time {
	switch {
	case c.State == Parked:
		return now
	case c.SessionID != "":
		return c.NextAt
	}
	return now.Add(callbackGrace)
}

// Event is the callback's type, status and order_status, separated by spaces.
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

// shortened is the callback without what Complete derives from its record.
func (c *Callback) shortened() *Callback {
	short := *c
	short.Fields = c.Fields[1:] // the first is the payment's id
	if short.NextAt.Equal(short.CreatedAt) {
		short.NextAt = time.Time{}
	}
	return &short
}

// Complete implements store.Shortened.
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

// leaseTTL is how long the sender of a callback keeps others from sending it too. It is longer than one request may
// take.
const leaseTTL = 15 * time.Second
