package audit

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// Query chooses entries.
type Query struct {
	Since, Until time.Time // zero Since: all that have not expired
	Who          string    // of this person alone; "": of anybody
	Cursor       string    // of the page before
	Limit        int       // entries of a page
}

// Page is a page of entries, the latest first. It may be empty and have a cursor.
type Page struct {
	Entries    []Entry   `json:"entries"`
	Cursor     string    `json:"cursor,omitempty"` // of the next page; "": there is none
	SearchedTo time.Time `json:"searched_to"`      // everything later was looked at
}

// The most that one call reads.
const (
	mostDays      = 31
	mostDocuments = 1_000 // for the entries of one person
)

// List returns a page of entries, of 31 days at most. Errors: CodeInvalid for a cursor.
func List(ctx context.Context, from store.Store, q Query) (Page, error) {
	if oldest := q.Until.Add(-ttl); q.Since.Before(oldest) {
		q.Since = oldest
	}
	l := lister{from: from, query: q, left: q.Limit, place: place{Day: dayOf(q.Until)}}
	if q.Who != "" {
		l.left = mostDocuments
	}
	if err := readCursor(q.Cursor, &l.place); err != nil {
		return Page{}, err
	}
	l.page = Page{Entries: []Entry{}, SearchedTo: l.Day.AddDate(0, 0, 1)}
	for range mostDays {
		ended, err := l.readDay(ctx)
		if err != nil {
			return Page{}, err
		}
		if !ended {
			break
		}
		if l.page.SearchedTo = l.Day; !l.Day.After(q.Since) {
			l.page.SearchedTo = q.Since.UTC()
			return l.page, nil
		}
		l.place = place{Day: l.Day.AddDate(0, 0, -1)}
	}
	l.page.Cursor = store.Cursor(l.place)
	return l.page, nil
}

// place is where a page ends.
type place struct {
	Day   time.Time                 `json:"day"`
	Sorts [store.AuditShards]string `json:"sorts"` // of the last documents in its shards; "": none of the shard
}

// lister reads a page.
type lister struct {
	from  store.Store
	query Query
	page  Page
	left  int // documents that may be read
	place
}

// stored is an entry with the Sort of its document.
type stored struct {
	Entry
	sort string
}

// readDay reads from the place on to the end of its day. It returns false if the page is full before that.
func (l *lister) readDay(ctx context.Context) (ended bool, err error) {
	var shards [store.AuditShards][]stored
	for n := range shards {
		if shards[n], err = l.readShard(ctx, n); err != nil {
			return false, err
		}
	}
	for {
		latest := -1
		for n, shard := range shards {
			if len(shard) > 0 && (latest < 0 || shard[0].At.After(shards[latest][0].At)) {
				latest = n
			}
		}
		if latest < 0 {
			return true, nil
		}
		if l.left == 0 || len(l.page.Entries) == l.query.Limit {
			return false, nil
		}
		l.take(shards[latest][0].Entry)
		l.Sorts[latest], shards[latest] = shards[latest][0].sort, shards[latest][1:]
	}
}

func (l *lister) take(e Entry) {
	l.left--
	l.page.SearchedTo = e.At
	if !e.At.Before(l.query.Since) && !e.At.After(l.query.Until) && (l.query.Who == "" || e.Who == l.query.Who) {
		l.page.Entries = append(l.page.Entries, e)
	}
}

// readShard reads one document more than may be taken, so that it is known whether there are more.
func (l *lister) readShard(ctx context.Context, shard int) ([]stored, error) {
	query := store.AuditOf(l.Day, shard, l.left+1)
	query.Before = l.Sorts[shard]
	records, err := l.from.List(ctx, l.query.Until, query)
	if err != nil {
		return nil, fmt.Errorf("list audit documents: %w", err)
	}
	all := make([]stored, len(records))
	for i, r := range records {
		if err := r.Decode(&all[i].Entry); err != nil {
			return nil, err
		}
		all[i].sort = r.Key.Sort
	}
	return all, nil
}

func dayOf(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// readCursor reads where a page ends. It leaves the place as it is for "".
func readCursor(cursor string, place any) error {
	if cursor == "" {
		return nil
	}
	if store.ReadCursor(cursor, place) != nil {
		return fault.Refuse(fault.CodeInvalid, "No page ends there.")
	}
	return nil
}
