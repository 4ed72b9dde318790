package payment

import (
	"cmp"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// ApplyDispute stores a chargeback or reversal of a settled payment, of all that was captured or of a part
// (protocol.md, Events). If the payment is not known to be settled yet, the notice is refused, so that the provider
// sends it again. It changes no payment that was refunded or voided, unless that fails later. Of a payment that is
// charged back, a further dispute with an id of its own is reported, too; the first id is that of a dispute that was
// stored without one. Errors: CodeTooEarly.
func (p *Payment) ApplyDispute(result connector.Result, now time.Time) (Effects, error) {
	to := StatusChargeback
	if result.Outcome == connector.OutcomeReversal {
		to = StatusReversal
	}
	if p.Transactions.madeElsewhere(EventType(to), result.OperationID) >= 0 {
		return Effects{}, nil
	}
	switch p.Status {
	case StatusSettled:
	case StatusPrepare, Status3DS, StatusRedirect, StatusPending:
		return Effects{}, notYet("settled")
	case StatusRefund, StatusVoid:
		known := p.Dispute != ""
		p.Dispute = cmp.Or(p.Dispute, to)
		return Effects{Save: !known}, nil
	case StatusChargeback:
		if result.OperationID == "" || to != StatusChargeback || p.Transactions.full() {
			return Effects{}, nil
		}
		if i := p.Transactions.unnamedChargeback(); i >= 0 {
			p.Transactions[i].Reference = result.OperationID
			return Effects{Save: true}, nil
		}
	default:
		return Effects{}, nil
	}
	if p.Status != to {
		if err := p.Move(to, now); err != nil {
			return Effects{}, err
		}
	}
	reason := disputeReason(result)
	dispute := Ended(Success, now, result, reason)
	dispute.Type, dispute.Amount = EventType(to), p.disputedAmount(result.Amount)
	p.addElsewhere(dispute, result.OperationID)
	event := &Event{Type: EventType(to), Status: Success, Reason: reason, Amount: dispute.Amount}
	return Effects{Save: true, Measure: true, StopChain: !p.Recurring, Event: event}, nil
}

// disputedAmount returns the amount of a dispute: all that was captured if the provider names none, or one that can't
// be a part of that, such as in the payer's currency.
func (p *Payment) disputedAmount(named money.Amount) money.Amount {
	if named.IsZero() || named.Currency() != p.Captured.Currency() || named.Cmp(p.Captured) > 0 {
		return p.Captured
	}
	return named
}

// winDispute stores that a dispute was won: its chargeback counts no longer, and the payment is what it was before. A
// dispute that is not known yet is stored as won, since its notice may come late.
func (p *Payment) winDispute(result connector.Result, now time.Time) (Effects, error) {
	reason := &screen.Reason{Code: screen.ReasonDisputeWon}
	i := p.Transactions.madeElsewhere(EventChargeback, result.OperationID)
	if i < 0 { // the provider may have reported it without its id
		i = p.Transactions.unnamedChargeback()
	}
	switch {
	case p.Captured.IsZero():
		return Effects{}, nil // nobody knows of a dispute
	case i < 0 && p.Transactions.full():
		return Effects{}, refuseElsewhere("There are too many transactions.")
	case i < 0:
		p.Dispute = ""
		won := Ended(Fail, now, result, reason)
		won.Type, won.Amount = EventChargeback, p.disputedAmount(result.Amount)
		p.addElsewhere(won, result.OperationID)
		return Effects{Save: true}, nil
	case p.Transactions[i].Status != Success:
		return Effects{}, nil
	}
	t := &p.Transactions[i]
	t.Status, t.SucceededAt, t.Date, t.Reference = Fail, t.Date, now, result.OperationID
	*t = t.because(reason)
	event := &Event{Type: EventChargeback, Status: Fail, Reason: reason, Amount: t.Amount}
	e := Effects{Save: true, Measure: true, Event: event}
	if p.Status != StatusChargeback || p.Transactions.Count(EventChargeback, Success) > 0 {
		return e, nil
	}
	to := StatusSettled
	if left, err := p.notRefunded(); err == nil && left.IsZero() {
		to = StatusRefund
	}
	return e, p.Move(to, now)
}

// notYet refuses a notice of what follows a status that the payment is not known to have. It is looked up, and the
// provider sends the notice again.
func notYet(status string) error {
	return request.Refuse(request.CodeTooEarly, request.FaultInvalid, "The payment is not "+status+" yet.")
}
