package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/store"
)

// Verified is what a check of the audit log has found.
type Verified struct {
	Entries int      `json:"entries"` // that were looked at
	Faults  []string `json:"faults"`  // one for each that was changed, is missing or was inserted, and where
}

// Verify checks the documents of the audit log from a time until now: that each is as it was stored, that none is
// missing between them or at the end, and that none was inserted. Those that have expired by their age are no fault.
func Verify(ctx context.Context, from store.Store, since, now time.Time) (Verified, error) {
	if oldest := now.Add(-ttl); since.Before(oldest) {
		since = oldest
	}
	all := Verified{Faults: []string{}}
	for shard := range store.AuditShards {
		c := check{from: from, now: now, shard: shard}
		if err := c.run(ctx, since); err != nil {
			return all, err
		}
		all.Entries += len(c.links)
		all.Faults = append(all.Faults, c.faults...)
	}
	return all, nil
}

// check is a check of one shard.
type check struct {
	from   store.Store
	now    time.Time
	shard  int
	links  []link // in the order of their numbers
	faults []string
}

// link is a document of the chain.
type link struct {
	Entry
	hash string
}

func (c *check) fault(number int64, format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf("entry %d of shard %d ", number, c.shard)+fmt.Sprintf(format, args...))
}

// skew is how far the clocks of those who store documents may differ.
const skew = time.Hour

func (c *check) run(ctx context.Context, since time.Time) error {
	before, err := readHead(ctx, c.from, c.now, c.shard)
	if err != nil {
		return err
	}
	records, err := list(ctx, c.from, c.shard, days{since.Add(-skew), c.now.Add(skew)})
	if err != nil {
		return err
	}
	after, err := readHead(ctx, c.from, c.now, c.shard)
	if err != nil {
		return err
	}
	for _, r := range records {
		c.add(r)
	}
	slices.SortStableFunc(c.links, func(a, b link) int { return cmp.Compare(a.Number, b.Number) })
	for i, l := range c.links {
		last := link{}
		if i > 0 {
			last = c.links[i-1]
		}
		if err := c.follows(ctx, last, l); err != nil {
			return err
		}
	}
	return c.ends(ctx, before, after)
}

// add reads a document that is where its day, its shard and its number belong.
func (c *check) add(r store.Record) {
	l := link{hash: hashOf(r)}
	if err := r.Decode(&l.Entry); err != nil || l.key(c.shard) != r.Key || l.Number < 1 {
		c.faults = append(c.faults, fmt.Sprintf("the document %s of %s was changed or inserted", r.Key.Sort,
			r.Key.Partition))
		return
	}
	c.links = append(c.links, l)
}

// follows checks the document before one. last is the one before it in the list, zero for the first.
func (c *check) follows(ctx context.Context, last, l link) error {
	hash := last.hash
	switch {
	case l.Number == last.Number:
		c.fault(l.Number, "is there twice, at %s and %s: one was inserted", last.stored(), l.stored())
		return nil
	case l.Number == 1:
		if l.Before != "" {
			c.fault(1, "of %s was changed: none is before the first", l.stored())
		}
		return nil
	case l.Number != last.Number+1:
		var err error
		if hash, err = c.hashAt(ctx, l.BeforeAt, l.Number-1); err != nil {
			return err
		}
		if hash == "" {
			c.missing(last.Number+1, l.Number-1, l.BeforeAt)
			return nil
		}
	}
	if hash != l.Before {
		c.fault(l.Number-1, "of %s was changed, or the one after it", l.BeforeAt.Format(time.RFC3339))
	}
	return nil
}

// hashAt returns the hash of a document that is not in the list, "" if it is not there.
func (c *check) hashAt(ctx context.Context, at time.Time, number int64) (string, error) {
	r, err := store.GetOne(ctx, c.from, c.now, store.AuditKey(at, c.shard, number))
	if err != nil {
		return "", fmt.Errorf("read an audit document: %w", err)
	}
	if r.Version == 0 {
		return "", nil
	}
	return hashOf(r), nil
}

// missing adds a fault for documents of which the last was stored at a time, unless they have expired by their age.
func (c *check) missing(first, last int64, at time.Time) {
	switch expired := !c.now.Add(time.Minute).Before(at.Add(ttl)); {
	case expired:
	case first < last && len(c.links) > 0 && c.links[0].Number < first:
		c.fault(first, "to entry %d of %s are missing", last, at.Format(time.RFC3339))
	default: // how many are missing before the first one of the list is not known
		c.fault(last, "of %s is missing", at.Format(time.RFC3339))
	}
}

// ends checks the last documents by the end of the chain as it was before they were listed, and afterwards.
func (c *check) ends(ctx context.Context, before, after head) error {
	last := link{}
	if len(c.links) > 0 {
		last = c.links[len(c.links)-1]
	}
	if before.Number > last.Number { // it may be from before the time that the check begins at
		hash, err := c.hashAt(ctx, before.At, before.Number)
		switch {
		case err != nil:
			return err
		case hash == "":
			c.missing(last.Number+1, before.Number, before.At)
		case hash != before.Hash:
			c.fault(before.Number, "of %s was changed", before.At.Format(time.RFC3339))
		}
	}
	if after.Number < last.Number {
		c.fault(last.Number, "of %s was inserted, or the end of its shard was removed", last.stored())
	}
	for _, l := range c.links {
		if l.Number == before.Number && l.hash != before.Hash || l.Number == after.Number && l.hash != after.Hash {
			c.fault(l.Number, "of %s was changed", l.stored())
		}
	}
	return nil
}

// stored is when a document was stored.
func (e *Entry) stored() string { return e.At.Format(time.RFC3339) }
