package payment

import (
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

// ParsedResult is a provider's result, with the money that arrived as a receipt.
type ParsedResult struct {
	connector.Result
	Receipt receipt
	// Other is of an approval by which another amount has moved than was asked for: what operators read of it. Its amount
	// is zero if it is not known, or of another currency.
	Other *Finding
}

// receivedAfter returns what has arrived: what was known before, unless the result says more that can be read.
func (r ParsedResult) receivedAfter(known *connector.Received) *connector.Received {
	if r.Receipt.Arrived.IsZero() {
		return known
	}
	return r.Received
}

// MaxNotified limits the callbacks about money that arrives in parts, in time or too late: anybody can send such parts,
// and a payment's document has to stay small. Later parts are stored without a callback.
const MaxNotified = 100

// PaidLate stores money that arrived after the payment was declined. The payment stays declined (protocol.md, Statuses
// and moves); a callback and the page say that money arrived. The money waits for a person (Unapplied).
// The session takes no further attempt until it is known what becomes of it; an attempt that was made already counts.
func (p *Payment) PaidLate(result ParsedResult, now time.Time) Effects {
	reason := arrivedReason(reason.PaidTooLate, result.Receipt.Added, money.Amount{})
	p.Received = result.Received
	p.StoredReason = stored(reason)
	p.Unapplied().Add(money.CoinsOf(result.Receipt.Added), now)
	if p.DeclinedCharges() >= MaxNotified {
		return Effects{Save: true}
	}
	late := Transaction{
		Type: p.EventType(JobCharge), Status: Fail, Date: now, Amount: p.Amount, Reference: p.ChargeReference,
	}
	p.Transactions = append(p.Transactions, late.because(reason))
	event := &Event{Type: p.EventType(JobCharge), Status: Fail, Reason: reason}
	return Effects{Save: true, Event: event, Unapplied: screen.TextPaidTooLate}
}
