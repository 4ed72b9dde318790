// Package store keeps the service's documents by key, in three tables. A write carries its condition, and is all or
// nothing; a key is free when its document is absent or has expired. An Update changes what others may change at the
// same time. keys.go lists the key of every document. The interface has two implementations, dynamo and memory, and one
// suite of tests, storetest.
package store

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Record is a document as a store keeps it. Doc is JSON of at most MaxDoc. Version counts its saves and is 0 for a
// document that is not stored. Times are kept in whole milliseconds.
type Record struct {
	Key     Key
	Version int64
	Doc     []byte
	// From ExpiresAt on the document is absent to every read and condition. Zero: it never expires.
	ExpiresAt time.Time
	DueAt     time.Time // zero: nothing is due
	DueKind   DueKind   // of what is due; "" where nothing is
	// Delete has Save delete the document, whatever its version. Version and Doc are ignored, and the document may be
	// absent.
	Delete bool
}

// Store keeps documents in three tables: those of the vault, those of the listing, and all others in the main one.
// Every method is safe for concurrent use and accepts keys of all tables at once.
// Reads see all earlier writes.
type Store interface {
	// Get returns one Record for each key, in the order of keys, in one request. An absent or expired document is a
	// Record with Version 0.
	Get(ctx context.Context, now time.Time, keys ...Key) ([]Record, error)

	// Save writes all records or none, in one request (at most 100). A record with Version 0 is added and its key must
	// be free; any other replaces the document and its Version must be the stored one; one with Delete set deletes the
	// document without a condition. The saved documents have Version+1.
	//
	// nil means that all were written, even if the response was lost and the request repeated. A *ConflictError means
	// that none was, because a condition did not hold. After any other error the outcome is unknown, so the caller
	// reads before it continues.
	Save(ctx context.Context, now time.Time, records ...Record) error

	// List returns at most limit live documents of the partition whose Sort
	// has the prefix, highest Sort first.
	List(ctx context.Context, now time.Time, query Query) ([]Record, error)

	// Due lists documents of one kind and shard with DueAt at or before now, earliest first. It may lag a little
	// behind writes, so a caller reads the document before it acts.
	Due(ctx context.Context, now time.Time, query DueQuery) ([]DueEntry, error)

	// AllDue returns the whole due listing in one request, with what becomes due later, or nil if it has more entries
	// than limit. A listing of exactly limit entries may be returned or not. It may lag as Due may.
	AllDue(ctx context.Context, limit int) (DueListing, error)
}

// GetOne reads one document, a Record with Version 0 if it is not there.
func GetOne(ctx context.Context, store Store, now time.Time, key Key) (Record, error) {
	records, err := store.Get(ctx, now, key)
	if err != nil {
		return Record{}, err
	}
	return records[0], nil
}

// Query selects the documents that List returns.
type Query struct {
	Partition string
	Prefix    string
	Before    string // a Sort with the Prefix: the listing continues after it; "": from the start
	Limit     int
}

// MaxDoc is the most bytes of one document. It is less than DynamoDB's limit of an item, 400 KB, so that the other
// attributes of the item fit beside it.
const MaxDoc = 350 << 10

// The limits of a Save are DynamoDB's.
const (
	maxRecords = 100
	maxSave    = 4 << 20 // bytes of all together
)

// CheckSave refuses records that no store can save. Both stores call it first, so that they refuse the same records:
// DynamoDB Local, for example, accepts the same key twice and evaluates its second condition after its first write.
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
		if (r.Key.InVault() || r.Key.InListing()) && !r.DueAt.IsZero() {
			return errors.New("only a document of the main table can be due")
		}
		seen[r.Key] = true
		total += len(r.Key.Partition) + len(r.Key.Sort) + len(r.Doc)
		if len(r.Doc) > MaxDoc || total > maxSave {
			return errors.New("a document is too large")
		}
	}
	return nil
}

// ConflictError is returned by Save when the condition did not hold for Keys: a key to be added was not free, or a
// newer version had been saved.
type ConflictError struct {
	Keys []Key
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("conflict on %d documents", len(e.Keys)) // a session's key opens its page: not for logs
}

// ConflictTries is how often a change is tried that meets a conflict each time. Of changes at the same time one
// succeeds each time, so a change fails this often only where more than 30 are made at once.
const ConflictTries = 30

// ErrConflicts is returned for a change that met a conflict on every try. It was not stored, and is tried again when
// its message is delivered again or its caller repeats the call.
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

// Decode parses the record's document into doc. It leaves doc as it is where no document is stored.
func (r Record) Decode(doc any) error {
	if r.Version == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Doc, doc); err != nil {
		// The error does not name Key.Sort: a session's opens its page, and errors are logged.
		return fmt.Errorf("document of partition %s: %w", r.Key.Partition, err)
	}
	if short, ok := doc.(Shortened); ok {
		return short.Complete(r)
	}
	return nil
}

// Encode makes a Record of a document, which must be a type that can always be marshalled.
func Encode(key Key, version int64, doc any) Record {
	return Record{Key: key, Version: version, Doc: CompactJSON(doc)}
}

// CompactJSON returns the JSON of a value without a newline. It panics if the value cannot be marshalled.
func CompactJSON(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // would make a large document of < and > larger than a record may be
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("marshal %T: %v", value, err))
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// ReadExactly reads a text that is one JSON value and nothing behind it. Members that into has no field for are errors.
func ReadExactly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// Cursor returns where a page ends as a text, which ReadCursor reads.
func Cursor(place any) string { return base64.RawURLEncoding.EncodeToString(CompactJSON(place)) }

// ReadCursor reads what Cursor has returned.
func ReadCursor(text string, place any) error {
	doc, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	return ReadExactly(doc, place)
}

// Shortened is a document that is stored without the values that its record or other fields contain, such as its
// version, because DynamoDB is paid by the KB. Complete sets these fields after reading.
type Shortened interface {
	Complete(r Record) error
}
