// Package sweep lists what is due, spread over kinds and shards, and sends it on, a page at a time and within a time
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
	maxTime  = 45 * time.Second // the longest that a sweep goes on: the next one comes a minute after it began
	margin   = 5 * time.Second  // before the function's time limit, for what is under way and for the cursors
	pageSize = 100              // entries that are read at once, of each shard
)

// kinds are swept one after the other, each for a time at most, so that
// none takes the whole sweep and callbacks always have what is left.
var kinds = []struct {
	kind   store.DueKind
	atMost time.Duration
}{{store.DuePayment, 20 * time.Second}, {store.DueChain, 10 * time.Second}, {store.DueCallback, maxTime}}

// Sweep sends what is due.
type Sweep struct {
	metric.Meter
	Store store.Store
	// Send puts due documents of a kind, at most a batch, on their queue. refused is how many the queue did not take.
	Send func(ctx context.Context, kind store.DueKind, batch []Due) (refused int, err error)
}

// Due is a document that is due: of a callback with its number.
type Due struct {
	PaymentID string
	Seq       int
}

// Batch is the most documents that are sent at once.
const Batch = 10

// Run sends whatever is due and was not done to its queue again, all shards of a kind at once, until all was sent or the
// time is up. The next sweep goes on where this one ended, so what is sent and stays due delays nothing else. It changes
// no document of a payment, so running it twice at once, or not for a day, loses and repeats nothing.
func (s Sweep) Run(ctx context.Context) error {
	until, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	if deadline, limited := ctx.Deadline(); limited {
		until, cancel = context.WithDeadline(until, deadline.Add(-margin))
		defer cancel()
	}
	var errs []error
	for _, part := range kinds {
		w := kindSweep{service: s, kind: part.kind, now: s.Now()}
		var end context.CancelFunc
		w.until, end = context.WithTimeout(until, part.atMost)
		errs = append(errs, w.run(ctx))
		end()
	}
	return errors.Join(errs...)
}

// kindSweep is a sweep of one kind.
type kindSweep struct {
	service Sweep
	kind    store.DueKind
	now     time.Time       // what is due later is left to the next sweep
	until   context.Context // no batch is begun after its end; what is under way is not cut off by it
}

// cursor is where the next sweep of a kind goes on, by shard. A shard
// that is not named was gone through to its end.
type cursor struct {
	After map[int]store.DueEntry `json:"after"`

	version int64
}

// Complete implements Shortened.
func (c *cursor) Complete(r store.Record) error {
	c.version = r.Version
	return nil
}

func (w kindSweep) run(ctx context.Context) error {
	s := w.service
	var last cursor
	record, err := store.GetOne(ctx, s.Store, w.now, store.SweepKey(w.kind))
	if err == nil {
		err = record.Decode(&last)
	}
	if err != nil {
		err = fmt.Errorf("read where the sweep goes on: %w", err) // it goes on from the start
	}
	shards := make([]shardSweep, store.DueShards)
	var group sync.WaitGroup
	for i := range shards {
		shards[i] = shardSweep{kindSweep: w, shard: i, start: last.After[i]}
		group.Go(func() { shards[i].run(ctx) })
	}
	group.Wait()
	w.report(ctx, shards)
	next := cursor{After: map[int]store.DueEntry{}}
	errs := []error{err}
	for _, shard := range shards {
		if !shard.next.At.IsZero() {
			next.After[shard.shard] = shard.next
		}
		errs = append(errs, shard.err)
	}
	if err == nil && len(last.After)+len(next.After) > 0 {
		err := s.Store.Save(ctx, w.now, store.Encode(store.SweepKey(w.kind), last.version, next))
		if err != nil && !store.IsConflict(err) { // another sweep's cursor is as good
			errs = append(errs, fmt.Errorf("store where the sweep goes on: %w", err))
		}
	}
	return errors.Join(errs...)
}

// report measures how long the oldest due document has been due: 0 where
// nothing is. It is left out where a part of the listing could not be read.
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
	w.service.Measure(ctx, metric.Line{Message: "due", Dimension: "kind", Metrics: []metric.Metric{{Name: "due_age", Unit: "Milliseconds", Value: age.Milliseconds()}}},
		slog.String("kind", string(w.kind)), slog.Int("sent", sent))
}

// shardSweep is a sweep of one shard, and then what became of it.
type shardSweep struct {
	kindSweep
	shard int
	start store.DueEntry // it begins behind this entry, and goes from the end of the listing to its start and up to here

	next   store.DueEntry // where the next sweep goes on; zero: at the start
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
		if wrapped && !w.start.At.IsZero() { // behind there it began
			page = slices.DeleteFunc(page, func(e store.DueEntry) bool { return e.At.After(w.start.At) })
		}
		full := len(page) == pageSize
		for batch := range slices.Chunk(page, Batch) {
			if w.until.Err() == nil && err == nil {
				if err = w.send(ctx, batch); err == nil {
					after = batch[len(batch)-1]
				}
			}
		}
		switch {
		case err != nil, w.until.Err() != nil, full:
		case wrapped:
			return // all the way round
		default:
			after, wrapped = store.DueEntry{}, true
		}
	}
	w.next = after
	w.err = errors.Join(w.err, err)
}

func (w *shardSweep) list(ctx context.Context, after store.DueEntry, limit int) ([]store.DueEntry, error) {
	entries, err := w.service.Store.Due(ctx, w.now, store.DueQuery{Kind: w.kind, Shard: w.shard, After: after, Limit: limit})
	if err != nil {
		return nil, fmt.Errorf("list what is due of kind %s, shard %d: %w", w.kind, w.shard, err)
	}
	return entries, nil
}

// send puts a batch of due documents on the queue of their kind. What the queue does not take of them is left to a later
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
	refused, err := w.service.Send(ctx, w.kind, sent)
	if err != nil {
		return err
	}
	w.sent += len(sent) - refused
	if refused > 0 {
		w.service.Log.WarnContext(ctx, "due messages refused, left to a later sweep", "kind", w.kind, "refused", refused)
	}
	return nil
}

// dueID reads the payment's id out of the key of a due document, and the number of a callback.
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
