package query

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/words"
	"checkout/internal/store"
)

// Found is what Find has found, the latest first.
type Found struct {
	Rows []Row  `json:"rows"`
	By   string `json:"by"` // what was searched for, in words: "order number, e-mail address or an id"
	More bool   `json:"more,omitempty"`
	Note string `json:"note,omitempty"` // what would help: "name the day of the payment as well"
}

// What a text is searched as.
const (
	byOurID = "id of a payment, session or callback"
	byValue = "order number, e-mail address, token, or an id of the provider or of a request"
	byDay   = "last four digits, amount or approval code"
)

// foundEntries is how many find entries are read at once. Those of payments that the person may not see are left out.
const foundEntries = 1000

// Find finds payments by whatever a person has in the hand. That takes two requests to the store, whatever the value
// looks like: it is looked up as it is, and if no payment has it, or an id of ours is the same, an id of ours leads to
// its order, so that a payment is found at once, without the listing. Only what is both takes a third request, as does
// a value with a day behind it.
// The last four digits of a card, an amount and an approval code are searched in the payments of one day: that behind
// the text, that of f.From, or else today. Over several merchants that takes two requests for each of them that has
// any. Mode "" is both.
// Errors: CodeInvalid.
func (s *Reader) Find(ctx context.Context, by grant.Person, text string, f Filter) (Found, error) {
	h := parseHandle(text)
	if err := f.check(); err != nil {
		return Found{}, err
	}
	switch {
	case h.text == "" || len(h.text) > maxHandle || fault.Printable(h.text, maxHandle) != h.text:
		return Found{}, fault.At("q", fmt.Sprintf("It should have 1 to %d printable characters.", maxHandle))
	case h.isCardNumber():
		return Found{Rows: []Row{}, Note: "Don't enter the number of a card: its last four digits and the day of the " +
			"payment are enough, such as 4242 2026-11-23."}, nil
	}
	if h.day.IsZero() && !f.From.IsZero() {
		h.day = f.From.UTC().Truncate(day)
	}
	if h.needsDay() && !h.day.IsZero() {
		return s.findInDay(ctx, by, h, f)
	}
	if h.whole != h.text { // a value may end as a day
		found, _, err := s.findByValue(ctx, by, handle{text: h.whole}, f)
		if err != nil || len(found.Rows) > 0 {
			return found, err
		}
	}
	found, ours, err := s.findByValue(ctx, by, h, f)
	if err == nil && ours {
		var rows []Row
		rows, err = s.findInOrder(ctx, by, h, f)
		found.addOrder(rows)
	}
	if err != nil || len(found.Rows) > 0 || !h.needsDay() {
		return found, err
	}
	return s.findInDay(ctx, by, h, f)
}

// addOrder adds the payment with an id, or those of a session, to what was found by the same value.
func (found *Found) addOrder(rows []Row) {
	if len(rows) == 0 {
		return
	}
	if found.By = byOurID; len(found.Rows) > 0 {
		found.By += ", " + byValue
	}
	for _, row := range found.Rows {
		if !slices.ContainsFunc(rows, func(other Row) bool { return other.ID == row.ID }) {
			rows = append(rows, row)
		}
	}
	found.Rows = rows
}

// findInOrder finds the payment with an id, or those of a session.
func (s *Reader) findInOrder(ctx context.Context, by grant.Person, h handle, f Filter) ([]Row, error) {
	now := s.core.Now()
	records, err := s.core.Store.List(ctx, now, store.Query{
		Partition: store.OrderPartition(h.order), Limit: words.HistoryLimit,
	})
	if err != nil {
		return nil, fmt.Errorf("list order: %w", err)
	}
	listed, err := listing.RowsOf(records, now)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{h.payment: true}
	if h.session != "" {
		o, err := words.ReadOrder(records)
		if err != nil {
			return nil, err
		}
		wanted = o.PaymentsOf(h.session)
	}
	rows := []Row{}
	for _, r := range listed {
		row, ok := rowFor(by, grant.Find, r, now)
		if ok && wanted[row.ID] && f.chooses(row) {
			rows = append(rows, row)
		}
	}
	return latestFirst(rows), nil
}

// chooses reports whether a row is of the merchant and mode that are named, if any are.
func (f Filter) chooses(row Row) bool { return is(f.Merchant, row.Merchant) && is(f.Mode, row.Mode) }

