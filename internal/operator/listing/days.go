package listing

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/store"
)

// DayStore is what Days needs of the listing table.
type DayStore interface {
	Documents
	List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error)
}

// Days reads the sums of days, and stores those that are not stored yet.
type Days struct {
	Store DayStore
	Now   func() time.Time
}

// MostLines is how many lines of an owner and a day SumUp reads.
const MostLines = 50_000

const linesPage = 5000

// Read returns what is stored for owners and UTC days, in the order of owners and then of days, in one request.
func (s Days) Read(ctx context.Context, owners []string, days []time.Time) ([]OwnerDay, error) {
	var all []OwnerDay
	var keys []store.Key
	for _, owner := range owners {
		for _, day := range days {
			all, keys = append(all, OwnerDay{Owner: owner, Date: day}), append(keys, store.SumsKey(owner, day))
		}
	}
	records, err := s.Store.Get(ctx, s.Now(), keys...)
	if err != nil {
		return nil, fmt.Errorf("read sums of days: %w", err)
	}
	for i, r := range records {
		if all[i].version = r.Version; r.Version > 0 {
			if err := r.Decode(&all[i].Day); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// SumUp sums up the lines of a day of which sums may be stored, and stores the sums unless a line came meanwhile. They
// expire with the first line. It returns how many lines it has read; Summed is false still if there are more than
// MostLines.
func (s Days) SumUp(ctx context.Context, d *OwnerDay) (read int, err error) {
	var lines []Line
	var expires time.Time
	for shard := range store.ListingShards {
		for query := store.LinesOf(d.Owner, d.Date, shard); ; {
			query.Limit = linesPage
			records, err := s.Store.List(ctx, s.Now(), query)
			if err != nil {
				return len(lines), fmt.Errorf("sum up a day: %w", err)
			}
			for _, r := range records {
				var line Line
				if err := r.Decode(&line); err != nil {
					return len(lines), err
				}
				lines = append(lines, line)
				if !r.ExpiresAt.IsZero() && (expires.IsZero() || r.ExpiresAt.Before(expires)) {
					expires = r.ExpiresAt
				}
			}
			if len(lines) > MostLines {
				return len(lines), nil
			}
			if len(records) < linesPage {
				break
			}
			query.Before = records[len(records)-1].Key.Sort
		}
	}
	sums, err := sumUpDay(lines)
	if err != nil || len(lines) == 0 {
		d.Summed = true
		return len(lines), err
	}
	d.Day = *sums
	r := store.Encode(store.SumsKey(d.Owner, d.Date), d.version, sums)
	if r.ExpiresAt = expires; len(r.Doc) > store.MaxDoc {
		return len(lines), nil // these lines are read each time
	}
	if err := s.Store.Save(ctx, s.Now(), r); err != nil && !store.IsConflict(err) {
		return len(lines), fmt.Errorf("store sums of a day: %w", err)
	}
	return len(lines), nil
}

// saveLine puts or deletes a line of the journal. Where sums of its day may be stored by now or soon, the same write
// ends them.
func (x Indexer) saveLine(ctx context.Context, line store.Record) error {
	at, err := store.LineTime(line.Key.Sort)
	if err != nil {
		return fmt.Errorf("a line's key has no time: %w", err)
	}
	day, owner := at.Truncate(24*time.Hour), store.LineOwner(line.Key)
	key := store.SumsKey(owner, day)
	name, never := key.Partition+"/"+key.Sort, func() (bool, error) { return false, nil }
	known, err := x.open.Get(name, x.now(), 0, never)
	if err == nil && (known || (&Day{}).isOpen(day, x.now())) {
		if line.Delete {
			return x.listing.Save(ctx, x.now(), line)
		}
		return x.put(ctx, line)
	}
	update := store.Update{Doing: "store line", Store: x.listing, Now: x.now}
	var openUntil time.Time
	err = update.Do(ctx, func(now time.Time) ([]store.Record, error) {
		stored, err := x.listing.Get(ctx, now, line.Key, key)
		if err != nil {
			return nil, err
		}
		line.Version = stored[0].Version
		if line.Delete && line.Version == 0 || line.Version > 0 && same(stored[0], line) {
			return nil, nil // whoever has done it ended the sums
		}
		var sums Day
		if err := stored[1].Decode(&sums); err != nil {
			return nil, err
		}
		changed := []store.Record{line}
		if !sums.isOpen(day, now) {
			sums = Day{From: now.Add(reopens)}
			changed = append(changed, x.withoutSums(stored[1], day, sums))
		}
		openUntil = sums.from(day).Add(-margin)
		return changed, nil
	})
	if err == nil && !openUntil.IsZero() {
		x.open.Put(name, true, openUntil)
	}
	return err
}

// withoutSums returns the document of a day, with the version that is stored, as it is without sums.
func (x Indexer) withoutSums(stored store.Record, day time.Time, sums Day) store.Record {
	r := store.Encode(stored.Key, stored.Version, sums)
	r.ExpiresAt = day.Add(24*time.Hour + x.ttl)
	return r
}

// endSums ends the sums of a day.
func (x Indexer) endSums(ctx context.Context, key store.Key) error {
	day, err := time.Parse(time.DateOnly, key.Sort)
	if err != nil {
		return fmt.Errorf("the sums of a day have no day: %w", err)
	}
	update := store.Update{Doing: "end sums", Store: x.listing, Now: x.now}
	return update.Do(ctx, func(now time.Time) ([]store.Record, error) {
		stored, err := x.listing.Get(ctx, now, key)
		if err != nil {
			return nil, err
		}
		var sums Day
		if err := stored[0].Decode(&sums); err != nil || !sums.Summed {
			return nil, err
		}
		return []store.Record{x.withoutSums(stored[0], day, Day{From: now})}, nil
	})
}
