package callback

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// SendAll has all callbacks sent now that match the query, those of a payment in their order, and returns their number.
// A callback whose merchant has no notification_url stays parked. SendAll only sets due times, with sendAgainEvery
// between them. Sweep then sends the messages, and delivery and repeats are those of every callback.
func (s Outbox) SendAll(ctx context.Context, query Query) (sent int, err error) {
	found, err := s.Undelivered(ctx, query)
	if err != nil {
		return 0, err
	}
	found = slices.DeleteFunc(found, func(u Undelivered) bool { return u.URL == "" })
	var payments []string // by their oldest callback
	seqs := map[string][]int{}
	for _, c := range found {
		if seqs[c.PaymentID] == nil {
			payments = append(payments, c.PaymentID)
		}
		seqs[c.PaymentID] = append(seqs[c.PaymentID], c.Seq)
	}
	at := s.Now()
	for _, id := range payments {
		n, err := s.sendAgain(ctx, id, seqs[id], at)
		sent += n
		if err != nil && !store.IsConflict(err) { // after a conflict somebody else has them sent again
			return sent, err
		}
		at = at.Add(time.Duration(n) * sendAgainEvery)
	}
	return sent, nil
}

// SendAgain has one callback sent now, after those of its payment that wait before it. It fails with CodeNotFound, or
// with CodeNotAllowed if the callback is delivered or about to be tried, or its merchant has no notification_url.
func (s Outbox) SendAgain(ctx context.Context, paymentID string, seq int) error {
	key, err := store.CallbackKey(paymentID, seq)
	if err != nil || seq < 1 {
		return request.Refuse(request.CodeNotFound, request.FaultInvalid, "Callback not found")
	}
	var c Callback
	record, err := store.GetOne(ctx, s.Store, s.Now(), key)
	if err == nil {
		err = record.Decode(&c)
	}
	switch {
	case err != nil:
		return fmt.Errorf("read callback: %w", err)
	case record.Version == 0:
		return request.Refuse(request.CodeNotFound, request.FaultInvalid, "Callback not found")
	}
	url, err := s.addressOf(ctx, &c, s.Now())
	if err != nil {
		return err
	}
	if url == "" {
		return request.Refuse(request.CodeNotAllowed, request.FaultInvalid, "The merchant has no notification_url.")
	}
	sent, err := s.sendAgain(ctx, paymentID, []int{seq}, s.Now())
	if err == nil && sent == 0 {
		text := "The callback is " + string(c.State) + ", and not to be sent now."
		return request.Refuse(request.CodeNotAllowed, request.FaultInvalid, text)
	}
	return err
}

// sendAgain makes those of a payment's callbacks due at at that can be sent now, with the waiting ones before them, and
// returns their number.
func (s Outbox) sendAgain(ctx context.Context, paymentID string, seqs []int, at time.Time) (sent int, err error) {
	query, err := store.CallbacksOf(paymentID)
	if err != nil {
		return 0, err
	}
	records, err := s.Store.List(ctx, s.Now(), query)
	if err != nil {
		return 0, fmt.Errorf("list callbacks: %w", err)
	}
	var again []store.Record
	for _, r := range slices.Backward(records) {
		c := &Callback{}
		if err := r.Decode(c); err != nil {
			return 0, err
		}
		if !c.isSentAgain(s.Now(), seqs) {
			continue
		}
		c.restart(s.Now(), at)
		due := at
		if len(again) > 0 {
			due = at.Add(callbackGrace) // whoever delivers the first one delivers those after it
		}
		again = append(again, c.Record(due))
	}
	for part := range slices.Chunk(again, sendAgainBatch) {
		now := s.Now()
		if err := s.Store.Save(ctx, now, append(part, s.sentAgain(now, paymentID, part)...)...); err != nil {
			return sent, fmt.Errorf("store callbacks of payment %s: %w", paymentID, err)
		}
		sent += len(part)
	}
	return sent, nil
}

// sentAgain returns the audit document of callbacks of one payment that are sent now.
func (s Outbox) sentAgain(now time.Time, paymentID string, callbacks []store.Record) []store.Record {
	numbers := make([]string, len(callbacks))
	for i, r := range callbacks {
		_, seq, _ := store.CallbackOf(r.Key) // which this package has made
		numbers[i] = strconv.Itoa(seq)
	}
	change := "sent now: callback " + strings.Join(numbers, ", ")
	return s.Act.Records(now, "payment/"+paymentID+"/callback/"+numbers[0], change)
}

// isSentAgain reports whether a callback is to be sent now, if those with these numbers are: a parked one of them, and
// a waiting one that is one of them or stands before one. One that is tried within seconds is left alone, because it
// may be under way.
func (c *Callback) isSentAgain(now time.Time, seqs []int) bool {
	if c.State == Parked {
		return slices.Contains(seqs, c.Seq)
	}
	return c.State == Waiting && c.SessionID == "" && c.Seq <= slices.Max(seqs) && c.NextAt.Sub(now) > leaseTTL
}

// WhyNotSent returns why an operator can't have a callback sent now to an address, "" if that is possible.
func (c *Callback) WhyNotSent(now time.Time, address string) string {
	switch {
	case c.isSentAgain(now, []int{c.Seq}) && address == "":
		return "The merchant has no notification_url."
	case c.isSentAgain(now, []int{c.Seq}):
		return ""
	case c.State == Delivered:
		return "It was delivered."
	case c.State == Dropped:
		return "It is not sent: the payer has tried again since, and only the last decline is told."
	case c.SessionID != "":
		return "It waits until the payer has tried again or left: only the last decline is told."
	}
	return "It is about to be tried."
}

// ShownURL returns an address for people: without a user, a password, and what is behind the path, which may be secret.
func ShownURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if u.User != nil {
		u.User = url.User("...")
	}
	if u.RawQuery != "" {
		u.RawQuery = "..."
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// restart makes a callback wait until at, with a schedule that begins anew. Its tries stay.
func (c *Callback) restart(now, at time.Time) {
	c.State, c.NextAt, c.SentAgainAt, c.ScheduleFrom = Waiting, at, now, len(c.Tries)
}
