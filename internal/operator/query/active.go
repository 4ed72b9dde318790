package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/store"
)

// activeOwners returns those owners in their order that have something of a day.
func (r *dayReader) activeOwners(ctx context.Context, at time.Time) ([]string, error) {
	if r.visible == nil && len(r.owners) == 1 && r.until.Sub(r.from) <= day {
		return r.owners, nil // to ask takes as long as to read
	}
	if r.active == nil || at.Before(r.activeFrom) {
		read := r.readActive
		if r.visible != nil {
			read = r.listActive
		}
		r.active = map[string][]string{}
		if err := read(ctx, at); err != nil {
			return nil, err
		}
	}
	return r.active[at.Format(time.DateOnly)], nil
}

// listActive reads all owners that are active on a day and those before it: twice as many days each time, so that a
// first page takes one request and many days without payments take few round trips.
func (r *dayReader) listActive(ctx context.Context, at time.Time) error {
	r.days = min(max(1, 2*r.days), max(1, mostRequests-r.requests), mostDays)
	r.activeFrom = at.Add(-day * time.Duration(r.days-1))
	if least := r.from.UTC().Truncate(day); r.activeFrom.Before(least) {
		r.activeFrom = least
	}
	found := make([][]store.Record, int(at.Sub(r.activeFrom)/day)+1)
	r.requests += len(found)
	err := store.Concurrently(len(found), func(i int) (err error) {
		query := store.ActiveOf(at.Add(-day * time.Duration(i)))
		query.Limit = mostOwners
		found[i], err = r.reads.core.Store.List(ctx, r.reads.core.Now(), query)
		return err
	})
	if err != nil {
		return fmt.Errorf("list active merchants: %w", err)
	}
	for i, records := range found {
		date := at.Add(-day * time.Duration(i)).Format(time.DateOnly)
		for _, record := range slices.Backward(records) {
			if r.visible(record.Key.Sort) {
				r.active[date] = append(r.active[date], record.Key.Sort)
			}
		}
	}
	return nil
}

// readActive reads which of the owners are active on a day, and on as many days before it as one request takes.
func (r *dayReader) readActive(ctx context.Context, at time.Time) error {
	r.activeFrom = at.Add(-day * time.Duration(max(mostActive/len(r.owners), 1)-1))
	var keys []store.Key
	for d := at; !d.Before(r.activeFrom) && d.Add(day).After(r.from); d = d.Add(-day) {
		for _, owner := range r.owners {
			keys = append(keys, store.ActiveKey(owner, d))
		}
	}
	r.requests += (len(keys)-1)/mostActive + 1
	records, err := r.reads.core.Store.Get(ctx, r.reads.core.Now(), keys...)
	if err != nil {
		return fmt.Errorf("read active merchants: %w", err)
	}
	for _, record := range records {
		if record.Version > 0 {
			date := strings.TrimPrefix(record.Key.Partition, "active/")
			r.active[date] = append(r.active[date], record.Key.Sort)
		}
	}
	return nil
}
