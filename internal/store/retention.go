package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Retain returns a store in which a payment, its callbacks, notes and recurring chain expire when nothing of theirs was
// due or changed for the retention; 0 keeps them for ever. A chain that can still be charged does not expire before
// its schedule and its saved card end.
func Retain(store Store, retention time.Duration) Store {
	if retention <= 0 {
		return store
	}
	return retaining{store, retention}
}

type retaining struct {
	Store
	retention time.Duration
}

// Save implements Store.
func (s retaining) Save(ctx context.Context, now time.Time, records ...Record) error {
	limited := make([]Record, len(records))
	for i, r := range records {
		limited[i] = r
		due := !r.DueAt.IsZero() && r.DueKind != DueParked // a parked callback may wait for ever
		if due || !r.ExpiresAt.IsZero() || !IsPaymentData(r.Key) {
			continue
		}
		expiry := now.Add(s.retention)
		var chain struct {
			CardUntil time.Time `json:"card_until"`
		}
		if strings.HasPrefix(r.Key.Sort, "chain/") {
			if err := json.Unmarshal(r.Doc, &chain); err != nil {
				return fmt.Errorf("chain of partition %s: %w", r.Key.Partition, err)
			}
		}
		if chain.CardUntil.After(expiry) {
			expiry = chain.CardUntil
		}
		limited[i].ExpiresAt = expiry
	}
	return s.Store.Save(ctx, now, limited...)
}

// IsPaymentData reports whether a key is that of a payment, or of its callback, note or chain.
func IsPaymentData(key Key) bool {
	kind, _, _ := strings.Cut(key.Sort, "/")
	return strings.HasPrefix(key.Partition, "order/") &&
		(IsPayment(key) || kind == "callback" || kind == "note" || kind == "chain")
}
