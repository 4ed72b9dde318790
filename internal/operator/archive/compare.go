package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"checkout/internal/store"
)

// Reader reads what is in the bucket.
type Reader interface {
	// List returns all versions of the objects whose names have a prefix: by name, those of one name the latest first.
	List(ctx context.Context, prefix string) ([]Version, error)

	// Get reads a version of an object.
	Get(ctx context.Context, version Version) ([]byte, error)
}

// Bucket is the bucket, for those who compare and copy.
type Bucket interface {
	Reader
	Writer
}

// Version is one of an object.
type Version struct {
	Name, ID string
	Deleted  bool // it says that the object is deleted, and hides the versions before it
}

// Copies are the table and the copies of its documents, to be compared.
type Copies struct {
	Table  Table
	Bucket Reader
	Now    func() time.Time
}

// Table lists documents of the main table, as a store.Store does.
type Table interface {
	List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error)
}

// Archive is the table and the bucket, to copy what has no copy.
type Archive struct {
	Copies
	Bucket Bucket
}

// NewArchive makes an archive.
func NewArchive(table Table, bucket Bucket, now func() time.Time) Archive {
	return Archive{Copies{table, bucket, now}, bucket}
}

// settled is the age of a document from which it has to have a copy.
const settled = 5 * time.Minute

// Compare compares the documents of the days from a time until another with their copies, but for those of the last
// five minutes that have none yet. The zero until is now; the day of since is one of them, that of until is none. It
// returns how many documents there are and a line for each fault. The first version of an object counts, since nobody
// can change or delete it: another version and a deletion are faults too. The days on which documents expire are left
// out.
func (c Copies) Compare(ctx context.Context, since, until time.Time) (documents int, faults []string, err error) {
	err = c.shards(ctx, since, until, func(s shard) error {
		found, err := c.faults(ctx, s)
		documents, faults = documents+len(s.documents), append(faults, found...)
		return err
	})
	return documents, faults, err
}

// readers is how many copies are read at the same time, so that a person who waits gets a month in seconds.
const readers = 10

// faults compares all documents of a shard with their copies. The lines have the order of the names.
func (c Copies) faults(ctx context.Context, s shard) ([]string, error) {
	names := s.names()
	found, errs := make([]string, len(names)), make([]error, len(names))
	var running sync.WaitGroup
	for first := range min(readers, len(names)) {
		running.Go(func() {
			for i := first; i < len(names); i += readers {
				if fault, err := c.fault(ctx, s.documents[names[i]], s.copies[names[i]]); err != nil {
					errs[i] = err
					return
				} else if fault != "" {
					found[i] = names[i] + ": " + fault
				}
			}
		})
	}
	running.Wait()
	return slices.DeleteFunc(found, func(line string) bool { return line == "" }), errors.Join(errs...)
}

// fault compares a document with the versions of its copy, the latest first. Either may be missing.
func (c Copies) fault(ctx context.Context, document store.Record, versions []Version) (string, error) {
	switch {
	case len(versions) == 0 && c.isYoung(document):
		return "", nil
	case len(versions) == 0:
		return "has no copy", nil
	case document.Version == 0:
		return "is missing in the table", nil
	case slices.ContainsFunc(versions, func(v Version) bool { return v.Deleted }):
		return "somebody has deleted its copy", nil
	case len(versions) > 1:
		return "somebody has put another copy", nil
	}
	copied, err := c.Bucket.Get(ctx, versions[0])
	if err != nil {
		return "", fmt.Errorf("read a copy: %w", err)
	}
	if !bytes.Equal(copied, document.Doc) {
		return "differs from its copy", nil
	}
	return "", nil
}

// isYoung reports whether the copy of a document may be on its way.
func (c Copies) isYoung(document store.Record) bool {
	var entry struct {
		At time.Time `json:"at"`
	}
	return document.Decode(&entry) == nil && entry.At.After(c.Now().Add(-settled))
}

// Repair copies what has no copy: of the last week, and of all days before in 24 parts, one of which each hour of the
// day is for. It returns how many were copied.
func (a Archive) Repair(ctx context.Context) (copied int, err error) {
	const (
		day  = 24 * time.Hour
		part = 17 * day // 24 of them and a week are longer than store.AuditTTL
	)
	now := a.Now().UTC()
	week := now.Add(-7 * day)
	until := week.Add(-part * time.Duration(now.Hour()))
	recent, err := a.copyMissing(ctx, week, time.Time{})
	older, errOlder := a.copyMissing(ctx, until.Add(-part-day), until) // a day more, for midnight comes between the hours
	return recent + older, errors.Join(err, errOlder)
}

// copyMissing puts a copy of each document that has none, of the day of a time and those after it until another day, or
// until now if that is zero. It returns how many these were.
func (a Archive) copyMissing(ctx context.Context, since, until time.Time) (copied int, err error) {
	err = a.shards(ctx, since, until, func(s shard) error {
		for _, name := range s.names() {
			if len(s.copies[name]) > 0 {
				continue
			}
			if err := a.Bucket.Put(ctx, name, s.documents[name].Doc); err != nil {
				return fmt.Errorf("copy an audit document: %w", err)
			}
			copied++
		}
		return nil
	})
	return copied, err
}

// shard has the documents of one partition by the names of their copies, and the versions of these.
type shard struct {
	documents map[string]store.Record
	copies    map[string][]Version
}

// names are those of all copies that there are and should be, in their order.
func (s shard) names() []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(s.documents)), maps.Keys(s.copies))
	slices.Sort(all)
	return slices.Compact(all)
}

// shards reads each partition from a day on, until another unless that is zero, and calls do.
func (c Copies) shards(ctx context.Context, since, until time.Time, do func(shard) error) error {
	const day = 24 * time.Hour
	if oldest := c.Now().Add(settled - store.AuditTTL).Add(day); since.Before(oldest) {
		since = oldest
	}
	if now := c.Now(); until.IsZero() || until.After(now) {
		until = now.UTC().Truncate(day).Add(day)
	}
	for at := since.UTC().Truncate(day); at.Before(until.UTC().Truncate(day)); at = at.Add(day) {
		for n := range store.AuditShards {
			s, err := c.read(ctx, store.AuditOf(at, n, page))
			if err != nil {
				return err
			}
			if err := do(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// page is how many documents are read at once.
const page = 100

// read reads the copies first, so that each of them had its document before.
func (c Copies) read(ctx context.Context, query store.Query) (shard, error) {
	s := shard{documents: map[string]store.Record{}, copies: map[string][]Version{}}
	versions, err := c.Bucket.List(ctx, query.Partition+"/")
	if err != nil {
		return s, fmt.Errorf("list copies: %w", err)
	}
	for _, v := range versions {
		s.copies[v.Name] = append(s.copies[v.Name], v)
	}
	for {
		records, err := c.Table.List(ctx, c.Now(), query)
		if err != nil {
			return s, fmt.Errorf("list audit documents: %w", err)
		}
		for _, r := range records {
			s.documents[nameOf(r.Key)] = r
		}
		if len(records) < page {
			return s, nil
		}
		query.Before = records[len(records)-1].Key.Sort
	}
}
