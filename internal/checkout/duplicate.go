package checkout

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/fault"
	"checkout/internal/metric"
	"checkout/internal/store"
)

// DuplicateWindow is how long an order number can't be sent again (protocol.md, Idempotency).
const DuplicateWindow = 15 * time.Second

// SentOrder is what must not be sent twice within the window.
type SentOrder struct {
	Owner     fault.Owner
	Number    string
	At        time.Time // when it was sent
	PaymentID string    // of the payment that is made at once; "": a session
	Retries   string    // the declined payment that is charged again, if any: its own lock does not count
}

// lock is what the lock of an order stores, unless the order's first session is the lock.
type lock struct {
	PaymentID string `json:"payment,omitempty"`
}

// SaveOnce saves the documents that write returns, one of which is the lock or has its key, unless the order was sent
// within the window. The lock is the key of the order's first session, which such a session takes itself; while an
// earlier one is stored there, it is a key of its own. So of all that is sent of an order within the window, one takes
// the lock. A retry may follow its declined payment at once: it replaces that one's lock. Errors: CodeDuplicate.
func (s *Core) SaveOnce(
	ctx context.Context, o SentOrder, idem *IdempotencyRecord, write func(lock store.Record) []store.Record,
) error {
	replace := func(key store.Key, version int64) (held bool, err error) {
		r := store.Encode(key, version, lock{o.PaymentID})
		r.ExpiresAt = o.At.Add(DuplicateWindow)
		err = s.Store.Save(ctx, o.At, write(r)...)
		if store.ConflictOn(err, key) && !idem.IsConflict(err) { // a repeated call meets its own lock, too
			return true, nil
		}
		return false, err
	}
	save := func(key store.Key) (held bool, err error) {
		if held, err = replace(key, 0); !held || o.Retries == "" {
			return held, err
		}
		var of lock
		r, err := store.GetOne(ctx, s.Store, o.At, key)
		if err == nil {
			err = r.Decode(&of)
		}
		if err != nil || of.PaymentID != o.Retries {
			return true, err
		}
		return replace(key, r.Version)
	}
	hash := store.OrderHash(o.Owner.Text(), o.Number)
	first := store.FirstSessionKey(hash)
	held, err := save(first)
	if held {
		held, err = s.holds(ctx, o.At, first)
		if !held && err == nil {
			held, err = save(store.DuplicateKey(hash))
		}
	}
	if err != nil {
		return fmt.Errorf("store order: %w", err)
	}
	if held {
		return s.errDuplicate(ctx, o.Owner)
	}
	return nil
}

// holds reports whether what is stored under the key of an order's first session was sent within the window. A lock
// that is nothing else counts as long as it is stored, however late it ends: the clock of the function that stored it
// may be ahead, or this request may have read its own before. A session that expires within the window counts, too,
// else its key would be free while the second lock is held.
func (s *Core) holds(ctx context.Context, now time.Time, first store.Key) (bool, error) {
	r, err := store.GetOne(ctx, s.Store, now, first)
	if err != nil {
		return false, fmt.Errorf("read lock: %w", err)
	}
	var sess Session
	if err := r.Decode(&sess); err != nil {
		return false, err
	}
	return sess.CreatedAt.IsZero() || now.Sub(sess.CreatedAt) < DuplicateWindow ||
		!r.ExpiresAt.After(now.Add(DuplicateWindow)), nil
}

// errDuplicate counts a repeated order number in the metrics and returns the error for it.
func (s *Core) errDuplicate(ctx context.Context, owner fault.Owner) *fault.Error {
	line := metric.Line{Message: "duplicate", Test: owner.Test, Metrics: []metric.Metric{metric.Count("duplicates")}}
	s.Measure(ctx, line, slog.String("merchant", owner.Merchant))
	return fault.RefuseAs(fault.CodeDuplicate, 400, "Duplicate request.")
}
