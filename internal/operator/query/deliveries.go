package query

import (
	"context"
	"slices"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// Deliveries are undelivered callbacks.
type Deliveries struct {
	Callbacks []callback.Undelivered `json:"callbacks"`      // the first of them
	Waiting   int                    `json:"waiting"`        // of all
	Parked    int                    `json:"parked"`         // of all
	More      bool                   `json:"more,omitempty"` // there are so many that not all were counted
	Cursor    string                 `json:"cursor,omitempty"`
}

// deliveriesEnd is where a page ends in the due listing, and what the first page has counted.
type deliveriesEnd struct {
	store.DueEntry
	Waiting int  `json:"waiting"`
	Parked  int  `json:"parked"`
	More    bool `json:"more,omitempty"`
}

const (
	deliveriesPage = 100
	// deliveriesShard is how many entries the first page reads of each of the 32 shards in which callbacks of a kind are
	// listed, to count them. Each later page reads at most deliveriesPage.
	deliveriesShard = 500
)

// Deliveries lists the undelivered callbacks that a filter chooses by its merchant, mode, time and state, in the order
// of their next tries, or of when they were parked. The first page counts them: at least those of up to 16,000 that are
// parked and as many that wait. A later page reads on where the one before it ended. Errors: CodeInvalid.
func (s *Reader) Deliveries(ctx context.Context, by grant.Person, f Filter, url string) (Deliveries, error) {
	if err := f.check(); err != nil {
		return Deliveries{}, err
	}
	var from deliveriesEnd
	most := deliveriesShard
	if f.Cursor != "" {
		most = deliveriesPage
		if err := store.ReadCursor(f.Cursor, &from); err != nil || from.At.IsZero() {
			return Deliveries{}, errPage()
		}
	}
	query := callback.Query{
		URL: url, Since: f.From, Until: f.Until, State: f.Callbacks, After: from.DueEntry,
		Of: func(o fault.Owner) bool { return f.visible(by, grant.Find, o.Text()) },
	}
	found, end, err := s.Outbox().UndeliveredOf(ctx, query, most)
	if err != nil {
		return Deliveries{}, err
	}
	if f.Cursor == "" {
		from.More = !end.At.IsZero()
		for _, c := range found {
			if c.State == callback.Parked {
				from.Parked++
			} else {
				from.Waiting++
			}
		}
	}
	slices.SortFunc(found, func(a, b callback.Undelivered) int { return store.CompareDue(a.Listed, b.Listed) })
	all := Deliveries{Callbacks: []callback.Undelivered{}, Waiting: from.Waiting, Parked: from.Parked, More: from.More}
	for _, c := range found {
		if !end.At.IsZero() && store.CompareDue(c.Listed, end) > 0 {
			break // others may be listed before it that were not read
		}
		if len(all.Callbacks) == deliveriesPage {
			end = all.Callbacks[deliveriesPage-1].Listed
			break
		}
		c.URL = callback.ShownURL(c.URL)
		all.Callbacks = append(all.Callbacks, c)
	}
	if from.DueEntry = end; !end.At.IsZero() {
		all.Cursor = store.Cursor(from)
	}
	return all, nil
}

// Address is where callbacks are sent to, and how it does.
type Address struct {
	Merchant  string    `json:"merchant"`
	Mode      string    `json:"mode"`
	URL       string    `json:"url"`
	OpenUntil time.Time `json:"open_until,omitzero"` // its circuit breaker
	Slow      bool      `json:"slow,omitempty"`
	Waiting   int       `json:"waiting"`
	Parked    int       `json:"parked"`
	Oldest    time.Time `json:"oldest,omitzero"`

	url string // as the merchant has set it
}

// Addresses lists where undelivered callbacks are sent to, that with the oldest event first. It reads as many as
// Deliveries.
func (s *Reader) Addresses(ctx context.Context, by grant.Person) ([]Address, error) {
	return s.addresses(ctx, callback.Query{
		Of: func(o fault.Owner) bool { return by.Level(grant.Find, o) > grant.None },
	})
}

func (s *Reader) addresses(ctx context.Context, query callback.Query) ([]Address, error) {
	found, _, err := s.Outbox().UndeliveredOf(ctx, query, deliveriesShard)
	if err != nil {
		return nil, err
	}
	var all []Address
	var named []string
	known := map[string]int{}
	for _, c := range found {
		name := callback.BreakerAddress(c.Owner, c.URL)
		i, ok := known[name]
		if !ok {
			i = len(all)
			known[name], named = i, append(named, name)
			all = append(all, Address{
				Merchant: c.Merchant, Mode: modeOf(c.Owner), URL: callback.ShownURL(c.URL), Oldest: c.CreatedAt, url: c.URL,
			})
		}
		if c.State == callback.Parked {
			all[i].Parked++
		} else {
			all[i].Waiting++
		}
	}
	states, err := s.Outbox().AddressStates(ctx, named)
	for i, state := range states {
		all[i].OpenUntil, all[i].Slow = state.OpenUntil, state.Slow
	}
	return all, err
}

// ShownAs returns the other addresses of an owner that are shown as a URL and get no callbacks, or slowly.
func (s *Reader) ShownAs(ctx context.Context, of fault.Owner, url string) (others []string, err error) {
	all, err := s.addresses(ctx, callback.Query{URL: url, Of: func(o fault.Owner) bool { return o == of }})
	for _, a := range all {
		if a.url != url && (a.Slow || !a.OpenUntil.IsZero()) {
			others = append(others, a.url)
		}
	}
	return others, err
}