func latestFirst(rows []Row) []Row {
	slices.SortStableFunc(rows, func(a, b Row) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return rows
}

// findByValue finds payments by a value that is listed. ours is whether the value may be an id of ours as well: one
// in whose form it is, if no payment has the value, else one that is stored.
func (s *Reader) findByValue(ctx context.Context, by grant.Person, h handle, f Filter) (
	found Found, ours bool, err error,
) {
	found = Found{Rows: []Row{}, By: byValue}
	entries, err := s.core.Store.List(ctx, s.core.Now(), store.FindBy(listing.Handle(h.text), foundEntries))
	if err != nil {
		return found, false, fmt.Errorf("find payments: %w", err)
	}
	var keys []store.Key
	for _, entry := range entries {
		owner, key, err := store.FoundIn(entry.Key)
		if err != nil {
			return found, false, fmt.Errorf("find payments: %w", err)
		}
		o := ownerOf(owner)
		if is(f.Merchant, o.Merchant) && is(f.Mode, modeOf(o)) && by.Level(grant.Find, o) > grant.None {
			keys = append(keys, key)
		}
	}
	if found.More = len(entries) == foundEntries || len(keys) > f.rows(); found.More {
		found.Note = "There are more: name the merchant, or search for something that fewer payments have."
	}
	own := h.keys()
	if keys = keys[:min(len(keys), f.rows(), 100-len(own))]; len(keys) == 0 {
		return found, len(own) > 0, nil
	}
	records, err := s.core.Store.Get(ctx, s.core.Now(), append(own, keys...)...)
	if err != nil {
		return found, false, fmt.Errorf("read what was found: %w", err)
	}
	for _, record := range records[:len(own)] {
		ours = ours || record.Version > 0
	}
	for _, record := range records[len(own):] {
		row, ok, err := s.rowIn(by, record)
		if err != nil {
			return found, false, err
		}
		if ok {
			found.Rows = append(found.Rows, row)
		}
	}
	return found, ours, nil
}

// findInDay searches the payments of a day for the last four digits, an amount or an approval code: those of the
// merchants that the person may see and that have any, if these are not too many.
func (s *Reader) findInDay(ctx context.Context, by grant.Person, h handle, f Filter) (Found, error) {
	found := Found{Rows: []Row{}, By: byDay}
	named := !h.day.IsZero()
	if !named {
		h.day = s.core.Now().UTC().Truncate(day)
	}
	f.From, f.Until = h.day, h.day.Add(day)
	owners, err := s.ownersOfDay(ctx, by, f)
	switch {
	case err != nil:
		return found, err
	case len(owners) > groupOwners:
		found.By = byValue
		found.Note = "Name the merchant to search for the last four digits, an amount or an approval code as well."
		return found, nil
	}
	found.Note = fmt.Sprintf("The payments of %s (UTC) were searched.", h.day.Format(time.DateOnly))
	if !named {
		found.By = byValue + "; " + byDay
		found.Note += " For another day put it behind: " + h.text + " " + h.day.Add(-day).Format(time.DateOnly)
	}
	records, most := make([][]store.Record, len(owners)*store.ListingShards), mostDocuments/max(1, len(owners))
	err = store.Concurrently(len(records), func(i int) (err error) {
		query := store.RowsOf(owners[i/store.ListingShards], h.day, i%store.ListingShards)
		query.Limit = most
		records[i], err = s.core.Store.List(ctx, s.core.Now(), query)
		return err
	})
	if err != nil {
		return found, fmt.Errorf("list payments: %w", err)
	}
	for _, part := range records {
		for _, record := range part {
			row, ok, err := s.rowIn(by, record)
			if err != nil {
				return found, err
			}
			if ok && h.fits(row) {
				found.Rows = append(found.Rows, row)
			}
		}
		found.More = found.More || len(part) == most
	}
	latestFirst(found.Rows)
	if n := f.rows(); len(found.Rows) > n {
		found.Rows, found.More = found.Rows[:n], true
	}
	return found, nil
}

// ownersOfDay returns whose payments of the filter's one day a person may see. Of several only those that have any.
func (s *Reader) ownersOfDay(ctx context.Context, by grant.Person, f Filter) (owners []string, err error) {
	modes := []string{f.Mode}
	if f.Mode == "" {
		modes = []string{string(grant.Live), string(grant.Test)}
	}
	all := false
	for _, f.Mode = range modes {
		named, every := f.owners(by, grant.Find)
		owners, all = append(owners, named...), all || every
	}
	if !all && len(owners) <= 1 {
		return owners, nil
	}
	r := s.newReader(f, by, grant.Find)
	if r.owners, r.visible = owners, nil; all {
		r.visible = func(owner string) bool {
			return slices.ContainsFunc(modes, func(mode string) bool {
				f.Mode = mode
				return f.visible(by, grant.Find, owner)
			})
		}
	}
	return r.activeOwners(ctx, f.From)
}
