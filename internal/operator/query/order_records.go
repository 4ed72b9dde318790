package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/store"
)

// orderRecords are the stored documents of an order, each kind in ascending order of its keys.
type orderRecords struct {
	payments  []*payment.Payment
	sessions  []*checkout.Session
	callbacks []*callback.Callback
	chains    []*checkout.Chain
	notes     []*Note
}

func readOrderRecords(records []store.Record) (orderRecords, error) {
	var o orderRecords
	for _, r := range slices.Backward(records) {
		var err error
		switch {
		case store.IsPayment(r.Key):
			o.payments, err = appendDecoded(o.payments, r)
		case strings.HasPrefix(r.Key.Sort, "o/"):
			o.sessions, err = appendDecoded(o.sessions, r)
		case strings.HasPrefix(r.Key.Sort, "callback/"):
			o.callbacks, err = appendDecoded(o.callbacks, r)
		case strings.HasPrefix(r.Key.Sort, "chain/"):
			o.chains, err = appendDecoded(o.chains, r)
		case strings.HasPrefix(r.Key.Sort, "note/"):
			o.notes, err = appendDecoded(o.notes, r)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

func appendDecoded[T any](list []*T, r store.Record) ([]*T, error) {
	doc := new(T)
	err := r.Decode(doc)
	return append(list, doc), err
}

// payment returns the payment with an id, nil if there is none.
func (o orderRecords) payment(id string) *payment.Payment {
	for _, p := range o.payments {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// session returns the session of a payment, or for a nil p the session whose first payment will have the id. It is nil
// if the session is not stored any more.
func (o orderRecords) session(p *payment.Payment, id string) *checkout.Session {
	for _, sess := range o.sessions {
		if p != nil && p.SessionID != "" && sess.ID == p.SessionID || p == nil && sess.FirstPaymentID == id {
			return sess
		}
	}
	return nil
}

// historyLimit is the most documents of one order that a history is read from.
const historyLimit = 10_000

// listOrder returns all documents of a payment's order. Errors: CodeNotFound.
func listOrder(ctx context.Context, s store.Store, now time.Time, paymentID string) ([]store.Record, error) {
	hash, _, err := store.SplitPaymentID(paymentID)
	if err != nil {
		return nil, payment.ErrNotFound()
	}
	records, err := s.List(ctx, now, store.Query{Partition: store.OrderPartition(hash), Limit: historyLimit})
	if err != nil {
		return nil, fmt.Errorf("list order: %w", err)
	}
	return records, nil
}
