package archive

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
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

// Compare compares the documents of a day and all later ones with their copies, but for those of the last five minutes
// that have none yet. It returns a line for each fault. The first version of an object counts, since nobody can change
// or delete it: another version and a deletion are faults too. The days on which documents expire are left out.
func (a Archive) Compare(ctx context.Context, since time.Time) (faults []string, err error) {
	err = a.shards(ctx, since, func(s shard) error {
		for _, name := range s.names() {
			fault, err := a.fault(ctx, s.documents[name], s.copies[name])
			if err != nil {
				return err
			}
			if fault != "" {
				faults = append(faults, name+": "+fault)
			}
		}
		return nil
	})
	return faults, err
}

// fault compares a document with the versions of its copy, the latest first. Either may be missing.
func (a Archive) fault(ctx context.Context, document store.Record, versions []Version) (string, error) {
	switch {
	case len(versions) == 0 && a.isYoung(document):
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
	copied, err := a.Bucket.Get(ctx, versions[0])
	if err != nil {
		return "", fmt.Errorf("read a copy: %w", err)
	}
	if !bytes.Equal(copied, document.Doc) {
		return "differs from its copy", nil
	}
	return "", nil
}

// isYoung reports whether the copy of a document may be on its way.
func (a Archive) isYoung(document store.Record) bool {
	var entry struct {
		At time.Time `json:"at"`
	}
	return document.Decode(&entry) == nil && entry.At.After(a.Now().Add(-settled))
}

// CopyMissing puts a copy of each document of a day and all later ones that has none, and returns how many these were.
func (a Archive) CopyMissing(ctx context.Context, since time.Time) (copied int, err error) {
	err = a.shards(ctx, since, func(s shard) error {
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

// shards reads each partition from a day on and calls do.
func (a Archive) shards(ctx context.Context, since time.Time, do func(shard) error) error {
	const day = 24 * time.Hour
	if oldest := a.Now().Add(settled - store.AuditTTL).Add(day); since.Before(oldest) {
		since = oldest
	}
	for at := since.UTC().Truncate(day); !at.After(a.Now()); at = at.Add(day) {
		for n := range store.AuditShards {
			s, err := a.read(ctx, store.AuditOf(at, n, page))
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
func (a Archive) read(ctx context.Context, query store.Query) (shard, error) {
	s := shard{documents: map[string]store.Record{}, copies: map[string][]Version{}}
	versions, err := a.Bucket.List(ctx, query.Partition+"/")
	if err != nil {
		return s, fmt.Errorf("list copies: %w", err)
	}
	for _, v := range versions {
		s.copies[v.Name] = append(s.copies[v.Name], v)
	}
	for {
		records, err := a.Table.List(ctx, a.Now(), query)
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
