package connector

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/store"
)

// Capture takes authorised money, once and at most what was authorised.
func (s *Sandbox) Capture(ctx context.Context, q checkout.Question) (checkout.Result, error) {
	return s.followUp(ctx, checkout.JobCapture, q)
}

// Void cancels a charge that was only authorised, or of which nothing was given back.
func (s *Sandbox) Void(ctx context.Context, q checkout.Question) (checkout.Result, error) {
	return s.followUp(ctx, checkout.JobVoid, q)
}

// Refund gives captured money back, never more than was captured.
func (s *Sandbox) Refund(ctx context.Context, q checkout.Question) (checkout.Result, error) {
	return s.followUp(ctx, checkout.JobRefund, q)
}

// followUp carries out what follows a charge, once a reference. Its entry and
// the sums of its charge are one conditional write, so that however many come
// at once, each sees what the others did.
func (s *Sandbox) followUp(ctx context.Context, kind checkout.JobKind, q checkout.Question) (checkout.Result, error) {
	for range store.ConflictTries {
		records, err := s.get(ctx, booksKey(kind, q.Reference), booksKey(checkout.JobCharge, q.Charged))
		if err != nil {
			return checkout.Result{}, err
		}
		e, err := decode(records[0])
		if err != nil || records[0].Version > 0 {
			return s.result(e), err
		}
		charge, err := decode(records[1])
		if err != nil {
			return checkout.Result{}, err
		}
		fault := charge.Follow[kind].Fault
		if fault == neverArrives {
			if err := s.lose(ctx, kind, q.Reference); err != nil {
				return checkout.Result{}, err
			}
		}
		e = s.follow(&charge, kind, q)
		changed := []store.Record{s.record(e, 0)}
		if e.Outcome == checkout.OutcomeApproved {
			changed = append(changed, s.record(charge, records[1].Version))
		}
		err = s.save(ctx, changed...)
		if isConflict(err) {
			continue // somebody else was faster
		}
		if err != nil {
			return checkout.Result{}, err
		}
		return s.answer(ctx, e, fault)
	}
	return checkout.Result{}, fmt.Errorf("write sandbox books: %w", store.ErrConflicts)
}

// follow judges a question by the books of its charge, and books it there if it is carried out.
func (s *Sandbox) follow(charge *entry, kind checkout.JobKind, q checkout.Question) entry {
	now := s.Now()
	e := entry{
		Kind: kind, Reference: q.Reference, Charged: q.Charged, PaymentID: q.PaymentID, SessionID: q.SessionID,
		Amount: q.Amount, Currency: q.Currency, Charges: 1, CreatedAt: now, DecidedAt: now,
	}
	if charge.Follow[kind].Fault == answersLate {
		e.DecidedAt = now.Add(lateBy)
	}
	e.Outcome, e.Reason = checkout.OutcomeDeclined, charge.refuses(kind, q, now)
	if e.Reason == "" {
		e.Reason = charge.Follow[kind].Reason
	}
	if e.Reason != "" {
		return e
	}
	e.Outcome = checkout.OutcomeApproved
	switch kind {
	case checkout.JobCapture:
		charge.Captured, charge.CapturedBy = q.Amount, q.Reference
	case checkout.JobVoid:
		charge.Voided = true
	case checkout.JobRefund:
		charge.Refunded = plus(charge.Refunded, q.Amount)
	}
	return e
}

// refuses says why a provider would not carry out a question about the
// charge, "" if it would.
func (e *entry) refuses(kind checkout.JobKind, q checkout.Question, now time.Time) string {
	paidOut := e.Operation == "credit" || e.Operation == "transfer"
	switch {
	case e.Reference == "":
		return "The provider does not know this payment."
	case !e.approved(now):
		return "The payment was not approved."
	case e.Voided:
		return "The payment is void."
	case e.TakenBack != 0:
		return "The payment was taken back."
	case kind != checkout.JobCapture && paidOut && e.Captured != "":
		return "What was paid out can't be taken back."
	case kind == checkout.JobVoid && e.Refunded != "":
		return "A part of the payment was given back."
	case kind == checkout.JobVoid:
		return ""
	case q.Currency != e.Currency || !more(q.Amount, ""):
		return "This is no amount of the payment."
	case kind == checkout.JobCapture && e.Captured != "":
		return "The payment is captured already."
	case kind == checkout.JobCapture && more(q.Amount, e.Authorised):
		return "This is more than was authorised."
	case kind == checkout.JobRefund && e.Captured == "":
		return "The payment is not captured."
	case kind == checkout.JobRefund && more(plus(e.Refunded, q.Amount), e.Captured):
		return "This is more than is left of the payment."
	}
	return ""
}
