package callback

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// Query chooses undelivered callbacks.
type Query struct {
	URL   string    // the notification_url that they would be sent to now; "": any
	Since time.Time // of events that happened then or later; zero: any
}

// Undelivered is a callback that waits for its next try, or a parked one, which is not sent unless an operator has it
// sent again.
type Undelivered struct {
	PaymentID string
	Seq       int
	request.Owner
	URL       string // where it would be sent to now; "": the merchant has no notification_url
	Event     string // its type, status and order_status
	CreatedAt time.Time
	State     State
	At        time.Time // of its next try; when it was parked
	Tries     int
	LastTry   string // how it ended
}

const (
	// listedPage is how many entries of the listing are read at once; as many documents fit into one Get.
	listedPage = 100
	// sendAgainEvery is the time between two callbacks that are sent again, so that they take only a small part of the
	// callback function's capacity.
	sendAgainEvery = 20 * time.Millisecond
	// sendAgainBatch is how many callbacks of one payment are changed in one Save at most.
	sendAgainBatch = 50
	// listedAhead is longer than any callback is due ahead of time.
	listedAhead = 30 * 24 * time.Hour
)

// Undelivered lists the waiting and parked callbacks that match the query, in the order of their events, but for
// declines that are withheld. Those of the last moments may be missing, because the due listing lags behind.
func (s Outbox) Undelivered(ctx context.Context, query Query) ([]Undelivered, error) {
	var found []Undelivered
	for _, kind := range []store.DueKind{store.DueParked, store.DueCallback, store.DueCallback.Of(true)} {
		for shard := range kind.Shards() {
			page := store.DueQuery{Kind: kind, Shard: shard, Limit: listedPage}
			for {
				entries, err := s.Store.Due(ctx, s.Now().Add(listedAhead), page)
				if err != nil {
					return nil, fmt.Errorf("list undelivered callbacks: %w", err)
				}
				if found, err = s.appendListed(ctx, found, entries, query); err != nil {
					return nil, err
				}
				if len(entries) < page.Limit {
					break
				}
				page.After = entries[len(entries)-1]
			}
		}
	}
	slices.SortFunc(found, func(a, b Undelivered) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.PaymentID, b.PaymentID), a.Seq-b.Seq)
	})
	same := func(a, b Undelivered) bool { return a.PaymentID == b.PaymentID && a.Seq == b.Seq }
	return slices.CompactFunc(found, same), nil
}

// appendListed reads the documents of a page of the listing and appends those that match the query.
func (s Outbox) appendListed(
	ctx context.Context, found []Undelivered, entries []store.DueEntry, query Query,
) ([]Undelivered, error) {
	now, keys := s.Now(), []store.Key(nil)
	for _, entry := range entries {
		if !entry.At.Before(query.Since) { // a callback is parked or due after its event
			keys = append(keys, entry.Key)
		}
	}
	if len(keys) == 0 {
		return found, nil
	}
	records, err := s.Store.Get(ctx, now, keys...)
	if err != nil {
		return nil, fmt.Errorf("read undelivered callbacks: %w", err)
	}
	for _, r := range records {
		var c Callback
		if err := r.Decode(&c); err != nil {
			return nil, err
		}
		waiting := c.State == Waiting && c.SessionID == ""
		if !waiting && c.State != Parked || c.CreatedAt.Before(query.Since) {
			continue
		}
		url, err := s.addressOf(ctx, &c, now)
		if err != nil {
			return nil, err
		}
		if query.URL == "" || query.URL == url {
			found = append(found, c.undelivered(url))
		}
	}
	return found, nil
}

// addressOf returns where a callback is sent to now, "" for nowhere.
func (s Outbox) addressOf(ctx context.Context, c *Callback, now time.Time) (string, error) {
	m, err := s.Accounts.ByID(ctx, c.Merchant, now)
	return c.Address(m), err
}

func (c *Callback) undelivered(url string) Undelivered {
	u := Undelivered{
		PaymentID: c.PaymentID, Seq: c.Seq, Owner: c.Owner, URL: url,
		Event:     request.Printable(c.Event(), request.MaxHistoryText),
		CreatedAt: c.CreatedAt, State: c.State, At: c.NextAt, Tries: len(c.Tries),
	}
	if c.State == Parked {
		u.At = c.dueAt
	}
	if len(c.Tries) > 0 {
		u.LastTry = c.Tries[len(c.Tries)-1].End()
	}
	return u
}

// End describes the result of a try for operators.
func (t Try) End() string {
	if t.Status != 0 {
		return fmt.Sprintf("HTTP %d", t.Status)
	}
	return request.Printable(cmp.Or(t.Error, "no answer"), request.MaxErrorText)
}

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

// restart makes a callback wait until at, with a schedule that begins anew. Its tries stay.
func (c *Callback) restart(now, at time.Time) {
	c.State, c.NextAt, c.SentAgainAt, c.ScheduleFrom = Waiting, at, now, len(c.Tries)
}
