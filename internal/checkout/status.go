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
	return s.promisedPayment(ctx, by, req.PaymentID)
}

// promisedPayment finds a payment that was not made yet in the session that promised its id. Errors: CodeNotFound.
func (s *Service) promisedPayment(ctx context.Context, by merchant.Caller, id string) (PaymentObject, error) {
	hash, tail, err := store.SplitPaymentID(id)
	if err != nil {
		return PaymentObject{}, ErrPaymentNotFound()
	}
	found, err := s.paymentsOf(ctx, by, store.VisitsBegunWith(hash, tail, statusLimit), request.Status{PaymentID: id})
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
		found, err := s.paymentsOf(ctx, by, store.VisitsOf(hash, statusLimit), req)
		if err == nil && len(found) == 0 {
			err = errOrderNotFound()
		}
		return found[:min(req.Size, len(found))], err
	}
	best, found, err := s.paymentThatMatters(ctx, by, hash, req)
	if err == nil && !found {
		err = errOrderNotFound()
	}
	request.NoteOf(ctx).Payment = best.PaymentID
	return best, err
}

func errOrderNotFound() *request.Error {
	return request.Refuse(request.CodeNotFound, request.FaultInvalid, "Order does not exist")
}

// paymentThatMatters returns the payment of an order that was paid, else one that was paid and refunded,
// else one under way, else the newest. It looks on until it has found a paid one or has seen all: a paid
// order stays paid, however many sessions follow.
func (s *Service) paymentThatMatters(ctx context.Context, by merchant.Caller, hash string, req request.Status) (PaymentObject, bool, error) {
	var best PaymentObject
	for query := store.VisitsOf(hash, statusLimit); ; {
		records, err := s.Store.List(ctx, s.Now(), query)
		if err != nil {
			return best, false, fmt.Errorf("list order: %w", err)
		}
		found, err := s.seenBy(by, req, records)
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

// wants reports whether a payment is what was asked for. It has to be looked
// at, because two orders can share an order hash.
func wants(r request.Status, orderNumber, paymentID string) bool {
	return r.PaymentID == paymentID || r.PaymentID == "" && r.OrderID == orderNumber
}

// paymentsOf lists what a merchant may see of an order, newest first:
// payments, and sessions that had no attempt as the payment that they would
// have carried.
func (s *Service) paymentsOf(ctx context.Context, by merchant.Caller, visits store.Query, req request.Status) (PaymentList, error) {
	records, err := s.Store.List(ctx, s.Now(), visits)
	if err != nil {
		return nil, fmt.Errorf("list order: %w", err)
	}
	return s.seenBy(by, req, records)
}

// seenBy returns those of an order's documents that a request is about, as payments.
func (s *Service) seenBy(by merchant.Caller, req request.Status, records []store.Record) (PaymentList, error) {
	now := s.Now()
	var found PaymentList
	for _, r := range records {
		if store.IsPayment(r.Key) {
			var p Payment
			if err := r.Decode(&p); err != nil {
				return nil, err
			}
			if p.Owner == by.Owner && wants(req, p.Order.Number, p.ID) {
				found = append(found, paymentObject(by.Merchant, &p))
			}
			continue
		}
		var sess Session
		if err := r.Decode(&sess); err != nil {
			return nil, err
		}
		asked := &sess.Request
		if sess.PaymentID == "" && asked.Owner == by.Owner && wants(req, asked.Order.Number, sess.FirstPaymentID) {
			found = append(found, unusedPayment(&sess, now))
		}
	}
	return found, nil
}
