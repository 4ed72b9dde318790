package checkout

import (
	"context"
	"fmt"

	"checkout/internal/merchant"
	"checkout/internal/request"
	"checkout/internal/store"
)

// statusLimit is the most sessions and payments of one order that are read at once, and that a list is made of.
const statusLimit = 300

// Status returns one payment, or with size a list of the order's payments,
// newest first (decisions.md 2). It is one read while the merchant is
// remembered. Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound.
func (s *Service) Status(ctx context.Context, body []byte) (Response, error) {
	now := s.Now()
	req, err := request.ReadStatus(body)
	if err != nil {
		return nil, err
	}
	m, owner, err := s.account(ctx, req.MerchantKey, now)
	if err != nil {
		return nil, err
	}
	if req.PaymentID != "" {
		if err := s.authenticate(m, req.Hash, request.SignedPayment(req.PaymentID)); err != nil {
			return nil, err
		}
		found, err := s.statusOfPayment(ctx, merchant.Caller{Merchant: m, Owner: owner}, req)
		return found, request.WithFirst(err, m.FirstErrors(""))
	}
	if err := s.authenticate(m, req.Hash, request.SignedOrder(req.OrderID)); err != nil {
		return nil, err
	}
	found, err := s.statusOfOrder(ctx, merchant.Caller{Merchant: m, Owner: owner}, req)
	return found, request.WithFirst(err, m.FirstErrors(""))
}

// statusOfPayment finds a payment by its id. An id that was given out with a
// session and not yet used is found in the session.
func (s *Service) statusOfPayment(ctx context.Context, by merchant.Caller, req request.Status) (PaymentObject, error) {
	p, err := s.payment(ctx, s.Now(), req.PaymentID)
	if err != nil {
		return PaymentObject{}, err
	}
	if p != nil {
		if p.Owner != by.Owner {
			return PaymentObject{}, ErrPaymentNotFound()
		}
		return paymentObject(by.Merchant, p), nil
	}
	return s.unattemptedPayment(ctx, by, req.PaymentID)
}

// unattemptedPayment finds a payment that was not made yet in the session that promised its id. Errors: CodeNotFound.
func (s *Service) unattemptedPayment(ctx context.Context, by merchant.Caller, id string) (PaymentObject, error) {
	hash, tail, err := store.SplitPaymentID(id)
	if err != nil {
		return PaymentObject{}, ErrPaymentNotFound()
	}
	found, err := s.listPayments(ctx, by, store.VisitsBegunWith(hash, tail, statusLimit), request.Status{PaymentID: id})
	if err != nil {
		return PaymentObject{}, err
	}
	if len(found) == 0 {
		return PaymentObject{}, ErrPaymentNotFound()
	}
	return found[0], nil
}

// statusOfOrder returns the payments of an order. Without size it is the one
// that matters: one that was paid, else one under way, else the newest.
func (s *Service) statusOfOrder(ctx context.Context, by merchant.Caller, req request.Status) (Response, error) {
	hash := store.OrderHash(by.Owner.Text(), req.OrderID)
	if req.Size > 0 {
		found, err := s.listPayments(ctx, by, store.VisitsOf(hash, statusLimit), req)
		if err == nil && len(found) == 0 {
			err = errOrderNotFound()
		}
		return found[:min(req.Size, len(found))], err
	}
	best, found, err := s.bestPayment(ctx, by, hash, req)
	if err == nil && !found {
		err = errOrderNotFound()
	}
	request.NoteOf(ctx).Payment = best.PaymentID
	return best, err
}

func errOrderNotFound() *request.Error {
	return request.Refuse(request.CodeNotFound, request.FaultInvalid, "Order does not exist")
}

// bestPayment returns the payment of an order that was paid, else one that was paid and refunded,
// else one under way, else the newest. It looks on until it has found a paid one or has seen all: a paid
// order stays paid, however many sessions follow.
func (s *Service) bestPayment(ctx context.Context, by merchant.Caller, hash string, req request.Status) (PaymentObject, bool, error) {
	var best PaymentObject
	for query := store.VisitsOf(hash, statusLimit); ; {
		records, err := s.Store.List(ctx, s.Now(), query)
		if err != nil {
			return best, false, fmt.Errorf("list order: %w", err)
		}
		found, err := s.visiblePayments(by, req, records)
		if err != nil {
			return best, false, err
		}
		for _, p := range found {
			if p.rank > best.rank {
				best = p
			}
		}
		if best.rank == rankPaid || len(records) < query.Limit {
			return best, best.rank > 0, nil
		}
		query.Before = records[len(records)-1].Key.Sort
	}
}

// matches reports whether a payment is what was asked for. It has to be looked
// at, because two orders can share an order hash.
func matches(r request.Status, orderNumber, paymentID string) bool {
	return r.PaymentID == paymentID || r.PaymentID == "" && r.OrderID == orderNumber
}

// listPayments lists what a merchant may see of an order, newest first:
// payments, and sessions that had no attempt as the payment that they would
// have carried.
func (s *Service) listPayments(ctx context.Context, by merchant.Caller, visits store.Query, req request.Status) (paymentList, error) {
	records, err := s.Store.List(ctx, s.Now(), visits)
	if err != nil {
		return nil, fmt.Errorf("list order: %w", err)
	}
	return s.visiblePayments(by, req, records)
}

// visiblePayments returns those of an order's documents that a request is about, as payments.
func (s *Service) visiblePayments(by merchant.Caller, req request.Status, records []store.Record) (paymentList, error) {
	now := s.Now()
	var found paymentList
	for _, r := range records {
		if store.IsPayment(r.Key) {
			var p Payment
			if err := r.Decode(&p); err != nil {
				return nil, err
			}
			if p.Owner == by.Owner && matches(req, p.Order.Number, p.ID) {
				found = append(found, paymentObject(by.Merchant, &p))
			}
			continue
		}
		var sess Session
		if err := r.Decode(&sess); err != nil {
			return nil, err
		}
		asked := &sess.Request
		if sess.PaymentID == "" && asked.Owner == by.Owner && matches(req, asked.Order.Number, sess.FirstPaymentID) {
			found = append(found, paymentOfSession(&sess, now))
		}
	}
	return found, nil
}
