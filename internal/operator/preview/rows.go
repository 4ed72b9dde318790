package preview

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/store"
)

// The most that one preview looks at. Several rows may be of one session, and payments that the merchant made without
// the payer have rows and no session.
const (
	mostSessions = 2_000
	mostRows     = 3 * mostSessions
)

const (
	day      = 24 * time.Hour
	searched = 7 * day // for as long a session is stored at least
)

// pageOfRows is how many rows of a partition are read at once.
const pageOfRows = 1_000

// find reads rows day by day, the latest first, until there are enough. If that is before all are read, it sets from
// to the time of the last one.
func (f *finder) find(ctx context.Context) error {
	end := f.now.Add(time.Second) // clocks differ
	for at := end.UTC().Truncate(day); at.Add(day).After(f.from); at = at.Add(-day) {
		for before := store.RowsBefore(end); before != ""; {
			ids, next, err := f.page(ctx, at, before)
			if err != nil {
				return err
			}
			for len(ids) > 0 {
				n := min(len(ids), mostSessions-len(f.sessions), mostRows-f.rows)
				if n == 0 {
					f.from, err = store.IDTime(f.last)
					return err
				}
				if err := f.readSessions(ctx, ids[:n]); err != nil {
					return err
				}
				f.rows, f.last = f.rows+n, ids[n-1]
				ids = ids[n:]
			}
			before = next
		}
	}
	return nil
}

// page returns the payment ids of the latest rows of a day before a Sort, the latest first, and the Sort that the next
// page begins before, "" if there is none.
func (f *finder) page(ctx context.Context, at time.Time, before string) (ids []string, next string, err error) {
	parts := make([][]store.Record, len(f.owners)*store.ListingShards)
	err = store.Concurrently(len(parts), func(i int) (err error) {
		query := store.RowsOf(f.owners[i/store.ListingShards], at, i%store.ListingShards)
		query.Before, query.Limit = before, pageOfRows
		parts[i], err = f.docs.List(ctx, f.now, query)
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("list payments: %w", err)
	}
	least := store.RowsBefore(f.from)
	for _, part := range parts {
		if len(part) == pageOfRows {
			next = max(next, part[len(part)-1].Key.Sort) // nothing later is missing
		}
	}
	if next < least { // what is left is too old
		next = ""
	}
	rows := slices.DeleteFunc(slices.Concat(parts...),
		func(r store.Record) bool { return r.Key.Sort < max(next, least) })
	slices.SortFunc(rows, func(a, b store.Record) int { return strings.Compare(b.Key.Sort, a.Key.Sort) })
	for _, r := range rows {
		_, id, err := store.RowOf(r.Key)
		if err != nil {
			return nil, "", err
		}
		ids = append(ids, id)
	}
	return ids, next, nil
}
