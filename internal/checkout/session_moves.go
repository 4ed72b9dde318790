package checkout

import (
	"slices"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

// All changes of a session after it was made: what its payer does, and what it takes over from its payments in the
// write that changes them (protocol.md, Sessions).

// Begin makes a payment the session's latest attempt, with the page's id of it.
func (s *Session) Begin(p *payment.Payment, attempt string) {
	s.State, s.FirstPaymentID = SessionProcessing, ""
	s.LatestAttempt = LatestAttempt{PaymentID: p.ID, Method: p.Method}
	if s.Request.Order.Amount.EnteredOnPage() {
		s.Amount = p.Amount
	}
	s.Attempts = append(s.Attempts, attempt)
}

// Cancel ends a session that is open, as its payer wants.
func (s *Session) Cancel() { s.State = SessionCancelled }

// Expire ends a session that is open, as if its time had run out. It is over by every function's clock.
func (s *Session) Expire(now time.Time) { s.State, s.ExpiresAt = SessionExpired, now }

// Return stores that the payer has come back from the page that the action led to.
func (s *Session) Return(now time.Time) { s.PayerReturned, s.ActedAt = true, now }

// paymentState is what a session follows of a payment.
type paymentState struct {
	status    payment.Status
	undecided bool // the charge is
	action    *connector.RequiredAction
	received  *connector.Received
}

func stateOf(p *payment.Payment) paymentState {
	return paymentState{p.Status, p.Undecided(), p.Action, p.Received}
}

// follow takes over what a change of the payment means for its session, and reports whether that has changed. was is
// the payment before the change, e what the change leads to.
func (t Task) follow(was paymentState, e payment.Effects, now time.Time) (changed bool) {
	p, s := t.Payment, t.Session
	if s == nil {
		return false
	}
	changed = s.hold(p)
	switch {
	case p.Undecided():
		return s.goOn(p, was, e, now) || changed
	case was.undecided && p.Status == payment.StatusDecline:
		s.decline(e)
	case was.undecided, was.status == payment.StatusDecline && p.Status != payment.StatusDecline:
		s.complete(p, e, now)
	case p.Status == payment.StatusDecline && was.status != payment.StatusDecline && s.PaymentID == p.ID:
		// it has failed after its success
		s.State, s.Paid = SessionDeclined, nil
	case e.Unapplied != "" && s.State != SessionComplete: // money came after the decline
		s.UnappliedMoney, s.Reason = e.Unapplied, e.Event.Reason
		if s.State == SessionOpen {
			s.State = SessionDeclined
		}
	default:
		return changed
	}
	return true
}

// goOn follows a payment whose charge has no outcome yet.
func (s *Session) goOn(p *payment.Payment, was paymentState, e payment.Effects, now time.Time) (changed bool) {
	if p.Action != was.action && p.Action != nil {
		s.act(p.Action, now)
		if was.action.HasInstructions() && !p.Action.HasInstructions() {
			s.ActedAt = now // the payer has nothing to do any more
		}
		changed = true
	}
	if p.Received != was.received {
		s.Received, s.Ending, changed = p.Received, "", true // what has arrived in part is not ended
	}
	if p.Operation == method.Credit && e.Event != nil && e.Event.Status == payment.Waiting {
		s.UnderWay, changed = true, true
	}
	return changed
}

// act stores what the payer has to do. Where the provider names no end of what is paid elsewhere, that may be settled
// for as long as it is looked up.
func (s *Session) act(a *connector.RequiredAction, now time.Time) {
	s.Action = a
	s.Instructed = s.Instructed || a.IsPaidByPayer()
	until := a.ExpiresAt
	if until.IsZero() && a.Kind == connector.ActionPending {
		until = now.Add(payment.UndecidedLimit)
	}
	if until.After(s.PaysUntil) {
		s.PaysUntil = until
	}
}

// complete ends the session with a payment that has succeeded. It need not be that of the latest attempt.
func (s *Session) complete(p *payment.Payment, e payment.Effects, now time.Time) {
	s.State, s.Action, s.Received, s.Ending = SessionComplete, nil, nil, ""
	s.PaymentID, s.Method = p.ID, p.Method
	s.Paid = screen.PaymentOf(now, p.Method, p.Card.ShownMask())
	if s.Request.Order.Amount.ByPayer() {
		s.Amount = p.Amount
	}
	s.UnappliedMoney, s.Reason = "", nil
	if e.Event.Reason != nil && e.Event.Reason.Code == reason.PaidTooMuch {
		s.Reason = e.Event.Reason
	}
}

// decline ends an attempt. The session is open for another one until the mapping's 'Maximum number of declines' is
// reached, or money arrived too late.
func (s *Session) decline(e payment.Effects) {
	s.Declines++
	s.Action, s.Received = nil, nil
	if s.UnappliedMoney != screen.TextPaidTooLate {
		s.UnappliedMoney, s.Reason = e.Unapplied, e.Event.Reason
	}
	s.State = SessionOpen
	if s.Declines >= s.MaxDeclines || s.UnappliedMoney == screen.TextPaidTooLate {
		s.State = SessionDeclined
	}
	s.ended(e.Unapplied)
}

// ended goes on as the payer chose, after the attempt that they wanted to end was declined. Where money arrived
// meanwhile, they are told that instead.
func (s *Session) ended(unapplied screen.Text) {
	why := s.Ending
	s.Ending = ""
	switch {
	case why == "" || unapplied != "" || s.UnappliedMoney == screen.TextPaidTooLate:
	case why == screen.ActionCancel:
		s.State = SessionCancelled
	default:
		s.Reason = nil // the payer knows why
	}
}

// hold holds the session while a payment of it is contradicted, whatever its state is: it may be open again when a
// later attempt ends. It reports whether that is new.
func (s *Session) hold(p *payment.Payment) (changed bool) {
	held, contradicted := slices.Contains(s.Contradicted, p.ID), p.Contradictions().HasOpenApproval()
	switch {
	case contradicted && !held:
		s.Contradicted = append(s.Contradicted, p.ID)
	case held && !contradicted:
		s.Contradicted = slices.DeleteFunc(s.Contradicted, func(id string) bool { return id == p.ID })
	}
	return held != contradicted
}
