// Package audit stores who has changed what by an operator's command, and why. A document is stored in the same write
// as the change that it tells of, so that there is none without the other.
package audit

import (
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
}

// Entry is the document of one change.
type Entry struct {
	Act
	At      time.Time `json:"at"`
	What    string    `json:"what"`              // kind and id, such as merchant/ID
	Changes []string  `json:"changes,omitempty"` // in words, without secrets
}

const (
	maxText    = 120 // characters of a name and of a reason
	maxWhat    = 200 // characters of what is changed, which is part of the key
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

// Records returns the document of a change, to be stored in the same write. No other change of the act that is stored
// at the same time may have the same what.
func (a Act) Records(now time.Time, what string, changes ...string) []store.Record {
	if a.ID == "" {
		return nil
	}
	if over := len(changes) - maxChanges; over > 0 {
		changes = append(slices.Clone(changes[:maxChanges]), fmt.Sprintf("and %d more", over))
	}
	short := make([]string, len(changes))
	for i, line := range changes {
		short[i] = request.Printable(line, maxLine)
	}
	what = request.Printable(what, maxWhat)
	r := store.Encode(store.AuditKey(now, a.ID, what), 0, Entry{a, now.UTC(), what, short})
	r.ExpiresAt = now.Add(ttl)
	return []store.Record{r}
}

// page is how many documents are read at once.
const page = 100

// List returns the documents of changes from a time until another, in their order.
func List(ctx context.Context, from store.Store, since, until time.Time) ([]Entry, error) {
	var all []Entry
	if oldest := until.Add(-ttl); since.Before(oldest) {
		since = oldest
	}
	for day := since.UTC().Truncate(24 * time.Hour); !day.After(until); day = day.AddDate(0, 0, 1) {
		for shard := range store.AuditShards {
			query := store.AuditOf(day, shard, page)
			for {
				records, err := from.List(ctx, until, query)
				if err != nil {
					return nil, fmt.Errorf("list audit documents: %w", err)
				}
				for _, r := range records {
					var e Entry
					if err := r.Decode(&e); err != nil {
						return nil, err
					}
					if !e.At.Before(since) {
						all = append(all, e)
					}
				}
				if len(records) < page {
					break
				}
				query.Before = records[len(records)-1].Key.Sort
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		if order := a.At.Compare(b.At); order != 0 {
			return order
		}
		return strings.Compare(a.What, b.What)
	})
	return all, nil
}
