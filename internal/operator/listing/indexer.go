package listing

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/internal/store"
)

// Orders is what an Indexer reads of the main table.
type Orders interface {
	List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error)
}

// Documents is what an Indexer needs of the listing table.
type Documents interface {
	Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error)
	Save(ctx context.Context, now time.Time, records ...store.Record) error
}

// Indexer lists the payments of orders. Make one with NewIndexer.
type Indexer struct {
	orders  Orders
	listing Documents
	now     func() time.Time
	ttl     time.Duration

	daily *store.Cache[bool] // the entries of days that are stored: of active owners and of last uses
	open  *store.Cache[bool] // days that are known to have no sums yet
}

// NewIndexer makes an indexer. What it lists is stored for ttl after the payment began.
func NewIndexer(orders Orders, listing Documents, now func() time.Time, ttl time.Duration) Indexer {
	return Indexer{orders, listing, now, ttl, &store.Cache[bool]{}, &store.Cache[bool]{}}
}

// atOnce is how many orders are indexed at the same time.
const atOnce = 8

// Index lists what is stored of orders now, which are named by their partitions (order/<order hash>). How often an
// order is named, and in which order, makes no difference. It returns the partitions that failed, and the first of
// their errors.
func (x Indexer) Index(ctx context.Context, orders []string) (failed []string, err error) {
	orders = slices.Compact(slices.Sorted(slices.Values(orders)))
	errs := each(orders, func(order string) error { return x.index(ctx, order) })
	for i, order := range orders {
		if errs[i] != nil {
			failed = append(failed, order)
		}
	}
	if len(failed) == 0 {
		return nil, nil
	}
	first := errs[slices.IndexFunc(errs, func(err error) bool { return err != nil })]
	return failed, fmt.Errorf("index %d of %d orders: %w", len(failed), len(orders), first)
}

// each does something for each order, and returns their errors.
func each(orders []string, do func(order string) error) []error {
	errs := make([]error, len(orders))
	free := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i, order := range orders {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			errs[i] = do(order)
		})
	}
	running.Wait()
	return errs
}

// index lists one order.
func (x Indexer) index(ctx context.Context, order string) error {
	put := map[store.Key]bool{} // by a try that met a conflict
	return repeat(func() error { return x.tryIndex(ctx, order, put) })
}

// repeat repeats a change while it meets conflicts.
func repeat(try func() error) error {
	for range store.ConflictTries {
		if err := try(); !store.IsConflict(err) {
			return err
		}
	}
	return store.ErrConflicts
}

// read returns what is listed of an order now.
func (x Indexer) read(ctx context.Context, order string) ([]entry, error) {
	if !strings.HasPrefix(order, store.OrderPartition("")) {
		return nil, nil
	}
	const page = 1000
	var records []store.Record
	for query := (store.Query{Partition: order, Limit: page}); ; {
		more, err := x.orders.List(ctx, x.now(), query)
		if err != nil {
			return nil, fmt.Errorf("list order: %w", err)
		}
		if records = append(records, more...); len(more) < page {
			return entriesOf(records, x.now(), x.ttl)
		}
		query.Before = more[page-1].Key.Sort
	}
}

// compare returns what is listed of an order now, and which of the documents that it is about are stored. Nobody has
// made a stored row of later documents of the order, unless these are lost since.
func (x Indexer) compare(
	ctx context.Context, order string, about func(*entry) []store.Record,
) (entries []entry, stored map[store.Key]store.Record, err error) {
	entries, err = x.read(ctx, order)
	if err != nil || len(entries) == 0 {
		return nil, nil, err
	}
	var keys []store.Key
	for i := range entries {
		for _, r := range about(&entries[i]) {
			keys = append(keys, r.Key)
		}
	}
	records, err := x.listing.Get(ctx, x.now(), keys...)
	if err != nil {
		return nil, nil, err
	}
	stored = map[store.Key]store.Record{}
	for _, r := range records {
		stored[r.Key] = r
	}
	for _, e := range entries {
		var row Row
		if err := stored[e.record.Key].Decode(&row); err != nil {
			return nil, nil, err
		}
		if row.newerThan(&e.Row) {
			entries, err = x.read(ctx, order) // what a row was made of could be read before the row was stored
			return entries, stored, err
		}
	}
	return entries, stored, nil
}

