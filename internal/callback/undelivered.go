package callback

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// Query chooses undelivered callbacks. Empty members choose all.
type Query struct {
	URL   string    // the notification_url that they would be sent to now, or as ShownURL returns it
	Since time.Time // of events that happened then or later
	Until time.Time // of events that happened before
	State State     // Waiting or Parked
	Of    func(fault.Owner) bool
	After store.DueEntry // of the due listing: what is listed after it; zero: all
}

// chooses reports whether a callback that would be sent to url is one of those that the query chooses. None that is
// withheld is.
func (q Query) chooses(c *Callback, url string) bool {
	undelivered := c.State == Parked || c.State == Waiting && c.SessionID == ""
	inTime := !c.CreatedAt.Before(q.Since) && (q.Until.IsZero() || c.CreatedAt.Before(q.Until))
	return undelivered && inTime && (q.State == "" || q.State == c.State) &&
		(q.Of == nil || q.Of(c.Owner)) && (q.URL == "" || q.URL == url || q.URL == ShownURL(url))
}

// shards are the parts of the due listing that have what the query chooses. Parked ones come first: sent again they are
// waiting.
func (q Query) shards() (all []store.DueQuery) {
	kinds := []store.DueKind{store.DueParked, store.DueCallback, store.DueCallback.Of(true)}
	switch q.State {
	case Parked:
		kinds = kinds[:1]
	case Waiting:
		kinds = kinds[1:]
	}
	for _, kind := range kinds {
		for shard := range kind.Shards() {
			all = append(all, store.DueQuery{Kind: kind, Shard: shard, After: q.After})
		}
	}
	return all
}

// Undelivered is a callback that waits for its next try, or a parked one, which is not sent unless an operator has it
// sent again.
type Undelivered struct {
	PaymentID   string `json:"payment_id"`
	Seq         int    `json:"seq"`
	fault.Owner        // as merchant and, of test payments, test

	URL       string    `json:"url,omitempty"` // where it would be sent to now; "": the merchant has no notification_url
	Event     string    `json:"event"`         // its type, status and order_status
	CreatedAt time.Time `json:"created_at"`
	State     State     `json:"state"`
	At        time.Time `json:"at"` // of its next try; when it was parked
	Tries     int       `json:"tries"`
	LastTry   string    `json:"last_try,omitempty"` // how it ended

	Listed store.DueEntry `json:"-"` // in the due listing
}

const (
	// listedPage is how many entries of the listing are read at once; as many documents fit into one Get.
	listedPage = 100
	// listedAtOnce is how many shards of the listing are read at the same time.
	listedAtOnce = 8
	// listedAhead is longer than any callback is due ahead of time.
	listedAhead = 30 * 24 * time.Hour
)

// Undelivered lists the waiting and parked callbacks that match the query, in the order of their events, but for
// declines that are withheld. Those of the last moments may be missing, because the due listing lags behind.
func (s Outbox) Undelivered(ctx context.Context, query Query) ([]Undelivered, error) {
	found, _, err := s.UndeliveredOf(ctx, query, math.MaxInt)
	return found, err
}

// UndeliveredOf is Undelivered of at most so many entries of each shard of the due listing. end is zero if these are
// all; or else everything is found that is listed up to it.
func (s Outbox) UndeliveredOf(
	ctx context.Context, query Query, most int,
) (found []Undelivered, end store.DueEntry, err error) {
	shards := query.shards()
	parts, ends := make([][]Undelivered, len(shards)), make([]store.DueEntry, len(shards))
	errs := make([]error, len(shards))
	var running sync.WaitGroup
	free := make(chan struct{}, listedAtOnce)
	for i, shard := range shards {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			ctx := fault.WithNote(ctx, &fault.Note{ID: fault.RequestID(ctx)}) // each reads other merchants
			parts[i], ends[i], errs[i] = s.undeliveredIn(ctx, shard, query, most)
		})
	}
	running.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, end, err
	}
	found = slices.Concat(parts...)
	slices.SortFunc(found, func(a, b Undelivered) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.PaymentID, b.PaymentID), a.Seq-b.Seq)
	})
	same := func(a, b Undelivered) bool { return a.PaymentID == b.PaymentID && a.Seq == b.Seq }
	ends = slices.DeleteFunc(ends, func(e store.DueEntry) bool { return e.At.IsZero() })
	if len(ends) > 0 {
		end = slices.MinFunc(ends, store.CompareDue)
	}
	return slices.CompactFunc(found, same), end, nil
}

