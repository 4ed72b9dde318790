package query

import (
	"context"
	"time"

	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
)

// Lines is one page of the journal, the latest line first.
type Lines struct {
	Lines      []listing.Line
	Cursor     string    // of the next page; "": there is none
	SearchedTo time.Time // all later lines are there
}

// Journal returns the lines of the journal of what a filter chooses, without From those of the day of Until. One page
// has at most about 5,000 lines, or Limit if that is set. Errors: CodeInvalid.
func (s *Reader) Journal(ctx context.Context, by grant.Person, f Filter) (Lines, error) {
	from, err := parsePosition(f.Cursor)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return Lines{}, err
	}
	if f.From.IsZero() {
		f.From = s.dayOf(f)
	}
	r := s.newReader(f, by, grant.Sums, f.Mode)
	r.of, r.before, r.timeOf = store.LinesOf, store.LinesBefore, store.LineTime
	var all Lines
	r.take = func(record store.Record) (bool, error) {
		if f.Limit > 0 && len(all.Lines) >= f.Limit {
			return false, nil
		}
		var line listing.Line
		if err := record.Decode(&line); err != nil {
			return false, err
		}
		if f.takesLine(line) {
			all.Lines = append(all.Lines, line)
		}
		return true, nil
	}
	next, searchedTo, err := r.read(ctx, from)
	all.SearchedTo = searchedTo
	if err == nil && f.byRow() {
		err = s.ofChosenPayments(ctx, by, f, &all)
	}
	if next != nil {
		all.Cursor = next.String()
	}
	return all, err
}

// Totals sums up the lines that Journal returns of a filter: of past days from their sums, which it stores, where the
// filter chooses by nothing else than what these know. Errors: CodeInvalid.
func (s *Reader) Totals(ctx context.Context, by grant.Person, f Filter) (listing.Totals, error) {
	if f.byRow() || f.ReasonCode != "" || f.Limit > 0 {
		lines, err := s.Journal(ctx, by, f)
		if err != nil {
			return listing.Totals{}, err
		}
		totals, err := listing.SumUp(lines.Lines, f.zone())
		totals.Cursor = lines.Cursor
		return totals, err
	}
	from, err := parsePosition(f.Cursor)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return listing.Totals{}, err
	}
	if f.From.IsZero() {
		f.From = s.dayOf(f)
	}
	t := newTotaller(f, s.newReader(f, by, grant.Sums, f.Mode))
	next, _, err := t.read(ctx, from)
	if err != nil {
		return listing.Totals{}, err
	}
	totals, err := t.adder.Totals()
	if next != nil {
		totals.Cursor = next.String()
	}
	return totals, err
}

// dayOf returns the beginning of the last day before f.Until, or of today, in the filter's zone.
func (s *Reader) dayOf(f Filter) time.Time {
	at := s.core.Now()
	if !f.Until.IsZero() && f.Until.Before(at) {
		at = f.Until.Add(-time.Millisecond)
	}
	year, month, day := at.In(f.zone()).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, f.zone())
}

// ofChosenPayments leaves those lines whose payments a filter chooses. It reads their rows.
func (s *Reader) ofChosenPayments(ctx context.Context, by grant.Person, f Filter, all *Lines) error {
	keys, chosen := []store.Key(nil), map[string]bool{}
	for _, line := range all.Lines {
		if _, known := chosen[line.PaymentID]; known {
			continue
		}
		chosen[line.PaymentID] = false
		key, err := store.RowKey(line.Mode+"/"+line.Merchant, line.PaymentID)
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil
	}
	records, err := s.core.Store.Get(ctx, s.core.Now(), keys...)
	if err != nil {
		return err
	}
	for _, record := range records {
		row, ok, err := s.rowIn(by, record)
		if err != nil {
			return err
		}
		chosen[row.ID] = ok && f.takesPayment(row)
	}
	lines := all.Lines[:0]
	for _, line := range all.Lines {
		if chosen[line.PaymentID] {
			lines = append(lines, line)
		}
	}
	all.Lines = lines
	return nil
}
