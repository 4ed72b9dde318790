package query

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/handle"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/words"
	"checkout/internal/store"
)

// Found is one page of what Find has found, the latest first.
type Found struct {
	Rows   []Row  `json:"rows"`
	By     string `json:"by"`               // as what the text was searched for, in words
	Cursor string `json:"cursor,omitempty"` // of the next page; "": all was searched
	Note   string `json:"note,omitempty"`   // what would help
	// Of payments that were looked at one by one: how many by this page, and from when on all were. Of what is found by
	// its find entries both are empty, unless there is a further page.
	Searched   int       `json:"searched,omitempty"`
	SearchedTo time.Time `json:"searched_to,omitzero"`
}

// byOurID is said where the text is an id of ours.
const byOurID = "id of a payment, session or callback"

// foundEntries is how many find entries of a value are read at once. Those of payments that the person may not see are
// left out.
const foundEntries = 1000

// Find finds payments by whatever a person has in the hand. That takes two requests to the store, whatever the value
// looks like: it is looked up as it is, and if no payment has it, or an id of ours is the same, an id of ours leads to
// its order, so that a payment is found at once, without the listing. Only what is both takes a third request, as does
// a value with a day behind it.
// Digits of a card, an amount and an approval code are searched in the payments one by one: in those of a day behind or
// before the text, of the filter's time, or else from now on back, page by page. Mode "" is both. Days are in f.Zone.
// Errors: CodeInvalid.
func (s *Reader) Find(ctx context.Context, by grant.Person, text string, f Filter) (Found, error) {
	h := handle.Parse(text, s.core.Now().In(f.zone()))
	from, err := parseFindPosition(f.Cursor)
	if err == nil {
		err = f.check()
	}
	switch {
	case err != nil:
		return Found{}, err
	case h.Whole == "" || len(h.Whole) > handle.Longest || fault.Printable(h.Whole, handle.Longest) != h.Whole:
		return Found{}, fault.At("q", fmt.Sprintf("It should have 1 to %d printable characters.", handle.Longest))
	case h.IsCardNumber():
		return Found{Rows: []Row{}, Note: "Don't enter the number of a card: its last four digits and the day of the " +
			"payment are enough, such as 4242 2026-11-23."}, nil
	}
	if h.Day != (handle.Day{}) {
		f.From, f.Until = h.Day.From, h.Day.Until
	}
	all := search{s, by, h, f}
	if from.Rows != nil {
		return all.inRows(ctx, *from.Rows)
	}
	found, err := all.listed(ctx, from.Entry)
	switch {
	case err != nil || len(found.Rows) > 0 || found.Cursor != "" || h.Ask != "" || !h.InRows():
		return found, err
	}
	return all.inRows(ctx, position{})
}

// search is what a person searches for.
type search struct {
	*Reader
	by grant.Person
	h  handle.Handle
	f  Filter
}

// findPosition is where a page of what is found ends: behind a find entry, or in rows.
type findPosition struct {
	Entry string    `json:"e,omitempty"` // its Sort
	Rows  *position `json:"r,omitempty"`
}

func parseFindPosition(text string) (p findPosition, err error) {
	if text == "" {
		return p, nil
	}
	if err = store.ReadCursor(text, &p); err == nil && p.Rows != nil {
		_, err = parsePosition(p.Rows.String())
	}
	if err != nil {
		return findPosition{}, errPage()
	}
	return p, nil
}

// listed finds payments by a value that is listed, or by an id of ours: with a day behind the value as it is typed
// first, unless that makes it something that is searched in rows.
func (s search) listed(ctx context.Context, before string) (Found, error) {
	h, f := s.h, s.f
	if h.InRows() && h.Text != "" && !f.From.IsZero() {
		return Found{}, nil
	}
	if h.Whole != h.Text && before == "" { // a value may end as a day
		whole := s
		whole.h, whole.f.From, whole.f.Until = handle.Handle{Text: h.Whole}, time.Time{}, time.Time{}
		found, _, err := whole.byValue(ctx, "")
		if err != nil || len(found.Rows) > 0 || h.Text == "" {
			return found, err
		}
	}
	found, ours, err := s.byValue(ctx, before)
	if err == nil && ours && before == "" {
		var rows []Row
		rows, err = s.inOrder(ctx)
		found.addOrder(rows, h)
	}
	switch {
	case h.Ask != "":
		found.Note = h.Ask
	case len(found.Rows) > 0 && h.InRows():
		found.Note = fmt.Sprintf("To search it as %s too, name a day: %s %s", h.RowWords(), h.Text,
			s.core.Now().In(f.zone()).Format(time.DateOnly))
	}
	return found, err
}

// addOrder adds the payment with an id, or those of a session, to what was found by the same value.
func (found *Found) addOrder(rows []Row, h handle.Handle) {
	if len(rows) == 0 {
		return
	}
	if found.By = byOurID; len(found.Rows) > 0 {
		found.By += ", " + h.ValueWords()
	}
	for _, row := range found.Rows {
		if !slices.ContainsFunc(rows, func(other Row) bool { return other.ID == row.ID }) {
			rows = append(rows, row)
		}
	}
	found.Rows = rows
}

// inOrder finds the payment with an id, or those of a session.
func (s search) inOrder(ctx context.Context) ([]Row, error) {
	now := s.core.Now()
	query := store.Query{Partition: store.OrderPartition(s.h.Order), Limit: words.HistoryLimit}
	records, err := s.core.Store.List(ctx, now, query)
	if err != nil {
		return nil, fmt.Errorf("list order: %w", err)
	}
	listed, err := listing.RowsOf(records, now)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{s.h.Payment: true}
	if s.h.Session != "" {
		o, err := words.ReadOrder(records)
		if err != nil {
			return nil, err
		}
		wanted = o.PaymentsOf(s.h.Session)
	}
	rows := []Row{}
	for _, r := range listed {
		row, ok := rowFor(s.by, grant.Find, r, now)
		if ok && wanted[row.ID] && is(s.f.Merchant, row.Merchant) && is(s.f.Mode, row.Mode) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return rows, nil
}
