// Package words tells operators of one payment in words: where its money is, whose turn it is and what its payer can be
// told (Summary), what it consists of (facts) and what has happened to it (History). It is made of the stored documents
// of the payment's order.
package words

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

// Order has the stored documents of an order, each kind in ascending order of its keys.
type Order struct {
	Payments  []*payment.Payment
	Sessions  []*checkout.Session
	Callbacks []*callback.Callback
	Chains    []*checkout.Chain
	Notes     []*Note
}

// ReadOrder reads the documents of an order from its records.
func ReadOrder(records []store.Record) (Order, error) {
	var o Order
	for _, r := range slices.Backward(records) {
		var err error
		switch {
		case store.IsPayment(r.Key):
			o.Payments, err = appendDecoded(o.Payments, r)
		case strings.HasPrefix(r.Key.Sort, "o/"):
			o.Sessions, err = appendDecoded(o.Sessions, r)
		case strings.HasPrefix(r.Key.Sort, "callback/"):
			o.Callbacks, err = appendDecoded(o.Callbacks, r)
		case strings.HasPrefix(r.Key.Sort, "chain/"):
			o.Chains, err = appendDecoded(o.Chains, r)
		case strings.HasPrefix(r.Key.Sort, "note/"):
			o.Notes, err = appendDecoded(o.Notes, r)
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

// Payment returns the payment with an id, nil if there is none.
func (o Order) Payment(id string) *payment.Payment {
	for _, p := range o.Payments {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// Session returns the session of a payment, or for a nil p the session whose first payment will have the id. It is nil
// if the session is not stored any more.
func (o Order) Session(p *payment.Payment, id string) *checkout.Session {
	for _, sess := range o.Sessions {
		if p != nil && p.SessionID != "" && sess.ID == p.SessionID || p == nil && sess.FirstPaymentID == id {
			return sess
		}
	}
	return nil
}

// HistoryLimit is the most documents of one order that a history is read from.
const HistoryLimit = 10_000

// ListOrder returns all documents of a payment's order. Errors: CodeNotFound.
func ListOrder(ctx context.Context, s store.Store, now time.Time, paymentID string) ([]store.Record, error) {
	hash, _, err := store.SplitPaymentID(paymentID)
	if err != nil {
		return nil, payment.ErrNotFound()
	}
	records, err := s.List(ctx, now, store.Query{Partition: store.OrderPartition(hash), Limit: HistoryLimit})
	if err != nil {
		return nil, fmt.Errorf("list order: %w", err)
	}
	return records, nil
}

// PaymentsOf returns the ids of the payments of the session with a public id, also of the one that it will have.
func (o Order) PaymentsOf(public string) map[string]bool {
	ids := map[string]bool{}
	for _, p := range o.Payments {
		if store.PublicID(p.SessionID) == public || strings.ReplaceAll(p.ID, "-", "") == public {
			ids[p.ID] = true
		}
	}
	for _, sess := range o.Sessions {
		if sess.ID != "" && store.PublicID(sess.ID) == public {
			ids[sess.FirstPaymentID] = true
		}
	}
	return ids
}
