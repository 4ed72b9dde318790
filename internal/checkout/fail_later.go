package checkout

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/screen"
)

// success returns the index of the transaction that says that the request with a reference has succeeded, -1 if there
// is none.
func (p *Payment) success(reference string) int {
	return slices.IndexFunc(p.Transactions, func(t Transaction) bool {
		return t.Reference == reference && t.Status == Success
	})
}

// contradicted reports whether a decline of the request with a reference contradicts a success that still counts: of a
// capture, void, refund or payout, or of what a person has approved. Other charges end by a chargeback or reversal
// alone, since a decline may be old news of a card that was tried before.
func (p *Payment) contradicted(reference string) bool {
	i := p.success(reference)
	if i < 0 {
		return false
	}
	switch t := p.Transactions[i]; t.Type {
	case EventRefund, EventVoid:
		return true
	case EventCapture, EventCredit:
		return !p.disputed()
	default:
		return t.Decision != nil
	}
}

// failLater stores that a request has failed after its success, as the provider has reported by itself: the bank of the
// payer or payee may send money back days later. A refund or void has failed then, and the payment is what it was
// before, so that it can be refunded or voided again. A capture or payout that has failed is a reversal of the payment.
// What a person has approved stays, because they may have refunded or paid by hand.
func (p *Payment) failLater(reference string, result Result, now time.Time) (effects, error) {
	i := p.success(reference)
	if p.Transactions[i].Decision != nil {
		return effects{}, nil
	}
	reason := laterReason(result)
	kind := p.Transactions[i].Type
	if kind != EventRefund && kind != EventVoid {
		result.Outcome, result.ReasonCode, result.Reason = OutcomeReversal, reason.Code, reason.Words
		return p.dispute(result, now)
	}
	t := &p.Transactions[i]
	t.Status, t.SucceededAt, t.Date, t.Code = Fail, t.Date, now, result.Code
	*t = t.because(reason)
	event := &Event{Type: kind, Status: Fail, Reason: reason}
	if kind == EventRefund {
		event.Amount = t.Amount
	}
	if !p.disputed() {
		if err := p.move(p.statusBefore(kind), now); err != nil {
			return effects{}, err
		}
	}
	return effects{save: true, measure: true, event: event}, nil
}

// applyDispute applies the dispute of a payment that was refunded or voided when it came, if that has failed since.
func (s *Service) applyDispute(ctx context.Context, t task) error {
	_, err := s.changeAndNotify(ctx, t, func(t task, now time.Time) (effects, error) {
		p, outcome := t.payment, OutcomeChargeback
		if p.Dispute == StatusReversal {
			outcome = OutcomeReversal
		}
		if p.Dispute == "" || p.Status != StatusSettled {
			return effects{}, nil
		}
		p.Dispute = ""
		return p.dispute(Result{Outcome: outcome}, now)
	})
	return err
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
func laterReason(result Result) *screen.Reason {
	reason := &screen.Reason{Code: screen.ReasonFailedLater}
	if result.Reason != "" || result.ReasonCode.Known() && result.ReasonCode != screen.ReasonDeclined {
		reason.Words = fmt.Sprintf("%s %s", reason.Code.Row().Text, reasonOf(result).Text())
	}
	return reason
}