func (x Indexer) tryIndex(ctx context.Context, order string, put map[store.Key]bool) error {
	entries, stored, err := x.compare(ctx, order, func(e *entry) []store.Record { return []store.Record{e.record} })
	if err != nil {
		return err
	}
	for _, e := range entries {
		r := stored[e.record.Key]
		listed := same(r, e.record)
		if listed && len(put) == 0 {
			continue
		}
		var before Row
		if err := r.Decode(&before); err != nil {
			return err
		}
		if err := x.change(ctx, e, &before, put); err != nil {
			return err
		}
		if listed {
			continue
		}
		e.record.Version = r.Version
		if err := x.listing.Save(ctx, x.now(), e.record); err != nil {
			return err
		}
	}
	return nil
}

func same(a, b store.Record) bool { return bytes.Equal(a.Doc, b.Doc) && a.ExpiresAt.Equal(b.ExpiresAt) }

// isRight reports whether a document is stored as an order leads to it. A last use of another order may be later.
func isRight(stored, r store.Record) bool {
	if store.IsUsed(r.Key) {
		return stored.Version > 0 && !stored.ExpiresAt.Before(r.ExpiresAt)
	}
	return same(stored, r)
}

// change stores what an entry has beside its row, and deletes what it had before or what a try has put that met a
// conflict. The row is stored last, so that it has only what is there.
func (x Indexer) change(ctx context.Context, e entry, before *Row, put map[store.Key]bool) error {
	for i, find := range e.finds {
		if slices.Contains(before.Handles, e.Handles[i]) {
			continue
		}
		put[find.Key] = true
		if err := x.put(ctx, find); err != nil {
			return err
		}
	}
	lines := e.lines
	if n := before.Lines; n <= len(lines) && hashOf(lines[:n]) == before.LinesHash {
		lines = lines[n:]
	}
	for _, line := range lines {
		if err := x.saveLine(ctx, line); err != nil {
			return err
		}
	}
	gone := map[store.Key]bool{}
	for key := range put {
		if strings.HasPrefix(key.Sort, e.record.Key.Sort[:16]) {
			gone[key] = true
		}
	}
	for _, handle := range before.Handles {
		key, err := store.FindKey(handle, e.Owner, e.PaymentID)
		if err != nil {
			return err
		}
		gone[key] = true
	}
	for _, find := range e.finds {
		delete(gone, find.Key)
	}
	for key := range gone {
		if err := x.listing.Save(ctx, x.now(), store.Record{Key: key, Delete: true}); err != nil {
			return err
		}
	}
	for _, r := range slices.Concat(e.active, e.used) {
		name := r.Key.Partition + "/" + r.Key.Sort + string(r.Doc)
		_, err := x.daily.Get(name, x.now(), 24*time.Hour, func() (bool, error) { return true, x.put(ctx, r) })
		if err != nil {
			return err
		}
	}
	return nil
}

// put stores a document that is usually not there yet.
func (x Indexer) put(ctx context.Context, r store.Record) error {
	again := false
	update := store.Update{Doing: "store list", Store: x.listing, Now: x.now}
	return update.Do(ctx, func(now time.Time) ([]store.Record, error) {
		if again {
			stored, err := x.listing.Get(ctx, now, r.Key)
			if err != nil {
				return nil, err
			}
			if r.Version = stored[0].Version; r.Version > 0 && isRight(stored[0], r) {
				return nil, nil
			}
		}
		again = true
		return []store.Record{r}, nil
	})
}
