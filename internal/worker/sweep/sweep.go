// Package sweep lists due documents by kind and shard, and sends them to their queues, page by page and within a time
// limit.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"checkout/internal/metric"
	"checkout/internal/store"
)

const (
	maxTime   = 45 * time.Second // of a sweep; the next one starts a minute after this one
	margin    = 5 * time.Second  // before the function's time limit, to finish batches and store the cursors
	pageSize  = 100              // entries that are read at once, of each shard
	batchSize = 10               // the most documents that are sent at once
	// maxScanned is the most entries that one scan reads. An entry has about 100 bytes, and 4 KB cost half a read unit:
	// a scan costs half a unit if nothing is due, and 12.5 at most. Queries cost half a unit for each of 96 shards, so
	// 48 units if nothing is due. A listing with more entries costs both.
	maxScanned = 1000
	scanTime   = 5 * time.Second // the longest that the scan may take
)

// kinds are swept one after the other: first those of payments with the live key, then those with the test key. The
// first two have a time limit, so that there is always time for callbacks.
var kinds = []struct {
	kind   store.DueKind
	atMost time.Duration
}{{store.DuePayment, 20 * time.Second}, {store.DueChain, 10 * time.Second}, {store.DueCallback, maxTime}}

// Sweep sends due documents to their queues.
type Sweep struct {
	metric.Meter
	Store store.Store
	// Send sends due documents of a kind, at most batchSize, to their queue. refused is how many the queue refused.
	Send func(ctx context.Context, kind store.DueKind, test bool, batch []Due) (refused int, err error)
}

// Due is a due document: a payment, its chain, or one of its callbacks.
type Due struct {
	PaymentID string
	Seq       int // the number of a callback
}

// Run sends all due documents to their queues again, all shards of a kind at the same time, until all are sent or the
// time is over. It reads a short listing by one scan, and each shard of a longer one by queries. The next sweep
// continues where this one ended, so documents that stay due do not delay others. It changes no document of a payment,
// so two sweeps at the same time, or none for a day, lose and repeat nothing.
func (s Sweep) Run(ctx context.Context) error {
	until, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	if deadline, limited := ctx.Deadline(); limited {
		until, cancel = context.WithDeadline(until, deadline.Add(-margin))
		defer cancel()
	}
	var scanned store.DueListing
	var scan sync.WaitGroup
	scan.Go(func() { scanned = s.scan(until) })
	last, err := s.cursors(ctx)
	scan.Wait()
	errs := []error{err}
	for _, test := range []bool{false, true} {
		for _, part := range kinds {
			w := kindSweep{service: s, of: part.kind, kind: part.kind.Of(test), test: test, now: s.Now(), scanned: scanned}
			var end context.CancelFunc
			w.until, end = context.WithTimeout(until, part.atMost)
			errs = append(errs, w.run(ctx, last[w.kind]))
			end()
		}
	}
	return errors.Join(errs...)
}

// scan reads the whole due listing. It returns nil if the listing is too long or can't be read.
func (s Sweep) scan(ctx context.Context) store.DueListing {
	ctx, cancel := context.WithTimeout(ctx, scanTime)
	defer cancel()
	scanned, err := s.Store.AllDue(ctx, maxScanned)
	if err != nil {
		s.Log.WarnContext(ctx, "due listing not scanned, left to queries", "error", err)
	}
	return scanned
}

// kindSweep is a sweep of one kind.
type kindSweep struct {
	service Sweep
	of      store.DueKind // of payments with the live key
	test    bool
	kind    store.DueKind    // as it is listed
	now     time.Time        // documents that become due later are left to the next sweep
	until   context.Context  // after its end no batch is started; started ones are finished
	scanned store.DueListing // of all kinds, as it was before the first; nil: shards are listed by queries
}

// cursor says after which entry the next sweep of a kind continues, by shard. A shard without an entry was finished.
type cursor struct {
	After map[int]store.DueEntry `json:"after"`

	version int64
}

// Complete implements store.Shortened.
func (c *cursor) Complete(r store.Record) error {
	c.version = r.Version
	return nil
}

// cursors reads where the sweep of each kind goes on. A kind whose cursor could not be read has none: its sweep starts
// at the beginning.
func (s Sweep) cursors(ctx context.Context) (map[store.DueKind]*cursor, error) {
	var of []store.DueKind
	var keys []store.Key
	for i := range 2 * len(kinds) {
		of = append(of, kinds[i/2].kind.Of(i%2 > 0))
		keys = append(keys, store.SweepKey(of[i]))
	}
	records, err := s.Store.Get(ctx, s.Now(), keys...)
	if err != nil {
		return nil, fmt.Errorf("read where the sweep goes on: %w", err)
	}
	all, errs := map[store.DueKind]*cursor{}, []error(nil)
	for i, r := range records {
		var c cursor
		if err := r.Decode(&c); err != nil {
			errs = append(errs, fmt.Errorf("read where the sweep goes on: %w", err))
			continue
		}
		all[of[i]] = &c
	}
	return all, errors.Join(errs...)
}

