package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// byValue finds payments by a value that is listed, before a find entry. ours is whether the value may be an id of
// ours as well: one in whose form it is, if no payment has the value, else one that is stored.
func (s search) byValue(ctx context.Context, before string) (found Found, ours bool, err error) {
	h, f := s.h, s.f
	found = Found{Rows: []Row{}, By: h.ValueWords()}
	entries, end, err := s.entries(ctx, before)
	if err != nil {
		return found, false, err
	}
	var keys []store.Key
	own, more := h.Keys(), end
	most := min(f.rows(), 100-len(own))
	for _, entry := range entries {
		owner, key, err := store.FoundIn(entry)
		if err != nil {
			return found, false, fmt.Errorf("find payments: %w", err)
		}
		o := ownerOf(owner)
		if !is(f.Merchant, o.Merchant) || !is(f.Mode, modeOf(o)) || s.by.Level(grant.Find, o) == grant.None {
			continue
		}
		if len(keys) == most {
			more = before
			break
		}
		keys, before = append(keys, key), entry.Sort
	}
	if more != "" {
		found.Cursor = store.Cursor(findPosition{Entry: more})
		if at, err := store.RowTime(more); err == nil {
			found.SearchedTo = at.UTC()
		}
	}
	if len(keys) == 0 {
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
		row, ok, err := s.rowIn(s.by, record)
		if err != nil {
			return found, false, err
		}
		if ok {
			found.Rows = append(found.Rows, row)
		}
	}
	return found, ours, nil
}

// entries returns the keys of the find entries of a value before one of them, of the filter's time, the latest first:
// as many as all were read of. end is the Sort where that ends, "" if there is nothing before it.
func (s search) entries(ctx context.Context, before string) (keys []store.Key, end string, err error) {
	f := s.f
	if f.Until.After(f.From) {
		if until := store.RowsBefore(f.Until); before == "" || until < before {
			before = until
		}
	}
	listed := s.h.Listed()
	found := make([][]store.Record, len(listed))
	err = store.Concurrently(len(listed), func(i int) (err error) {
		query := store.FindBy(listed[i], foundEntries)
		query.Before = before
		found[i], err = s.core.Store.List(ctx, s.core.Now(), query)
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("find payments: %w", err)
	}
	for _, records := range found {
		if len(records) == foundEntries {
			end = max(end, records[foundEntries-1].Key.Sort)
		}
		for _, r := range records {
			keys = append(keys, r.Key)
		}
	}
	slices.SortFunc(keys, func(a, b store.Key) int { return strings.Compare(b.Sort, a.Sort) })
	keys = slices.CompactFunc(keys, func(a, b store.Key) bool { return a.Sort == b.Sort })
	least := end
	if f.Until.After(f.From) && store.RowsBefore(f.From) >= end {
		least, end = store.RowsBefore(f.From), ""
	}
	return slices.DeleteFunc(keys, func(k store.Key) bool { return k.Sort < least }), end, nil
}

// inRows searches payments one by one for digits of a card, an amount or an approval code, from a position on.
func (s search) inRows(ctx context.Context, from position) (Found, error) {
	h, f := s.h, s.f
	found := Found{Rows: []Row{}, By: h.RowWords()}
	if f.From.IsZero() {
		found.By = h.ValueWords() + "; " + found.By
	}
	r := s.rowReader(f, s.by, f.modes()...)
	r.page = mostRows
	r.take = func(record store.Record) (bool, error) {
		row, ok, err := s.rowIn(s.by, record)
		switch {
		case err != nil || !ok:
			return true, err
		case h.Fits(row.Row) && len(found.Rows) == f.rows():
			return false, nil
		case h.Fits(row.Row):
			found.Rows = append(found.Rows, row)
		}
		found.Searched++
		return true, nil
	}
	next, to, err := r.read(ctx, from)
	found.SearchedTo, found.Note = to.UTC(), r.note()
	if next != nil {
		found.Cursor = store.Cursor(findPosition{Rows: next})
	}
	return found, err
}
