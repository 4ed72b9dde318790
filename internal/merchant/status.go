package merchant

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// StatusLimit is how many sessions and payments of one order are read at once, and how many a list is made of.
const StatusLimit = 300

// Statuses tells what became of payments. NewStatuses makes it.
type Statuses struct {
	core     *checkout.Core
	callers  callers
	payments payments
}

// NewStatuses makes what tells what became of payments.
func NewStatuses(core *checkout.Core, queue payment.JobQueue) *Statuses {
	return &Statuses{core, callers{core: core}, newPayments(core, queue)}
}

// Status returns one payment, or with size a list of the order's payments, newest first (protocol.md, Endpoints). It
// reads once if the merchant is cached. Of one payment it first resolves what is unknown. Errors: CodeInvalid,
// CodeHash, CodeDenied, CodeTooMany, CodeNotFound.
func (s *Statuses) Status(ctx context.Context, body []byte) (Response, error) {
	now := s.core.Now()
	req, err := request.ReadStatus(body)
	if err != nil {
		return nil, err
	}
	caller, read, err := s.callers.accountAndPayment(ctx, now, req.MerchantKey, req.PaymentID)
	if err != nil {
		return nil, err
	}
	signed := request.SignedPayment(req.PaymentID)
	if req.PaymentID == "" {
		signed = request.SignedOrder(req.OrderID)
	}
	if caller, err = s.callers.authenticate(ctx, caller, req.Hash, signed); err != nil {
		return nil, err
	}
	var found Response
	if req.PaymentID == "" {
		found, err = s.statusOfOrder(ctx, caller, req)
	} else {
		found, err = s.statusOfPayment(ctx, caller, req.PaymentID, read)
	}
	return found, fault.WithFirst(err, caller.Merchant.FirstErrors(""))
}

// statusOfPayment returns a payment by its id, also that of a session without an attempt. An id of another merchant is
// searched for like one of nobody, so that the time does not tell them apart.
func (s *Statuses) statusOfPayment(
	ctx context.Context, caller settings.Caller, id string, read readPayment,
) (PaymentObject, error) {
	p, err := read(caller)
	if err != nil {
		return PaymentObject{}, err
	}
	if p != nil {
		return s.resolvedObject(ctx, caller, p)
	}
	return s.payments.unattemptedPayment(ctx, caller, id)
}

// resolvedObject returns a payment after what is unknown of it was looked up.
func (s *Statuses) resolvedObject(
	ctx context.Context, caller settings.Caller, p *payment.Payment,
) (PaymentObject, error) {
	p, err := s.payments.jobs.Resolve(ctx, p, newWait())
	if err != nil {
		return PaymentObject{}, err
	}
	return paymentObject(caller.Merchant, p), nil
}

// unattemptedPayment returns a session without an attempt by the id that its first payment will have.
// Errors: CodeNotFound.
func (s *payments) unattemptedPayment(ctx context.Context, caller settings.Caller, id string) (PaymentObject, error) {
	hash, tail, err := store.SplitPaymentID(id)
	if err != nil {
		return PaymentObject{}, payment.ErrNotFound()
	}
	for _, query := range []store.Query{store.FirstSession(hash), store.VisitsBegunWith(hash, tail, StatusLimit)} {
		found, err := s.listPayments(ctx, caller, query, request.Status{PaymentID: id})
		if err != nil {
			return PaymentObject{}, err
		}
		if len(found) > 0 {
			return found[0], nil
		}
	}
	return PaymentObject{}, payment.ErrNotFound()
}

// statusOfOrder returns the payments of an order, or without size its bestPayment.
func (s *Statuses) statusOfOrder(ctx context.Context, caller settings.Caller, req request.Status) (Response, error) {
	hash := store.OrderHash(caller.Owner.Text(), req.OrderID)
	if req.Size > 0 {
		found, err := s.payments.listPayments(ctx, caller, store.VisitsOf(hash, StatusLimit), req)
		if err == nil && len(found) == 0 {
			err = errOrderNotFound()
		}
		return found[:min(req.Size, len(found))], err
	}
	best, found, err := s.payments.bestPayment(ctx, caller, hash, req)
	if err == nil && !found {
		err = errOrderNotFound()
	}
	fault.NoteOf(ctx).Payment = best.PaymentID
	if err == nil && best.payment != nil {
		return s.resolvedObject(ctx, caller, best.payment)
	}
	return best, err
}

func errOrderNotFound() *fault.Error {
	return fault.Refuse(fault.CodeNotFound, "Order does not exist")
}

// bestPayment returns the payment of the highest rank of an order: one that is paid, else one that was refunded, else
// one in progress; of several the newest. It reads until it has found a paid one or has read all, so that a paid
// order is reported as paid however many sessions follow.
func (s *payments) bestPayment(
	ctx context.Context, caller settings.Caller, hash string, req request.Status,
) (PaymentObject, bool, error) {
	var best PaymentObject
	for query := store.VisitsOf(hash, StatusLimit); ; {
		records, err := s.core.Store.List(ctx, s.core.Now(), query)
		if err != nil {
			return best, false, fmt.Errorf("list order: %w", err)
		}
		found, err := s.visiblePayments(caller, req, records)
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

// matches reports whether a payment is the one that was requested, or belongs to the requested order: two orders can
// have the same order hash.
func matches(r request.Status, orderNumber, paymentID string) bool {
	return r.PaymentID == paymentID || r.PaymentID == "" && r.OrderID == orderNumber
}

// listPayments lists the payments of an order, newest first, and its sessions without an attempt as payments.
func (s *payments) listPayments(
	ctx context.Context, caller settings.Caller, query store.Query, req request.Status,
) (paymentList, error) {
	records, err := s.core.Store.List(ctx, s.core.Now(), query)
	if err != nil {
		return nil, fmt.Errorf("list order: %w", err)
	}
	return s.visiblePayments(caller, req, records)
}

// visiblePayments returns the documents of an order that match a request and belong to the caller, as payments, newest
// first: the ids of one order are in the order of their times.
func (s *payments) visiblePayments(
	caller settings.Caller, req request.Status, records []store.Record,
) (paymentList, error) {
	now := s.core.Now()
	var found paymentList
	for _, r := range records {
		if store.IsPayment(r.Key) {
			var p payment.Payment
			if err := r.Decode(&p); err != nil {
				return nil, err
			}
			if p.Owner == caller.Owner && matches(req, p.Order.Number, p.ID) {
				found = append(found, paymentObject(caller.Merchant, &p))
			}
			continue
		}
		sess, err := checkout.ReadSession(r, now)
		if err != nil {
			return nil, err
		}
		unattempted := sess != nil && sess.PaymentID == "" && sess.Request.Owner == caller.Owner
		if unattempted && matches(req, sess.Request.Order.Number, sess.FirstPaymentID) {
			found = append(found, paymentOfSession(sess, now))
		}
	}
	slices.SortStableFunc(found, func(a, b PaymentObject) int { return strings.Compare(b.PaymentID, a.PaymentID) })
	return found, nil
}
