// Package audit stores who of the operator's side has changed what, and why. A document is stored in the same write as
// the change that it tells of, so that there is none without the other. Each has the hash of the one before it in its
// shard, so that one that is changed, removed or inserted later is found by Verify.
package audit

import (
	"errors"
	"fmt"
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
		if fault.Printable(text, maxText) != text {
			return fmt.Errorf("name and reason should have at most %d printable characters", maxText)
		}
		if sensitive.HasCard(text) {
			return errors.New("name and reason should have no card number")
		}
	}
	return nil
}
