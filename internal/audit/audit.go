// Package audit stores who of the operator's side has changed what, and why. A document is stored in the same write as
// the change that it tells of, so that there is none without the other. It is only added: nothing of the service
// changes or deletes one. Whoever does so by hand is found by the locked copies of package archive.
package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/fault"
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

// Entry is the document of one change. Older documents have further members: a number, and the hash of the document
// before them. Nothing reads these, and the documents stay as they are.
type Entry struct {
	Act
	At      time.Time `json:"at"`
	What    string    `json:"what"`              // kind and id, such as merchant/ID
	Changes []string  `json:"changes,omitempty"` // in words, without secrets
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
		if fault.Printable(text, maxText) != text {
			return fmt.Errorf("name and reason should have at most %d printable characters", maxText)
		}
		if sensitive.HasCard(text) {
			return errors.New("name and reason should have no card number")
		}
	}
	return nil
}

// Records returns the document of a change, which is stored in the same write. There is none of an act without an ID.
func (a Act) Records(now time.Time, what string, changes ...string) []store.Record {
	if a.ID == "" {
		return nil
	}
	if over := len(changes) - maxChanges; over > 0 {
		changes = append(slices.Clone(changes[:maxChanges]), fmt.Sprintf("and %d more", over))
	}
	short := make([]string, len(changes))
	for i, line := range changes {
		short[i] = fault.Printable(line, maxLine)
	}
	now = now.UTC().Truncate(time.Millisecond)
	r := store.Encode(store.Key{}, 0, Entry{Act: a, At: now, What: fault.Printable(what, maxWhat), Changes: short})
	r.Key, r.ExpiresAt = store.AuditKey(now, a.ID, r.Doc), now.Add(ttl)
	return []store.Record{r}
}

// Change is what an act changes by documents that do not depend on what others have changed meanwhile, or that carry
// their own condition.
type Change struct {
	What    string
	Changes []string // in words
	Records []store.Record
}

// Save stores a change with its document. Errors: a store.ConflictError.
func (a Act) Save(ctx context.Context, in store.Store, now time.Time, c Change) error {
	return in.Save(ctx, now, append(slices.Clone(c.Records), a.Records(now, c.What, c.Changes...)...)...)
}
