package checkout

import (
	"time"

	"checkout/internal/money"
)

// EventType is what a callback and a transaction are about (decisions.md 6, first table).
type EventType string

// The types of events. Charges are called by their operation, but for a purchase and later payments of a chain.
const (
	EventSale       EventType = "sale"
	EventDebit      EventType = "debit"
	EventCredit     EventType = "credit"
	EventTransfer   EventType = "transfer"
	EventRecurring  EventType = "recurring"
	EventCapture    EventType = "capture"
	EventVoid       EventType = "void"
	EventRefund     EventType = "refund"
	EventChargeback EventType = "chargeback"
	EventReversal   EventType = "reversal"
	Event3DS        EventType = "3ds"
	EventRedirect   EventType = "redirect"
	EventInit       EventType = "init" // the payer was shown what to pay with
)

// TransactionStatus is the outcome of a transaction, or how far an event tells it.
type TransactionStatus string

// The statuses of transactions and events. A transaction has a Success or a Fail.
const (
	Success   TransactionStatus = "success"
	Fail      TransactionStatus = "fail"
	Waiting   TransactionStatus = "waiting"   // the provider has not decided yet
	Undefined TransactionStatus = "undefined" // nobody knows
)

// Event is the type and status of a callback.
type Event struct {
	Type   EventType
	Status TransactionStatus
	Reason string       // of what is no success
	Amount money.Amount // of a capture or refund: its own; else zero
}

// interim is what a merchant with "callbacks: final" is not told.
func (e Event) interim() bool {
	return e.Type == Event3DS || e.Type == EventRedirect || e.Type == EventInit || e.Status == Waiting || e.Status == Undefined
}

// interimReasons is the reason with which a merchant is told that an outcome is not known yet.
var interimReasons = map[TransactionStatus]string{
	Waiting:   "The payment provider has not decided yet.",
	Undefined: "The payment provider's answer is not known yet.",
}

func timestamp(t time.Time) string { return t.UTC().Format(time.DateTime) }
