package callback

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// ParkedQuery chooses parked callbacks.
type ParkedQuery struct {
	URL   string    // the notification_url that they would be sent to now; "": any
	Since time.Time // of events that happened then or later; zero: any
}

// ParkedOne is a parked callback: it is not sent unless an operator has it sent again.
type ParkedOne struct {
	PaymentID string `json:"payment_id"`
	Seq       int    `json:"seq"`
	request.Owner
	URL       string    `json:"url,omitempty"` // where it would be sent to now; "": the merchant has no notification_url
	Event     string    `json:"event"`         // its type, status and order_status
	CreatedAt time.Time `json:"created_at"`    // when that happened
	ParkedAt  time.Time `json:"parked_at"`
	Tries     int       `json:"tries"`
	LastTry   string    `json:"last_try,omitempty"` // how it ended
}

const (
	// parkedPage is how many entries of the listing are read at once; as many documents fit into one Get.
	parkedPage = 100
	// sendAgainEvery is the time between two callbacks that are sent again, so that they take only a small part of the
	// callback function's capacity.
	sendAgainEvery = 20 * time.Millisecond
	// sendAgainBatch is how many callbacks of one payment are changed in one Save at most.
	sendAgainBatch = 50
)

// ParkedCallbacks lists the parked callbacks that match the query, in the order of their events. Those of the last
// moments may be missing, because the due listing lags behind.
func (s Outbox) ParkedCallbacks(ctx context.Context, query ParkedQuery) ([]ParkedOne, error) {
	var found []ParkedOne
	for shard := range store.DueParked.Shards() {
		page := store.DueQuery{Kind: store.DueParked, Shard: shard, Limit: parkedPage}
		for {
			entries, err := s.Store.Due(ctx, s.Now(), page)
			if err != nil {
				return nil, fmt.Errorf("list parked callbacks: %w", err)
			}
			if found, err = s.appendParked(ctx, found, entries, query); err != nil {
				return nil, err
			}
			if len(entries) < page.Limit {
				break
			}
			page.After = entries[len(entries)-1]
		}
	}
	slices.SortFunc(found, func(a, b ParkedOne) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.PaymentID, b.PaymentID), a.Seq-b.Seq)
	})
	return found, nil
}

// appendParked reads the documents of a page of the listing and appends those that match the query.
func (s Outbox) appendParked(
	ctx context.Context, found []ParkedOne, entries []store.DueEntry, query ParkedQuery,
) ([]ParkedOne, error) {
	now, keys, parkedAt := s.Now(), []store.Key(nil), map[store.Key]time.Time{}
	for _, entry := range entries {
		if !entry.At.Before(query.Since) { // a callback is parked after its event
			keys, parkedAt[entry.Key] = append(keys, entry.Key), entry.At
		}
	}
	if len(keys) == 0 {
		return found, nil
	}
	records, err := s.Store.Get(ctx, now, keys...)
	if err != nil {
		return nil, fmt.Errorf("read parked callbacks: %w", err)
	}
	for _, r := range records {
		var c Callback
		if err := r.Decode(&c); err != nil {
			return nil, err
		}
		if c.State != Parked || c.CreatedAt.Before(query.Since) {
			continue
		}
		url, err := s.addressOf(ctx, &c, now)
		if err != nil {
			return nil, err
		}
		if query.URL == "" || query.URL == url {
			found = append(found, c.parked(url, parkedAt[r.Key]))
		}
	}
	return found, nil
}

// addressOf returns where a callback is sent to now, "" for nowhere.
func (s Outbox) addressOf(ctx context.Context, c *Callback, now time.Time) (string, error) {
	m, err := s.Accounts.ByID(ctx, c.Merchant, now)
	if err != nil || m == nil {
		return "", err
	}
	return cmp.Or(c.URL, m.CallbackURL(c.Owner)), nil
}

func (c *Callback) parked(url string, at time.Time) ParkedOne {
	p := ParkedOne{
		PaymentID: c.PaymentID, Seq: c.Seq, Owner: c.Owner, URL: url,
		Event:     request.Printable(c.Event(), request.MaxHistoryText),
		CreatedAt: c.CreatedAt, ParkedAt: at, Tries: len(c.Tries),
	}
	if len(c.Tries) > 0 {
		p.LastTry = c.Tries[len(c.Tries)-1].End()
	}
	return p
}

// End describes the result of a try for operators.
func (t Try) End() string {
	if t.Status != 0 {
		return fmt.Sprintf("HTTP %d", t.Status)
	}
	return request.Printable(cmp.Or(t.Error, "no answer"), request.MaxErrorText)
}

// SendParked has all parked callbacks sent again that match the query, those of a payment in their order, and returns
// their number. A callback whose merchant has no notification_url stays parked. SendParked only sets due times, with
// sendAgainEvery between them. Sweep then sends the messages, and delivery and repeats are those of every callback.
func (s Outbox) SendParked(ctx context.Context, query ParkedQuery) (sent int, err error) {
	found, err := s.ParkedCallbacks(ctx, query)
	if err != nil {
		return 0, err
	}
	found = slices.DeleteFunc(found, func(c ParkedOne) bool { return c.URL == "" })
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

// SendAgain has one parked callback sent again. It fails with CodeNotFound, or with CodeNotAllowed if the callback is
// not parked or its merchant has no notification_url.
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
		text := "The callback is " + string(c.State) + ", not parked."
		return request.Refuse(request.CodeNotAllowed, request.FaultInvalid, text)
	}
	return err
}

// sendAgain makes those of a payment's callbacks due at at that are still parked, and returns their number.
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
		if c.State != Parked || !slices.Contains(seqs, c.Seq) {
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
		if err := s.Store.Save(ctx, s.Now(), part...); err != nil {
			return sent, fmt.Errorf("store callbacks of payment %s: %w", paymentID, err)
		}
		sent += len(part)
	}
	return sent, nil
}

// restart makes a parked callback wait again until at, with a schedule that begins anew. Its tries stay.
func (c *Callback) restart(now, at time.Time) {
	c.State, c.NextAt, c.SentAgainAt, c.ScheduleFrom = Waiting, at, now, len(c.Tries)
}
