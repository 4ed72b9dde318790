package checkout

import (
	"fmt"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/screen"
)

// ParsedResult is a provider's result, with the money that arrived as a receipt.
type ParsedResult struct {
	connector.Result
	Receipt receipt
}

// setReceived stores what has arrived, if it could be read.
func (p *Payment) setReceived(result ParsedResult) {
	if !result.Receipt.Arrived.IsZero() {
		p.Received = result.Received
	}
}

// maxNotified limits the callbacks about money that arrives in parts, in time or too late: anybody can send such parts,
// and a payment's document has to stay small. Later parts are stored without a callback.
const maxNotified = 100

// partlyPaid stores that a part of what is due has arrived. The payment waits for the rest, also if its payer wanted it
// ended before that was known: they are shown again what to pay with.
func partlyPaid(t Task, result ParsedResult) Effects {
	p := t.Payment
	p.Received = result.Received
	if job := t.Job(); job != nil && t.Session != nil && t.Session.Ending != "" {
		job.KeepOpen()
	}
	if p.Callbacks >= maxNotified {
		return Effects{Save: true}
	}
	arrived, due := connector.WithCurrency(result.Receipt.Arrived), connector.WithCurrency(result.Receipt.due)
	text := arrived + " of " + due + " arrived, " + connector.WithCurrency(result.Receipt.Missing()) + " are missing."
	reason := &screen.Reason{Code: screen.ReasonPartlyPaid, Words: text}
	event := &Event{Type: p.EventType(JobCharge), Status: Waiting, Reason: reason}
	return Effects{Save: true, Event: event}
}

// PaidLate stores money that arrived after the payment was declined. The payment stays declined (protocol.md, Statuses
// and moves); a callback and the page say that money arrived. The session takes no further attempt, since the merchant
// has to decide what becomes of the money; an attempt that was made already counts.
func PaidLate(p *Payment, result ParsedResult, now time.Time) Effects {
	reason := arrivedReason(screen.ReasonPaidTooLate, result.Receipt.Added, money.Amount{})
	p.Received = result.Received
	p.StoredReason = stored(reason)
	if p.DeclinedCharges() >= maxNotified {
		return Effects{Save: true}
	}
	late := Transaction{
		Type: p.EventType(JobCharge), Status: Fail, Date: now, Amount: p.Amount, Reference: p.ChargeReference,
	}
	p.Transactions = append(p.Transactions, late.because(reason))
	event := &Event{Type: p.EventType(JobCharge), Status: Fail, Reason: reason}
	return Effects{Save: true, Event: event, unapplied: screen.TextPaidTooLate}
}

// LacksAmount returns an error for an approval without an amount in the payment's currency, if the payer entered the
// amount at the provider: it is unknown then what was paid.
func (p *Payment) LacksAmount(r connector.Result) error {
	named := !r.Amount.IsZero() && r.Amount.Currency().Code == p.Order.Currency
	if r.Outcome != connector.OutcomeApproved || !p.Amount.IsZero() || named {
		return nil
	}
	return fmt.Errorf("payment %s was approved without its amount", p.ID)
}
