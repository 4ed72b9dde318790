// Package store is the service's memory: documents by key, in two tables. A write carries its condition, and is all or
// nothing; a key is free when its document is absent or has expired. keys.go draws the key of every document. The
// interface has two implementations, dynamo and memory, and one suite of tests, storetest.
package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Key names one document. Documents of one Partition can be listed by Sort.
type Key struct {
	Partition string
	Sort      string
}

// InVault reports whether the document is one of the vault table, of which
// nothing can be restored. All others are in the main table.
func (k Key) InVault() bool { return strings.HasPrefix(k.Partition, vaultPrefix) }

const vaultPrefix = "vault/"

// Record is a document as a store keeps it. Doc is JSON of at most 350 KB
// (DynamoDB's item limit is 400 KB). Version counts its saves and is 0 for a
// document that is not stored. Times are kept in whole milliseconds.
type Record struct {
	Key       Key
	Version   int64
	Doc       []byte
	ExpiresAt time.Time // zero: never. From that instant on the document is absent to every read and condition
	DueAt     time.Time // zero: nothing is due
	DueKind   DueKind   // of what is due; "" where nothing is
	Delete    bool      // by Save, whatever is stored: Version and Doc count for nothing, and nothing need be there
}

// DueKind is a part of the due listing that is read by itself, so that no kind delays another.
type DueKind string

// The kinds of what is due. A parked callback is listed by the time when it
// was parked, for who wants to see it; Sweep never sends it.
const (
	DuePayment  DueKind = "payment"
	DueChain    DueKind = "chain"
	DueCallback DueKind = "callback"
	DueParked   DueKind = "parked"
)

// DueKinds are all of them.
var DueKinds = []DueKind{DuePayment, DueChain, DueCallback, DueParked}

// Store remembers documents in two tables. Every method is safe for concurrent
// use, takes keys of both at once, and reads see all earlier writes.
type Store interface {
	// Get returns one Record a key, in the order of keys, in one request. An
	// absent or expired document is a Record with Version 0.
	Get(ctx context.Context, now time.Time, keys ...Key) ([]Record, error)

	// Save writes all records or none, in one request (at most 100). A record
	// with Version 0 is added and its key must be free; any other is replaced
	// and its Version must be the stored one; one to Delete is gone afterwards,
	// without a condition. The saved documents have Version+1. nil means that it was done, even if its answer was
	// lost and the layers below repeated it; a *ConflictError that it was not,
	// because a condition was refused; any other error that nobody knows, so
	// that the caller reads before it goes on.
	Save(ctx context.Context, now time.Time, records ...Record) error

	// List returns at most limit live documents of the partition whose Sort
	// has the prefix, highest Sort first.
	List(ctx context.Context, now time.Time, query Query) ([]Record, error)

	// Due lists documents of one kind and shard with DueAt at or before now,
	// earliest first. It may lag a little behind writes, so a caller reads the
	// document before it acts.
	Due(ctx context.Context, now time.Time, query DueQuery) ([]DueEntry, error)
}

// GetOne reads one document, a Record with Version 0 if it is not there.
func GetOne(ctx context.Context, store Store, now time.Time, key Key) (Record, error) {
	records, err := store.Get(ctx, now, key)
	if err != nil {
		return Record{}, err
	}
	return records[0], nil
}

// Query is what List looks for.
type Query struct {
	Partition string
	Prefix    string
	Before    string // a Sort with the Prefix: the listing goes on behind it; "": from the start
	Limit     int
}

// DueQuery is what Due looks for.
type DueQuery struct {
	Kind  DueKind
	Shard int      // 0 to DueShards-1
	After DueEntry // the listing goes on behind this entry, also if it has gone; zero: from the start
	Limit int
}

// DueEntry is one entry of the due listing.
type DueEntry struct {
	Key Key
	At  time.Time // the document's DueAt
}

// DueShards is the number of parts that the listing of each kind is spread
// over, so that no single key takes every write.
const DueShards = 32

// What a Save may hold: DynamoDB's limits, with room in the item limit of 400 KB for a store's own attributes.
const (
	maxRecords   = 100
	maxDoc       = 350 << 10 // bytes of one document
	maxSave      = 4 << 20   // bytes of all together
	maxPartition = 2048      // bytes
	maxSort      = 1024      // bytes
)

// CheckSave refuses records that no store can save. Stores call it first, so
// that both refuse the same: DynamoDB Local, for one, would take the same key
// twice and evaluate its second condition after its first write.
func CheckSave(records []Record) error {
	if len(records) > maxRecords {
		return errors.New("too many documents")
	}
	seen := make(map[Key]bool, len(records))
	total := 0
	for _, r := range records {
		if err := CheckKey(r.Key); err != nil {
			return err
		}
		if r.DueAt.IsZero() != (r.DueKind == "") {
			return errors.New("what is due needs a time and a kind")
		}
		if seen[r.Key] {
			return errors.New("a key is there twice")
		}
		if r.Key.InVault() && !r.DueAt.IsZero() {
			return errors.New("a document of the vault is never due")
		}
		seen[r.Key] = true
		total += len(r.Key.Partition) + len(r.Key.Sort) + len(r.Doc)
		if len(r.Doc) > maxDoc || total > maxSave {
			return errors.New("a document is too large")
		}
	}
	return nil
}

// CheckKey refuses a key that no store can hold.
func CheckKey(key Key) error {
	if key.Partition == "" || key.Sort == "" || len(key.Partition) > maxPartition || len(key.Sort) > maxSort {
		return errors.New("a key is empty or too long")
	}
	return nil
}

// ConflictError says that a condition of Save did not hold for Keys: a key to
// be added was taken, or somebody saved a newer version.
type ConflictError struct {
	Keys []Key
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("conflict on %d documents", len(e.Keys)) // a session's key opens its page: not for logs
}

// ConflictTries is how often a change is tried that meets a conflict each
// time. Of those that come at once one wins each time, so it takes many more to lose this often.
const ConflictTries = 30

// ErrConflicts is what becomes of a change that met a conflict each time. It
// was not stored: it is tried again with its message, or by who asked for it.
var ErrConflicts = errors.New("somebody else came between each time")

// ConflictOn reports whether err is a conflict on key.
func ConflictOn(err error, key Key) bool {
	if err == nil {
		return false
	}
	var conflict *ConflictError
	if !errors.As(err, &conflict) {
		return false
	}
	for _, k := range conflict.Keys {
		if k == key {
			return true
		}
	}
	return false
}

// IsConflict reports whether err is a refused condition of Save.
func IsConflict(err error) bool {
	var conflict *ConflictError
	return errors.As(err, &conflict)
}

// Decode reads the record's document, if there is one.
func (r Record) Decode(doc any) error {
	if r.Version == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Doc, doc); err != nil {
		return fmt.Errorf("document of partition %s: %w", r.Key.Partition, err) // a session's Sort opens its page: not for logs
	}
	if short, ok := doc.(Shortened); ok {
		return short.Complete(r)
	}
	return nil
}

// Encode makes a Record of a document. Every noun can be marshalled, so a failure is a mistake in this package.
func Encode(key Key, version int64, doc any) Record {
	return Record{Key: key, Version: version, Doc: CompactJSON(doc)}
}

// CompactJSON is the JSON of what can always be marshalled, without a newline.
func CompactJSON(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // would make a large document of < and > larger than a record may be
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("marshal %T: %v", value, err))
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// Shortened is a document that is stored without what its record or its other
// fields tell, such as its version: a store is paid by the KB. Complete fills that in.
type Shortened interface {
	Complete(r Record) error
}
