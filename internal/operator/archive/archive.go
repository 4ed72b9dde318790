// Package archive copies audit documents to a bucket that keeps every version of its objects for a time, and compares
// the main table with it. Whoever changes or deletes a document in the table can't change its copy.
package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/store"
)

// Documents are those of the main table.
type Documents interface {
	Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error)
}

// Writer puts objects into the bucket.
type Writer interface {
	// Put stores an object if there is none of its name. It returns nil if there is one, whatever that contains.
	Put(ctx context.Context, name string, content []byte) error
}

// Change is one record of the table's stream.
type Change struct {
	Key   store.Key
	Event string // INSERT, MODIFY or REMOVE
}

// Copier copies documents when they are stored.
type Copier struct {
	documents Documents
	bucket    Writer
	now       func() time.Time
}

// NewCopier makes a copier.
func NewCopier(documents Documents, bucket Writer, now func() time.Time) Copier {
	return Copier{documents, bucket, now}
}

// Copy copies the audit documents among what has changed, at most 100, as they are stored. It returns the changes that
// failed, with an error that names them. One that changes a document, or deletes it before its time, always fails:
// nothing of the service does so.
func (c Copier) Copy(ctx context.Context, changes []Change) (failed []Change, err error) {
	changes = slices.DeleteFunc(slices.Clone(changes), func(change Change) bool {
		day, isAudit := store.AuditDay(change.Key)
		return !isAudit || !c.now().Before(day.Add(store.AuditTTL))
	})
	if len(changes) == 0 {
		return nil, nil
	}
	keys := make([]store.Key, len(changes))
	for i, change := range changes {
		keys[i] = change.Key
	}
	records, err := c.documents.Get(ctx, c.now(), keys...)
	if err != nil {
		return nil, fmt.Errorf("read audit documents: %w", err)
	}
	var errs []error
	for i, change := range changes {
		if err := c.copy(ctx, change, records[i]); err != nil {
			failed, errs = append(failed, change), append(errs, fmt.Errorf("%s: %w", nameOf(change.Key), err))
		}
	}
	return failed, errors.Join(errs...)
}

func (c Copier) copy(ctx context.Context, change Change, document store.Record) error {
	switch {
	case change.Event == "MODIFY":
		return errors.New("somebody has changed it in the table")
	case change.Event == "REMOVE", document.Version == 0:
		return errors.New("somebody has deleted it in the table")
	}
	return c.bucket.Put(ctx, nameOf(change.Key), document.Doc)
}

// nameOf is the name of a document's copy: audit/<day>/<shard>/<sort>.json.
func nameOf(key store.Key) string { return key.Partition + "/" + key.Sort + ".json" }