// undeliveredIn lists those of a shard, of at most so many of its entries. end is the last of these if there are more.
func (s Outbox) undeliveredIn(
	ctx context.Context, page store.DueQuery, query Query, most int,
) (found []Undelivered, end store.DueEntry, err error) {
	for left := most; ; {
		page.Limit = min(listedPage-1, left) + 1 // one more tells whether there are more
		entries, err := s.Store.Due(ctx, s.Now().Add(listedAhead), page)
		if err != nil {
			return nil, end, fmt.Errorf("list undelivered callbacks: %w", err)
		}
		more, last := len(entries) > left, len(entries) < page.Limit
		entries = entries[:min(len(entries), left)]
		chosen, err := s.chosen(ctx, entries, query)
		if err != nil {
			return nil, end, err
		}
		listed := map[store.Key]store.DueEntry{}
		for _, entry := range entries {
			listed[entry.Key] = entry
		}
		for _, c := range chosen {
			u := c.undelivered()
			key, err := store.CallbackKey(c.PaymentID, c.Seq)
			if err != nil {
				return nil, end, err
			}
			u.Listed = listed[key]
			found = append(found, u)
		}
		if last && !more {
			return found, end, nil
		}
		if len(entries) > 0 {
			page.After = entries[len(entries)-1]
		}
		if left -= len(entries); more {
			return found, page.After, nil
		}
	}
}

// addressed is a callback and where it would be sent to now.
type addressed struct {
	*Callback
	url string
}

// chosen reads the documents of a page of the listing and returns those that a query chooses.
func (s Outbox) chosen(ctx context.Context, entries []store.DueEntry, query Query) ([]addressed, error) {
	now, keys := s.Now(), []store.Key(nil)
	for _, entry := range entries {
		if !entry.At.Before(query.Since) { // a callback is parked or due after its event
			keys = append(keys, entry.Key)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	callbacks, err := decoded(s.Store.Get(ctx, now, keys...))
	if err != nil {
		return nil, fmt.Errorf("read undelivered callbacks: %w", err)
	}
	return s.choose(ctx, callbacks, query)
}

func (s Outbox) choose(ctx context.Context, callbacks []*Callback, query Query) (chosen []addressed, err error) {
	for _, c := range callbacks {
		url, err := s.addressOf(ctx, c, s.Now())
		if err != nil {
			return nil, err
		}
		if query.chooses(c, url) {
			chosen = append(chosen, addressed{c, url})
		}
	}
	return chosen, nil
}

// addressOf returns where a callback is sent to now, "" for nowhere.
func (s Outbox) addressOf(ctx context.Context, c *Callback, now time.Time) (string, error) {
	m, err := s.Accounts.ByID(ctx, c.Merchant, now)
	return c.Address(m), err
}

func (c addressed) undelivered() Undelivered {
	u := Undelivered{
		PaymentID: c.PaymentID, Seq: c.Seq, Owner: c.Owner, URL: c.url,
		Event:     fault.Printable(c.Event(), fault.MaxHistoryText),
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
	return fault.Printable(cmp.Or(t.Error, "no answer"), fault.MaxErrorText)
}

// WhyNotSent returns why an operator can't have a callback sent now to an address, "" if that is possible.
func (c *Callback) WhyNotSent(now time.Time, address string) string {
	switch {
	case c.State == Dropped:
		return "It is not sent: the payer has tried again since, and only the last decline is told."
	case c.SessionID != "":
		return "It waits until the payer has tried again or left: only the last decline is told."
	case address == "":
		return "The merchant has no notification_url."
	case c.isSentAgain(now, []int{c.Seq}):
		return ""
	}
	return aboutToBeTried
}

const aboutToBeTried = "It is about to be tried."

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
	u.Fragment = ""
	return u.String()
}
