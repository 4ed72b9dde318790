package preview

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/store"
)

// Documents is what a Previewer reads: rows of the listing table, and sessions and payments of the main table.
type Documents interface {
	Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error)
	List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error)
}

// finder finds the latest sessions of owners, by the rows of the listing.
type finder struct {
	docs   Documents
	now    time.Time
	owners []string

	from       time.Time
	rows       int    // that were looked at
	last       string // the payment id of the last one
	sessions   []*checkout.Session
	seen       map[string]bool // ids of sessions
	unreadable map[string]bool // ids of sessions or of their payments
}

// batch is how many documents one request reads.
const batch = 100

// readSessions adds the sessions of payments, whose ids may be those that sessions have for their first payment. The
// first session of each order is read first, since its key is known: most orders have no other. Only if that is not the
// session of a payment, the payment is read, which names its session.
func (f *finder) readSessions(ctx context.Context, ids []string) error {
	firsts, err := f.firstSessions(ctx, ids)
	if err != nil {
		return err
	}
	var rest []string
	for _, id := range ids {
		if sess := firsts[orderOf(id)]; sess != nil && (sess.FirstPaymentID == id || sess.PaymentID == id) {
			f.add(sess)
			continue
		}
		rest = append(rest, id)
	}
	return f.readRest(ctx, rest)
}

// orderOf returns the order hash of a payment id that a row has.
func orderOf(id string) string {
	hash, _, _ := store.SplitPaymentID(id)
	return hash
}

// firstSessions returns the first sessions of the orders of payments by order hash, nil for one that is gone or can't
// be read.
func (f *finder) firstSessions(ctx context.Context, ids []string) (map[string]*checkout.Session, error) {
	keys := make([]store.Key, len(ids))
	for i, id := range ids {
		keys[i] = store.FirstSessionKey(orderOf(id))
	}
	records, err := f.get(ctx, keys)
	if err != nil {
		return nil, err
	}
	firsts := map[string]*checkout.Session{}
	for i, r := range records {
		firsts[orderOf(ids[i])], _ = checkout.ReadSession(r, f.now)
	}
	return firsts, nil
}

// readRest adds the sessions of payments that are not the latest ones of the first sessions of their orders.
func (f *finder) readRest(ctx context.Context, ids []string) error {
	keys := make([]store.Key, len(ids))
	for i, id := range ids {
		keys[i], _ = store.PaymentKey(id) // it was read from the key of a row
	}
	records, err := f.get(ctx, keys)
	if err != nil {
		return err
	}
	var unpaid, named []string // ids of first payments, and of sessions
	for i, r := range records {
		var p struct {
			SessionID string `json:"session_id"`
		}
		err := r.Decode(&p)
		switch {
		case err != nil:
			f.unreadable[ids[i]] = true
		case r.Version == 0:
			unpaid = append(unpaid, ids[i])
		case p.SessionID != "" && !f.seen[p.SessionID]: // else the payer had none, or it is found already
			named = append(named, p.SessionID)
		}
	}
	if err := f.readNamed(ctx, named); err != nil {
		return err
	}
	return f.readUnpaid(ctx, unpaid)
}

// readNamed adds sessions by their ids.
func (f *finder) readNamed(ctx context.Context, ids []string) error {
	var keys []store.Key
	for _, id := range ids {
		if key, err := store.SessionKey(id); err == nil {
			keys = append(keys, key)
		}
	}
	records, err := f.get(ctx, keys)
	if err != nil {
		return err
	}
	for _, r := range records {
		if sess, _ := checkout.ReadSession(r, f.now); sess != nil {
			f.add(sess)
		}
	}
	for _, id := range ids {
		if !f.seen[id] {
			f.unreadable[id] = true
		}
	}
	return nil
}

// readUnpaid adds later sessions of orders that nobody has tried to pay, by the ids that they have for their first
// payments. Their keys are secret, so each is listed by the time of that id.
func (f *finder) readUnpaid(ctx context.Context, ids []string) error {
	found := make([]*checkout.Session, len(ids))
	err := store.Concurrently(len(ids), func(i int) error {
		hash, tail, err := store.SplitPaymentID(ids[i])
		if err != nil {
			return err
		}
		records, err := f.docs.List(ctx, f.now, store.VisitsBegunWith(hash, tail, batch))
		for _, r := range records {
			if sess, _ := checkout.ReadSession(r, f.now); sess != nil && sess.FirstPaymentID == ids[i] {
				found[i] = sess
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("list sessions: %w", err)
	}
	for i, sess := range found {
		if sess == nil {
			f.unreadable[ids[i]] = true
			continue
		}
		f.add(sess)
	}
	return nil
}

// get reads documents in batches, several at once.
func (f *finder) get(ctx context.Context, keys []store.Key) ([]store.Record, error) {
	batches := slices.Collect(slices.Chunk(keys, batch))
	read := make([][]store.Record, len(batches))
	err := store.Concurrently(len(batches), func(i int) (err error) {
		read[i], err = f.docs.Get(ctx, f.now, batches[i]...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	return slices.Concat(read...), nil
}

// add adds a session once.
func (f *finder) add(sess *checkout.Session) {
	if !f.seen[sess.ID] {
		f.seen[sess.ID] = true
		f.sessions = append(f.sessions, sess)
	}
}
