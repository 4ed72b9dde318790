package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/store"
)

// Verified is what a check of the audit log has found in some of its days.
type Verified struct {
	Entries int      `json:"entries"`          // that were looked at
	Faults  []string `json:"faults"`           // one for each that was changed, is missing or was inserted, and where
	Cursor  string   `json:"cursor,omitempty"` // of the days after these; "": all were looked at

	From  time.Time `json:"-"` // first day that was looked at
	Until time.Time `json:"-"` // the day after the last one
}

// Verify checks the entries of the audit log from a time until now: that each is as it was stored, that none is
// missing between them or at the end, and that none was inserted. Those that have expired by their age are no fault.
// One call checks at most 31 days, and begins no other one after 5,000 entries. Errors: CodeInvalid for a cursor.
func Verify(ctx context.Context, in Log, since time.Time, cursor string) (Verified, error) {
	c := check{Log: in, days: mostDays, found: Verified{Faults: []string{}}}
	err := c.verify(ctx, since, cursor)
	return c.found, err
}

// enough is after how many entries a call begins no other day.
const enough = 5_000

// check is a check of the log.
type check struct {
	Log
	days  int // at most
	found Verified
	shard int // that is checked
	reached
}

func (c *check) verify(ctx context.Context, since time.Time, cursor string) error {
	if oldest := c.Now.Add(-ttl); since.Before(oldest) {
		since = oldest
	}
	c.Day = dayOf(since.Add(-skew))
	if err := readCursor(cursor, &c.reached); err != nil {
		return err
	}
	c.found.From = c.Day
	defer func() { c.found.Until = c.Day }()
	before, err := c.ends(ctx)
	for ; err == nil && !c.Day.After(c.Now.Add(skew)); c.days-- {
		if c.days == 0 || c.found.Entries >= enough {
			c.found.Cursor = store.Cursor(c.reached)
			return nil
		}
		err = c.checkDay(ctx)
		c.Day = c.Day.AddDate(0, 0, 1)
	}
	if err != nil {
		return err
	}
	return c.checkEnds(ctx, before)
}

// reached is how far a check has come.
type reached struct {
	Day    time.Time                 `json:"day"` // that is next
	Passed [store.AuditShards]passed `json:"passed"`
}

// passed is what was checked of a shard.
type passed struct {
	First head  `json:"first"` // the entry that came first
	Last  head  `json:"last"`  // the one with the highest number
	Count int64 `json:"count"` // of entries that are not there twice, from First on
}

// link is a document of the chain.
type link struct {
	Entry
	hash string
}

func (c *check) fault(number int64, format string, args ...any) {
	text := fmt.Sprintf("entry %d of shard %d ", number, c.shard) + fmt.Sprintf(format, args...)
	c.found.Faults = append(c.found.Faults, text)
}

// skew is how far the clocks of those who store documents may differ.
const skew = time.Hour

// ends returns the ends of all chains.
func (c *check) ends(ctx context.Context) (all [store.AuditShards]head, err error) {
	for n := range all {
		if all[n], err = readHead(ctx, c.Store, c.Now, n); err != nil {
			break
		}
	}
	return all, err
}

