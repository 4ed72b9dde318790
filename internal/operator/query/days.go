package query

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// The most that one request reads of the listing.
const (
	mostRequests  = 200
	mostDocuments = 5_000
	mostTime      = 700 * time.Millisecond // after which one request begins to read nothing more
	// groupOwners is how many owners are read at once. Of more owners with payments of the same day, one group comes
	// after another.
	groupOwners = mostRequests / store.ListingShards
	mostActive  = 100 // entries of active owners that one request reads by their keys
	mostOwners  = 10_000
	mostDays    = 32 // of which active owners are listed at once
)

// daysBack is how far a search goes back that has no beginning.
const daysBack = 800

const day = 24 * time.Hour

// dayReader reads rows or lines of owners, day by day, the latest first.
type dayReader struct {
	reads  *Reader
	of     func(owner string, day time.Time, shard int) store.Query
	before func(at time.Time) string // the Sort of what begins at a time
	timeOf func(sort string) (time.Time, error)

	from, until time.Time
	owners      []string                                   // that have something of a day are among these,
	visible     func(string) bool                          // or, if this is set, all of these
	page, most  int                                        // documents that are read at once of a partition, and of all
	take        func(store.Record) (taken bool, err error) // false if it takes no more
	// sumUp adds the sums of a day that are stored, and returns the other owners. Nil: all are others.
	sumUp func(ctx context.Context, at time.Time, owners []string) (others []string, err error)

	begun               time.Time
	requests, documents int                 // that were made and read
	grouped             bool                // a day had more owners than are read at once
	days                int                 // that listActive has read last
	active              map[string][]string // owners by day
	activeFrom          time.Time           // the days from this on are in active
}

// newReader returns a reader of what a filter names and a person may see by a right, in modes.
func (s *Reader) newReader(f Filter, by grant.Person, right grant.Right, modes ...string) *dayReader {
	r := &dayReader{reads: s, from: f.From, until: f.Until, page: mostRows, most: mostDocuments, begun: s.core.Now()}
	if now := s.core.Now().Add(time.Second); r.until.IsZero() || r.until.After(now) {
		r.until = now
	}
	if least := r.until.Add(-daysBack * day); r.from.Before(least) {
		r.from = least
	}
	all := false
	for _, f.Mode = range modes {
		named, every := f.owners(by, right)
		r.owners, all = append(r.owners, named...), all || every
	}
	if all {
		r.visible = func(owner string) bool {
			return slices.ContainsFunc(modes, func(mode string) bool {
				f.Mode = mode
				return f.visible(by, right, owner)
			})
		}
	}
	return r
}

// note says that what was read is not in the order of time alone, "" if it is.
func (r *dayReader) note() string {
	if !r.grouped {
		return ""
	}
	return fmt.Sprintf("More than %d merchants have payments of a day: those of the first %d, by their ids, come first. "+
		"Name a merchant to see the latest of one.", groupOwners, groupOwners)
}

// isEnough reports whether no more is read by one request of the API.
func (r *dayReader) isEnough() bool {
	return r.requests >= mostRequests || r.documents >= r.most ||
		r.reads.core.Now().Sub(r.begun) >= mostTime
}

// read gives documents to take, from a position on, until that takes no more or enough was read. It returns where the
// next page begins, nil if there is nothing more, and from when on everything was read.
func (r *dayReader) read(ctx context.Context, from position) (next *position, searchedTo time.Time, err error) {
	if len(r.owners) == 0 && r.visible == nil {
		return nil, r.from, nil
	}
	at := r.until.Add(-time.Millisecond).UTC().Truncate(day)
	if from.Day != "" {
		at, _ = time.Parse(time.DateOnly, from.Day) // parsePosition has read it
	}
	for ; !at.Before(r.from.UTC().Truncate(day)); at = at.Add(-day) {
		if r.isEnough() {
			return &position{Day: at.Format(time.DateOnly)}, earlier(at.Add(day), r.until), nil
		}
		owners, err := r.activeOwners(ctx, at)
		if err != nil {
			return nil, at, err
		}
		if next, searchedTo, err = r.readDay(ctx, at, owners, from); next != nil || err != nil {
			return next, earlier(searchedTo, r.until), err
		}
		from = position{}
	}
	return nil, r.from, nil
}

