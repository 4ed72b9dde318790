package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// Log is where the documents of changes are stored, and the time of a change.
type Log struct {
	Store store.Store
	Now   time.Time
}

// head is the end of a shard's chain. It is stored with each document, on its version.
type head struct {
	Number int64     `json:"number"` // of the latest document
	Hash   string    `json:"hash"`   // of it: SHA-256, hex
	At     time.Time `json:"at"`     // when it was stored

	version int64
}

// Complete implements store.Shortened.
func (h *head) Complete(r store.Record) error {
	h.version = r.Version
	return nil
}

func readHead(ctx context.Context, from store.Store, now time.Time, shard int) (h head, err error) {
	r, err := store.GetOne(ctx, from, now, store.AuditHeadKey(shard))
	if err == nil {
		err = r.Decode(&h)
	}
	if err != nil {
		return h, fmt.Errorf("read the end of the audit log: %w", err)
	}
	return h, nil
}

// Records returns what is stored in the same write as a change: its document, and the end of its shard's chain. The
// write meets a conflict where another act comes between; the change is then to be tried again, with new records. A
// write can have the records of one change only.
func (a Act) Records(ctx context.Context, in Log, what string, changes ...string) ([]store.Record, error) {
	if a.ID == "" {
		return nil, nil
	}
	shard := store.AuditShard(a.ID)
	h, err := readHead(ctx, in.Store, in.Now, shard)
	if err != nil {
		return nil, err
	}
	if over := len(changes) - maxChanges; over > 0 {
		changes = append(slices.Clone(changes[:maxChanges]), fmt.Sprintf("and %d more", over))
	}
	short := make([]string, len(changes))
	for i, line := range changes {
		short[i] = fault.Printable(line, maxLine)
	}
	now := in.Now.UTC().Truncate(time.Millisecond)
	e := Entry{
		Act: a, At: now, What: fault.Printable(what, maxWhat), Changes: short,
		Number: h.Number + 1, Before: h.Hash, BeforeAt: h.At,
	}
	r := store.Encode(e.key(shard), 0, e)
	r.ExpiresAt = now.Add(ttl)
	next := head{Number: e.Number, Hash: hashOf(r), At: now}
	return []store.Record{r, store.Encode(store.AuditHeadKey(shard), h.version, next)}, nil
}

// key is where the document of a shard is stored.
func (e *Entry) key(shard int) store.Key { return store.AuditKey(e.At, shard, e.Number) }

func hashOf(r store.Record) string {
	sum := sha256.Sum256(r.Doc)
	return hex.EncodeToString(sum[:])
}

// Change is what an act changes by documents that do not depend on what others have changed meanwhile, or that carry
// their own condition.
type Change struct {
	What    string
	Changes []string // in words
	Records []store.Record
}

// Save stores a change with its document. It tries again while only the end of the chain has moved.
// Errors: a store.ConflictError on one of the change's own documents; store.ErrConflicts.
func (a Act) Save(ctx context.Context, in Log, c Change) error {
	for range store.AuditTries {
		records, err := a.Records(ctx, in, c.What, c.Changes...)
		if err != nil {
			return err
		}
		err = in.Store.Save(ctx, in.Now, append(slices.Clone(c.Records), records...)...)
		if !store.IsAuditConflict(err) {
			return err
		}
	}
	return store.ErrConflicts
}