// checkDay checks the documents of a day.
func (c *check) checkDay(ctx context.Context) error {
	for c.shard = range store.AuditShards {
		records, err := listDay(ctx, c.Log, c.shard, c.Day)
		if err != nil {
			return err
		}
		for _, r := range records {
			if err := c.checkDocument(ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// page is how many documents are read at once.
const page = 100

// listDay returns the documents of a shard of a day in the order of their numbers.
func listDay(ctx context.Context, in Log, shard int, day time.Time) (all []store.Record, err error) {
	for query := store.AuditOf(day, shard, page); ; query.Before = all[len(all)-1].Key.Sort {
		records, err := in.Store.List(ctx, in.Now, query)
		if err != nil {
			return nil, fmt.Errorf("list audit documents: %w", err)
		}
		if all = append(all, records...); len(records) < page {
			slices.Reverse(all)
			return all, nil
		}
	}
}

// checkDocument checks that a document is where its day, its shard and its number belong, and the one before it.
func (c *check) checkDocument(ctx context.Context, r store.Record) error {
	l := link{hash: hashOf(r)}
	if err := r.Decode(&l.Entry); err != nil || l.key(c.shard) != r.Key || l.Number < 1 {
		c.found.Faults = append(c.found.Faults, fmt.Sprintf("the document %s of %s was changed or inserted", r.Key.Sort,
			r.Key.Partition))
		return nil
	}
	c.found.Entries++
	of, h := &c.Passed[c.shard], head{Number: l.Number, Hash: l.hash, At: l.At}
	if of.Count == 0 {
		of.First = h
	}
	switch {
	case of.Last.Number == l.Number:
		c.fault(l.Number, "is there twice, at %s and %s: one was inserted", of.Last.stored(), l.stored())
		return nil
	case of.isLate(l):
		c.fault(l.Number, "of %s comes after entry %d of %s: one of them was inserted", l.stored(), of.Last.Number,
			of.Last.stored())
		return nil
	case l.Number >= of.First.Number:
		of.Count++
	}
	err := c.follows(ctx, of.Last, l)
	if l.Number > of.Last.Number {
		of.Last = h
	}
	return err
}

// isLate reports whether an entry comes later after one with a higher number than clocks differ.
func (p *passed) isLate(l link) bool {
	next := p.Last
	if l.Number < p.First.Number {
		next = p.First
	}
	return l.Number < next.Number && l.At.After(next.At.Add(skew))
}

// follows checks the document before one. last is the one with the highest number until then, zero for the first.
func (c *check) follows(ctx context.Context, last head, l link) error {
	hash := last.Hash
	switch {
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
			c.missing(last, l.Number-1, l.BeforeAt)
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
	r, err := store.GetOne(ctx, c.Store, c.Now, store.AuditKey(at, c.shard, number))
	if err != nil {
		return "", fmt.Errorf("read an audit document: %w", err)
	}
	if r.Version == 0 {
		return "", nil
	}
	return hashOf(r), nil
}

// missing adds a fault for those after a document until one that was stored at a time, unless that one has expired.
func (c *check) missing(last head, until int64, at time.Time) {
	switch expired := !c.Now.Add(time.Minute).Before(at.Add(ttl)); {
	case expired:
	case last.Number > 0 && last.Number+1 < until:
		c.fault(last.Number+1, "to entry %d of %s are missing", until, at.Format(time.RFC3339))
	default: // how many are missing before the first one is not known
		c.fault(until, "of %s is missing", at.Format(time.RFC3339))
	}
}

// checkEnds checks the last documents by the ends of the chains as they were before these were listed, and as they are.
func (c *check) checkEnds(ctx context.Context, before [store.AuditShards]head) error {
	after, err := c.ends(ctx)
	for c.shard = 0; err == nil && c.shard < store.AuditShards; c.shard++ {
		err = c.checkEnd(ctx, before[c.shard], after[c.shard])
	}
	return err
}

func (c *check) checkEnd(ctx context.Context, before, after head) error {
	of := c.Passed[c.shard]
	last := of.Last
	if of.Count > last.Number-of.First.Number+1 {
		c.fault(last.Number, "is the last of %d from entry %d on: some were inserted", of.Count, of.First.Number)
	}
	if before.Number > last.Number { // it may be from before the time that the check begins at
		hash, err := c.hashAt(ctx, before.At, before.Number)
		switch {
		case err != nil:
			return err
		case hash == "":
			c.missing(last, before.Number, before.At)
		case hash != before.Hash:
			c.fault(before.Number, "of %s was changed", before.stored())
		}
	}
	if after.Number < last.Number {
		c.fault(last.Number, "of %s was inserted, or the end of its shard was removed", last.stored())
	}
	for _, end := range []head{before, after} {
		if last.Number == end.Number && last.Hash != end.Hash {
			c.fault(last.Number, "of %s was changed", last.stored())
			break
		}
	}
	return nil
}

// stored is when a document was stored.
func (e *Entry) stored() string { return e.At.Format(time.RFC3339) }

func (h head) stored() string { return h.At.Format(time.RFC3339) }