// readDay gives the documents of a day to take, group by group of its owners. searchedTo is within the day only if all
// of its owners are in one group.
func (r *dayReader) readDay(
	ctx context.Context, at time.Time, owners []string, from position,
) (next *position, searchedTo time.Time, err error) {
	date := at.Format(time.DateOnly)
	first, _ := slices.BinarySearch(owners, from.From)
	r.grouped = r.grouped || len(owners) > groupOwners
	for rest := owners[first:]; len(rest) > 0; {
		n := min(groupOwners, len(rest))
		if from.To != "" {
			n, _ = slices.BinarySearch(rest, from.To+"\x00")
		}
		if n == 0 { // they have all expired since
			from = position{}
			continue
		}
		group := rest[:n]
		others, err := r.others(ctx, at, group, from)
		if err != nil {
			return nil, at.Add(day), err
		}
		end, err := r.readGroup(ctx, at, others, from.Sort)
		if err != nil {
			return nil, at.Add(day), err
		}
		if end != "" {
			searchedTo = at.Add(day)
			if last, err := r.timeOf(end); err == nil && len(group) == len(owners) {
				searchedTo = last
			}
			next := groupPosition(date, end, group, owners)
			if len(others) < len(group) {
				next.Of = others
			}
			return next, searchedTo, nil
		}
		if rest = rest[n:]; len(rest) > 0 && r.isEnough() {
			return &position{Day: date, From: rest[0]}, at.Add(day), nil
		}
		from = position{}
	}
	return nil, at, nil
}

// others returns those of a group's owners of which documents are read from a position on.
func (r *dayReader) others(ctx context.Context, at time.Time, group []string, from position) ([]string, error) {
	switch {
	case from.Of != nil:
		return from.Of, nil
	case r.sumUp == nil || from.Sort != "":
		return group, nil
	}
	return r.sumUp(ctx, at, group)
}

// groupPosition is where a page ends within a group of a day's owners. An owner that has its first payment of the day
// meanwhile is one of the group whose owners are the next ones before or after: what it has is later than the page.
func groupPosition(date, end string, group, owners []string) *position {
	p := &position{Day: date, Sort: end}
	if group[0] != owners[0] {
		p.From = group[0]
	}
	if last := group[len(group)-1]; last != owners[len(owners)-1] {
		p.To = last
	}
	return p
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// partition is one of those that are read at the same time.
type partition struct {
	query store.Query
	read  []store.Record // and not taken yet
	ended bool
}

// readGroup merges the partitions of owners and a day, and gives their documents to take. end is the Sort of the last
// one if there is more.
func (r *dayReader) readGroup(
	ctx context.Context, at time.Time, owners []string, before string,
) (end string, err error) {
	if until := r.before(earlier(r.until, at.Add(day))); before == "" || until < before {
		before = until
	}
	parts := make([]*partition, 0, len(owners)*store.ListingShards)
	for _, owner := range owners {
		for shard := range store.ListingShards {
			part := &partition{query: r.of(owner, at, shard)}
			part.query.Before, part.query.Limit = before, r.pageOf(len(owners)*store.ListingShards)
			parts = append(parts, part)
		}
	}
	for {
		if err := r.fill(ctx, parts); err != nil {
			return "", err
		}
		for {
			part := latest(parts)
			if part == nil {
				return "", nil
			}
			if len(part.read) == 0 {
				break // it has to be read on before anything else is taken
			}
			record := part.read[0]
			if record.Key.Sort < r.before(r.from) {
				return "", nil
			}
			part.read = part.read[1:]
			taken, err := r.take(record)
			switch {
			case err != nil:
				return "", err
			case !taken:
				return before, nil
			}
			before = record.Key.Sort
		}
		if r.isEnough() {
			return before, nil
		}
	}
}

func (r *dayReader) pageOf(parts int) int { return max(min(r.page, r.most/parts), 25) }

// latest returns the partition whose next document is the latest, or one that has to be read on; nil if all have ended.
func latest(parts []*partition) (next *partition) {
	for _, part := range parts {
		switch {
		case len(part.read) == 0 && !part.ended:
			return part
		case len(part.read) > 0 && (next == nil || part.read[0].Key.Sort > next.read[0].Key.Sort):
			next = part
		}
	}
	return next
}

// fill reads on those partitions of which everything was taken.
func (r *dayReader) fill(ctx context.Context, parts []*partition) error {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p *partition) bool { return p.ended || len(p.read) > 0 })
	r.requests += len(parts)
	err := store.Concurrently(len(parts), func(i int) (err error) {
		part := parts[i]
		part.read, err = r.reads.core.Store.List(ctx, r.reads.core.Now(), part.query)
		if part.ended = len(part.read) < part.query.Limit; !part.ended {
			part.query.Before = part.read[len(part.read)-1].Key.Sort
		}
		return err
	})
	for _, part := range parts {
		r.documents += len(part.read)
	}
	if err != nil {
		return fmt.Errorf("list payments: %w", err)
	}
	return nil
}
