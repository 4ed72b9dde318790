package archive

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/store"
)

// Bucket is the bucket, for those who compare.
type Bucket interface {
	Writer

	// List returns all versions of the objects whose names have a prefix: by name, those of one name the latest first.
	List(ctx context.Context, prefix string) ([]Version, error)

	// Get reads a version of an object.
	Get(ctx context.Context, version Version) ([]byte, error)
}

// Version is one of an object.
type Version struct {
	Name, ID string
	Deleted  bool // it says that the object is deleted, and hides the versions before it
}

// Archive is the table and the bucket.
type Archive struct {
	Table  store.Store
	Bucket Bucket
	Now    func() time.Time
}

// settled is the age of a document from which it has to have a copy.
const settled = 5 * time.Minute

// Compare compares the documents since a time with their copies, but for those of the last five minutes. It returns a
// line for each fault. The first version of an object counts, since nobody can change or delete it: another version and
// a deletion are faults too.
func (a Archive) Compare(ctx context.Context, since time.Time) (faults []string, err error) {
	until := a.Now().Add(-settled)
	err = a.shards(ctx, since, func(s shard) error {
		for _, key := range s.keys() {
			if at, _ := store.AuditTime(key); at.After(until) {
				continue
			}
			found, err := a.fault(ctx, s.documents[key], s.copies[key])
			if err != nil {
				return err
			}
			if found != "" {
				faults = append(faults, nameOf(key)+": "+found)
			}
		}
		for _, name := range s.others {
			faults = append(faults, name+": is no copy of an audit document")
		}
		return nil
	})
	return faults, err
}

// fault compares a document with the versions of its copy, the latest first. Either may be missing.
func (a Archive) fault(ctx context.Context, document store.Record, versions []Version) (string, error) {
	switch {
	case len(versions) == 0:
		return "has no copy", nil
	case document.Version == 0:
		return "is missing in the table", nil
	case slices.ContainsFunc(versions, func(v Version) bool { return v.Deleted }):
		return "somebody has deleted its copy", nil
	case len(versions) > 1:
		return "somebody has put another copy", nil
	}
	copied, err := a.Bucket.Get(ctx, versions[0])
	if err != nil {
		return "", fmt.Errorf("read a copy: %w", err)
	}
	if !bytes.Equal(copied, document.Doc) {
		return "differs from its copy", nil
	}
	return "", nil
}

// CopyMissing puts a copy of each document since a time that has none, and returns how many these were.
func (a Archive) CopyMissing(ctx context.Context, since time.Time) (copied int, err error) {
	err = a.shards(ctx, since, func(s shard) error {
		for _, key := range s.keys() {
			if len(s.copies[key]) > 0 {
				continue
			}
			if err := a.Bucket.Put(ctx, nameOf(key), s.documents[key].Doc); err != nil {
				return fmt.Errorf("copy an audit document: %w", err)
			}
			copied++
		}
		return nil
	})
	return copied, err
}

// shard has the documents of one partition since a time, and the versions of their copies.
type shard struct {
	documents map[store.Key]store.Record
	copies    map[store.Key][]Version
	others    []string // names of other objects
}

// keys are those of all documents and copies, in their order.
func (s shard) keys() []store.Key {
	all := slices.AppendSeq(slices.Collect(maps.Keys(s.documents)), maps.Keys(s.copies))
	slices.SortFunc(all, func(a, b store.Key) int { return strings.Compare(a.Sort, b.Sort) })
	return slices.Compact(all)
}

// shards reads each partition since a time and calls do. What expires within five minutes is left out.
func (a Archive) shards(ctx context.Context, since time.Time, do func(shard) error) error {
	if oldest := a.Now().Add(settled - store.AuditTTL); since.Before(oldest) {
		since = oldest
	}
	for day := since.UTC().Truncate(24 * time.Hour); !day.After(a.Now()); day = day.AddDate(0, 0, 1) {
		for n := range store.AuditShards {
			s, err := a.read(ctx, store.AuditOf(day, n, page), since)
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

func (a Archive) read(ctx context.Context, query store.Query, since time.Time) (shard, error) {
	s := shard{documents: map[store.Key]store.Record{}, copies: map[store.Key][]Version{}}
	isWanted := func(key store.Key) bool {
		at, isAudit := store.AuditTime(key)
		return isAudit && !at.Before(since)
	}
	versions, err := a.Bucket.List(ctx, query.Partition+"/")
	if err != nil {
		return s, fmt.Errorf("list copies: %w", err)
	}
	for _, v := range versions {
		if key, isCopy := keyOf(query.Partition, v.Name); !isCopy {
			s.others = append(s.others, v.Name)
		} else if isWanted(key) {
			s.copies[key] = append(s.copies[key], v)
		}
	}
	for {
		records, err := a.Table.List(ctx, a.Now(), query)
		if err != nil {
			return s, fmt.Errorf("list audit documents: %w", err)
		}
		for _, r := range records {
			if isWanted(r.Key) {
				s.documents[r.Key] = r
			}
		}
		if len(records) < page {
			return s, nil
		}
		query.Before = records[len(records)-1].Key.Sort
	}
}
