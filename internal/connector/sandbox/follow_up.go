package sandbox

import (
	"context"
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/store"
)

// Capture captures authorised money, once and at most what was authorised.
func (s *Sandbox) Capture(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return s.followUp(ctx, connector.RequestCapture, r)
}

// Void cancels a charge that was only authorised, or of which nothing was refunded.
func (s *Sandbox) Void(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return s.followUp(ctx, connector.RequestVoid, r)
}

// Refund refunds captured money, never more than was captured.
func (s *Sandbox) Refund(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return s.followUp(ctx, connector.RequestRefund, r)
}

// followUp executes a capture, void or refund, once for each reference. Its entry and the sums of its charge are
// written together and conditionally, so that of any number of requests at once each sees the effects of the others.
func (s *Sandbox) followUp(
	ctx context.Context, kind connector.RequestKind, r connector.ProviderRequest,
) (connector.Result, error) {
	var e, charge entry
	executed := false // by an earlier request with the reference
	err := s.update().Do(ctx, func(time.Time) ([]store.Record, error) {
		records, err := s.get(ctx, ledgerKey(kind, r.Reference), ledgerKey(connector.RequestCharge, r.OriginalReference))
		if err != nil {
			return nil, err
		}
		e, err = decode(records[0])
		if executed = records[0].Version > 0; err != nil || executed {
			return nil, err
		}
		if charge, err = decode(records[1]); err != nil {
			return nil, err
		}
		if charge.FollowUps[kind].Fault == requestLost {
			if err := s.lose(ctx, kind, r.Reference); err != nil {
				return nil, err
			}
		}
		if e, err = s.follow(&charge, kind, r); err != nil {
			return nil, err
		}
		changed := []store.Record{s.record(e, 0)}
		if e.Outcome == connector.OutcomeApproved {
			changed = append(changed, s.record(charge, records[1].Version))
		}
		return changed, nil
	})
	switch {
	case err != nil:
		return connector.Result{}, err
	case executed:
		return s.result(e), nil
	}
	return s.respond(ctx, e, charge.FollowUps[kind].Fault)
}

// follow returns the entry of a follow-up to a charge. If the follow-up is approved, it changes the entry of the
// charge.
func (s *Sandbox) follow(charge *entry, kind connector.RequestKind, r connector.ProviderRequest) (entry, error) {
	now := s.Now()
	e := entry{
		Kind: kind, Reference: r.Reference, OriginalReference: r.OriginalReference,
		PaymentID: r.PaymentID, SessionID: r.SessionID,
		Amount: r.Amount, NoticeURL: r.NoticeURL, Charges: 1, CreatedAt: now, DecidedAt: now,
	}
	if charge.FollowUps[kind].Fault == respondsLate {
		e.DecidedAt = now.Add(lateBy)
	}
	e.Outcome, e.Reason = connector.OutcomeDeclined, charge.declines(kind, r, now)
	if e.Reason == "" {
		e.Reason = charge.FollowUps[kind].Reason
	}
	if e.Reason != "" {
		return e, nil
	}
	e.Outcome = connector.OutcomeApproved
	var err error
	switch kind {
	case connector.RequestCapture:
		charge.Captured, charge.CapturedBy = r.Amount, r.Reference
	case connector.RequestVoid:
		charge.Voided = true
	case connector.RequestRefund:
		charge.Refunded, err = sum(charge.Refunded, r.Amount)
	}
	return e, err
}

// declines returns the reason for which a provider would decline a request about the charge, "" if it would approve
// it.
func (e *entry) declines(kind connector.RequestKind, r connector.ProviderRequest, now time.Time) string {
	switch {
	case e.Reference == "":
		return "The provider does not know this payment."
	case !e.approved(now):
		return "The payment was not approved."
	case e.Voided:
		return "The payment is void."
	case e.Disputed != 0:
		return "The payment was taken back."
	case kind != connector.RequestCapture && e.paidOut() && !e.Captured.IsZero():
		return "What was paid out can't be taken back."
	case kind == connector.RequestVoid && !e.Refunded.IsZero():
		return "A part of the payment was given back."
	case kind == connector.RequestVoid:
		return ""
	case r.Amount.IsZero() || r.Amount.Currency() != e.Amount.Currency():
		return wrongAmount
	case kind == connector.RequestCapture && !e.Captured.IsZero():
		return "The payment is captured already."
	case kind == connector.RequestCapture && r.Amount.Cmp(e.Authorised) > 0:
		return aboveAuthorised
	case kind == connector.RequestRefund && e.Captured.IsZero():
		return "The payment is not captured."
	case kind == connector.RequestRefund && r.Amount.Cmp(e.left()) > 0:
		return aboveCaptured
	}
	return ""
}

// paidOut reports whether the charge pays out.
func (e entry) paidOut() bool { return e.Operation == method.Credit || e.Operation == method.Transfer }

// left is what was captured and not refunded.
func (e *entry) left() money.Amount {
	if e.Refunded.IsZero() {
		return e.Captured
	}
	left, err := e.Captured.Sub(e.Refunded)
	if err != nil { // not possible, because declines refuses larger refunds
		return money.Zero(e.Captured.Currency())
	}
	return left
}
