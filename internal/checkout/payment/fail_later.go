package payment

import (
	"fmt"
	"slices"
	"time"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// Contradicted reports whether a decline of the request with a reference contradicts a success that still counts: of a
// capture, void, refund or payout, or of what a person has approved. Other charges end by a chargeback or reversal
// alone, since a decline may be old news of a card that was tried before.
func (p *Payment) Contradicted(reference string) bool {
	i := p.Transactions.SuccessOf(reference)
	if i < 0 {
		return false
	}
	switch t := p.Transactions[i]; t.Type {
	case EventRefund, EventVoid, EventGiveBack:
		return true
	case EventCapture, EventCredit:
		return !p.Disputed()
	default:
		return t.Decision != nil
	}
}

// FailLater stores that a request has failed after its success, as the provider has reported by itself: the bank of the
// payer or payee may send money back days later. A refund or void has failed then, and the payment is what it was
// before, so that it can be refunded or voided again. A capture or payout that has failed is a reversal of the payment.
// A give-back that has failed is left to a person again. What a person has approved stays until a person accepts that,
// because they may have refunded or paid by hand.
func FailLater(p *Payment, reference string, result connector.Result, now time.Time) (Effects, error) {
	i := p.Transactions.SuccessOf(reference)
	if p.Transactions[i].Decision != nil && p.Transactions[i].Type != EventGiveBack {
		return Contradict(p, reference, result, now), nil
	}
	return p.EndSuccess(i, result, now)
}

// EndSuccess ends the success of the request with the i-th transaction.
func (p *Payment) EndSuccess(i int, result connector.Result, now time.Time) (Effects, error) {
	reason := laterReason(result)
	kind := p.Transactions[i].Type
	authorised := kind.kind() == JobCharge && p.Status == StatusPending
	if kind.kind() == JobCapture || kind.kind() == JobCharge && !authorised {
		result.Outcome, result.ReasonCode, result.Reason = connector.OutcomeReversal, reason.Code, reason.Words
		return p.ApplyDispute(result, now)
	}
	t := &p.Transactions[i]
	t.Status, t.SucceededAt, t.Date, t.Code = Fail, t.Date, now, result.Code
	*t = t.because(reason)
	if kind == EventGiveBack {
		p.reopen(t.About, p.Masked(reason.Text()), now)
		return Effects{Save: true}, nil
	}
	event := &Event{Type: kind, Status: Fail, Reason: reason}
	if kind == EventRefund {
		event.Amount = t.Amount
	}
	to := p.statusBefore(kind)
	if authorised {
		to = StatusDecline
		p.StoredReason = stored(reason)
	}
	if !p.Disputed() {
		if err := p.Move(to, now); err != nil {
			return Effects{}, err
		}
	}
	return Effects{Save: true, Measure: true, Event: event}, nil
}

// statusBefore returns the status before a refund or void that has succeeded: a void may be one of an authorisation.
func (p *Payment) statusBefore(kind EventType) Status {
	if n := len(p.Moves); kind == EventVoid && n > 1 {
		return p.Moves[n-2].To
	}
	return StatusSettled
}

// laterReason returns the reason of a failure after a success. Its code always says so, because the merchant was told
// of the success; its text ends with the provider's reason, if there is one.
func laterReason(result connector.Result) *reason.Reason {
	why := &reason.Reason{Code: reason.FailedLater}
	if result.Reason != "" || result.ReasonCode.Known() && result.ReasonCode != reason.Declined {
		why.Words = fmt.Sprintf("%s %s", why.Code.Row().Text, ReasonOf(result).Text())
	}
	return why
}

// MayTakeBack returns why the success of a request that a person had approved can't be ended, "" if it can.
func (p *Payment) MayTakeBack(reference string) string {
	i := p.Transactions.SuccessOf(reference)
	kind := JobCharge
	if i >= 0 {
		kind = p.Transactions[i].Type.kind()
	}
	statuses := map[JobKind][]Status{
		JobVoid: {StatusVoid}, JobRefund: {StatusSettled, StatusRefund}, JobCapture: {StatusSettled},
		JobCharge: {StatusSettled, StatusPending},
	}
	switch {
	case i < 0 || !slices.Contains(statuses[kind], p.Status):
		return "The payment is " + string(p.Status) + "."
	case p.Jobs.InProgress():
		return "Another request of the payment is in progress."
	}
	return ""
}
