package payment

import (
	"fmt"
	"slices"
	"time"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// SuccessfulRequest is a request of a payment that has succeeded.
type SuccessfulRequest struct {
	p *Payment
	i int // of its transaction; -1: there is no such request
}

// SuccessOf returns the request with a reference, if it has succeeded.
func (p *Payment) SuccessOf(reference string) SuccessfulRequest {
	return SuccessfulRequest{p, p.Transactions.SuccessOf(reference)}
}

// ContradictsDecline reports whether a decline of the request contradicts its success, which still counts: of a
// capture, void, refund or payout, or of what a person has approved. Other charges end by a chargeback or reversal
// alone, since a decline may be old news of a card that was tried before.
func (s SuccessfulRequest) ContradictsDecline() bool {
	if s.i < 0 {
		return false
	}
	switch t := s.p.Transactions[s.i]; t.Type {
	case EventRefund, EventVoid, EventGiveBack:
		return true
	case EventCapture, EventCredit:
		return !s.p.Disputed()
	default: // of coins that a person has accepted, the provider has never said anything but that it declined
		return t.Decision != nil && (t.Coins == nil || s.p.Transactions.contradiction(t.Reference, Success) != nil)
	}
}

// FailLater stores that a request has failed after its success, as the provider has reported by itself: the bank of the
// payer or payee may send money back days later. A refund or void has failed then, and the payment is what it was
// before, so that it can be refunded or voided again. A capture or payout that has failed is a reversal of the payment.
// A give-back that has failed is left to a person again. What a person has approved stays until a person accepts that,
// because they may have refunded or paid by hand.
func (s SuccessfulRequest) FailLater(result connector.Result, now time.Time) (Effects, error) {
	if t := s.p.Transactions[s.i]; t.Decision != nil && t.Type != EventGiveBack {
		return s.p.Contradictions().Add(t.Reference, result, now), nil
	}
	return s.End(result, now)
}

// End ends the success.
func (s SuccessfulRequest) End(result connector.Result, now time.Time) (Effects, error) {
	reason := laterReason(result)
	t := &s.p.Transactions[s.i]
	kind := t.Type
	authorised := kind.kind() == JobCharge && s.p.Status == StatusPending
	if kind.kind() == JobCapture || kind.kind() == JobCharge && !authorised {
		result.Outcome, result.ReasonCode, result.Reason = connector.OutcomeReversal, reason.Code, reason.Words
		return s.p.Disputes().Apply(result, now)
	}
	t.Status, t.SucceededAt, t.Date, t.Code = Fail, t.Date, now, result.Code
	*t = t.because(reason)
	if kind == EventGiveBack {
		s.p.Contradictions().reopen(t.About, t.Coins, s.p.Masker().Mask(reason.Text()), now)
		return Effects{Save: true}, nil
	}
	event := &Event{Type: kind, Status: Fail, Reason: reason}
	if kind == EventRefund {
		event.Amount = t.Amount
	}
	to := s.statusBefore(kind)
	if authorised {
		to = StatusDecline
		s.p.StoredReason = stored(reason)
	}
	if !s.p.Disputed() {
		if err := s.p.Move(to, now); err != nil {
			return Effects{}, err
		}
	}
	return Effects{Save: true, Measure: true, Event: event}, nil
}

// statusBefore returns the status before a refund or void that has succeeded: a void may be one of an authorisation.
func (s SuccessfulRequest) statusBefore(kind EventType) Status {
	if n := len(s.p.Moves); kind == EventVoid && n > 1 {
		return s.p.Moves[n-2].To
	}
	return StatusSettled
}

// laterReason returns the reason of a failure after a success. Its code always says so, because the merchant was told
// of the success; its text ends with the provider's reason, if there is one.
func laterReason(result connector.Result) *reason.Reason {
	why := &reason.Reason{Code: reason.FailedLater}
	if result.Reason != "" || result.ReasonCode.Known() && result.ReasonCode != reason.Declined {
		why.Words = fmt.Sprintf("%s %s", why.Code.Plain(), ReasonOf(result).Text())
	}
	return why
}

// MayEnd returns why the success of the request, which a person had approved, can't be ended, "" if it can.
func (s SuccessfulRequest) MayEnd() string {
	kind := JobCharge
	if s.i >= 0 {
		kind = s.p.Transactions[s.i].Type.kind()
	}
	statuses := map[JobKind][]Status{
		JobVoid: {StatusVoid}, JobRefund: {StatusSettled, StatusRefund}, JobCapture: {StatusSettled},
		JobCharge: {StatusSettled, StatusPending},
	}
	switch {
	case s.i < 0 || !slices.Contains(statuses[kind], s.p.Status):
		return "The payment is " + s.p.Status.InSentence() + "."
	case s.p.Jobs.InProgress():
		return "Another request of the payment is in progress."
	}
	return ""
}