// run sweeps the kind from its cursor on, which is nil if it could not be read, and stores the next one.
func (w kindSweep) run(ctx context.Context, stored *cursor) error {
	s := w.service
	last := cursor{}
	if stored != nil {
		last = *stored
	}
	shards := make([]shardSweep, w.kind.Shards())
	var group sync.WaitGroup
	for i := range shards {
		shards[i] = shardSweep{kindSweep: w, shard: i, start: last.After[i]}
		group.Go(func() { shards[i].run(ctx) })
	}
	group.Wait()
	w.report(ctx, shards)
	next := cursor{After: map[int]store.DueEntry{}}
	var errs []error
	for _, shard := range shards {
		if !shard.next.At.IsZero() {
			next.After[shard.shard] = shard.next
		}
		errs = append(errs, shard.err)
	}
	if stored != nil && len(last.After)+len(next.After) > 0 {
		err := s.Store.Save(ctx, w.now, store.Encode(store.SweepKey(w.kind), last.version, next))
		if err != nil && !store.IsConflict(err) { // on a conflict, the cursor of another sweep is stored
			errs = append(errs, fmt.Errorf("store where the sweep goes on: %w", err))
		}
	}
	return errors.Join(errs...)
}

// report measures for how long the oldest due document has been due, 0 if there is none. It measures nothing if a part
// of the listing could not be read.
func (w kindSweep) report(ctx context.Context, shards []shardSweep) {
	age, sent := time.Duration(0), 0
	for _, shard := range shards {
		if !shard.listed {
			return
		}
		if !shard.oldest.IsZero() {
			age = max(age, w.now.Sub(shard.oldest))
		}
		sent += shard.sent
	}
	line := metric.Line{
		Message:   "due",
		Test:      w.test,
		Dimension: "kind",
		Metrics:   []metric.Metric{{Name: "due_age", Unit: "Milliseconds", Value: age.Milliseconds()}},
	}
	w.service.Measure(ctx, line, slog.String("kind", string(w.kind)), slog.Int("sent", sent))
}

// shardSweep is a sweep of one shard, with its result.
type shardSweep struct {
	kindSweep
	shard int
	// start is the entry after which the sweep starts. At the end of the listing it continues at the beginning, up to
	// this entry.
	start store.DueEntry

	next   store.DueEntry // after which the next sweep continues; zero: it starts at the beginning
	listed bool           // oldest is known
	oldest time.Time
	sent   int
	err    error
}

func (w *shardSweep) run(ctx context.Context) {
	after, wrapped := w.start, w.start.At.IsZero()
	first, err := w.list(ctx, store.DueEntry{}, 1)
	if w.listed = err == nil; w.listed && len(first) == 0 {
		return
	}
	if w.listed {
		w.oldest = first[0].At
	}
	for err == nil && w.until.Err() == nil {
		var page []store.DueEntry
		page, err = w.list(ctx, after, pageSize)
		if wrapped && !w.start.At.IsZero() { // later ones were sent before it wrapped
			page = slices.DeleteFunc(page, func(e store.DueEntry) bool { return e.At.After(w.start.At) })
		}
		full := len(page) == pageSize
		for batch := range slices.Chunk(page, batchSize) {
			if w.until.Err() == nil && err == nil {
				if err = w.send(ctx, batch); err == nil {
					after = batch[len(batch)-1]
				}
			}
		}
		switch {
		case err != nil, w.until.Err() != nil, full:
		case wrapped:
			return // the whole listing was sent
		default:
			after, wrapped = store.DueEntry{}, true
		}
	}
	w.next = after
	w.err = errors.Join(w.err, err)
}

func (w *shardSweep) list(ctx context.Context, after store.DueEntry, limit int) ([]store.DueEntry, error) {
	query := store.DueQuery{Kind: w.kind, Shard: w.shard, After: after, Limit: limit}
	if w.scanned != nil {
		return w.scanned.Due(w.now, query), nil
	}
	entries, err := w.service.Store.Due(ctx, w.now, query)
	if err != nil {
		return nil, fmt.Errorf("list what is due of kind %s, shard %d: %w", w.kind, w.shard, err)
	}
	return entries, nil
}

// send sends a batch of due documents to the queue of their kind. Messages that the queue refuses are left to a later
// sweep.
func (w *shardSweep) send(ctx context.Context, batch []store.DueEntry) error {
	var sent []Due
	for _, entry := range batch {
		id, seq, err := dueID(entry.Key)
		if err != nil {
			w.err = errors.Join(w.err, err)
			continue
		}
		sent = append(sent, Due{id, seq})
	}
	if len(sent) == 0 {
		return nil
	}
	refused, err := w.service.Send(ctx, w.of, w.test, sent)
	if err != nil {
		return err
	}
	w.sent += len(sent) - refused
	if refused > 0 {
		w.service.Log.WarnContext(ctx, "due messages refused, left to a later sweep",
			"kind", w.kind, "refused", refused)
	}
	return nil
}

// dueID returns the payment's id and, for a callback, its number, from the key of a due document.
func dueID(key store.Key) (id string, seq int, err error) {
	hash := strings.TrimPrefix(key.Partition, "order/")
	kind, rest, _ := strings.Cut(key.Sort, "/")
	tail, rest, _ := strings.Cut(rest, "/")
	if len(hash) != 15 || len(tail) != 16 {
		return "", 0, fmt.Errorf("due document of partition %s is none of ours", key.Partition)
	}
	id = store.PaymentID(hash, tail)
	if kind == "callback" {
		if seq, err = strconv.Atoi(rest); err != nil {
			return "", 0, fmt.Errorf("due callback of payment %s has no number: %w", id, err)
		}
	}
	return id, seq, nil
}
