// Package audit stores who of the operator's side has changed what, and why. A document is stored in the same write as
// the change that it tells of, so that there is none without the other. Each has the hash of the one before it in its
// shard, so that one that is changed, removed or inserted later is found by Verify.
package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/request"
	"checkout/internal/sensitive"
	"checkout/internal/store"
)

// Act is one call of a command that changes something. Nothing is stored for one without an ID, such as that of a local
// run which loads its own merchants.
type Act struct {
	ID      string `json:"id"`           // all documents of the call have it
	Who     string `json:"who"`          // as AWS knows the caller, such as an ARN
	By      string `json:"by,omitempty"` // the name that the caller has given
	Command string `json:"command"`      // merchants put
	Reason  string `json:"reason,omitempty"`

	Via       string `json:"via,omitempty"`  // command or page, as the caller has said
	Role      string `json:"role,omitempty"` // the names of the caller's roles
	RequestID string `json:"request_id,omitempty"`

	// Key is the Idempotency-Key of the call, "" for none. It is not stored.
	Key string `json:"-"`
}

// Entry is the document of one change.
type Entry struct {
	Act
	At      time.Time `json:"at"`
	What    string    `json:"what"`              // kind and id, such as merchant/ID
	Changes []string  `json:"changes,omitempty"` // in words, without secrets

	Number   int64     `json:"number"`             // 1, 2, ... in its shard
	Before   string    `json:"before,omitempty"`   // SHA-256 of the document before it, hex
	BeforeAt time.Time `json:"before_at,omitzero"` // when that was stored
}

const (
	maxText    = 120 // characters of a name and of a reason
	maxWhat    = 200 // characters of what is changed
	maxChanges = 100 // lines of one change
	maxLine    = 300 // characters of a line; the settings before a change are stored as a version
)

const ttl = store.AuditTTL

// Check refuses a name and a reason that can't be stored: too long, not printable, or with a card's number.
func (a Act) Check() error {
	for _, text := range []string{a.By, a.Reason} {
		if request.Printable(text, maxText) != text {
			return fmt.Errorf("name and reason should have at most %d printable characters", maxText)
		}
		if sensitive.HasCard(text) {
			return errors.New("name and reason should have no card number")
		}
	}
	return nil
}

// page is how many documents are read at once.
const page = 100

// List returns the documents of changes from a time until another, in their order.
func List(ctx context.Context, from store.Store, since, until time.Time) ([]Entry, error) {
	var all []Entry
	if oldest := until.Add(-ttl); since.Before(oldest) {
		since = oldest
	}
	for shard := range store.AuditShards {
		records, err := list(ctx, from, shard, days{since, until})
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			var e Entry
			if err := r.Decode(&e); err != nil {
				return nil, err
			}
			if !e.At.Before(since) && !e.At.After(until) {
				all = append(all, e)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID), cmp.Compare(a.Number, b.Number))
	})
	return all, nil
}

// days are those from the day of a time until that of another.
type days struct{ since, until time.Time }

// list returns the documents of a shard in the order of their days and numbers.
func list(ctx context.Context, from store.Store, shard int, d days) (all []store.Record, err error) {
	for day := d.since.UTC().Truncate(24 * time.Hour); !day.After(d.until); day = day.AddDate(0, 0, 1) {
		first := len(all)
		for query := store.AuditOf(day, shard, page); ; {
			records, err := from.List(ctx, d.until, query)
			if err != nil {
				return nil, fmt.Errorf("list audit documents: %w", err)
			}
			all = append(all, records...)
			if len(records) < page {
				break
			}
			query.Before = records[len(records)-1].Key.Sort
		}
		slices.Reverse(all[first:])
	}
	return all, nil
}
