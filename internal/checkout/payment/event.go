package payment

import (
	"time"

	"checkout/internal/money"
	"checkout/internal/reason"
)

// EventType is what a callback and a transaction are about (protocol.md, Events).
type EventType string

// The types of events. That of a charge is its operation, except for purchases (sale) and later payments (recurring).
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

// EventCardRemoved is the type of a callback that is about no payment: a payer has removed a saved card (protocol.md,
// Saved cards).
const EventCardRemoved EventType = "card_removed"

// The types of transactions of which the merchant is not told.
const (
	EventContradiction = EventType(JobContradiction) // a provider has reported the opposite of an outcome
	EventGiveBack      = EventType(JobGiveBack)
)

// kind returns the kind of the request that a transaction of this type is about.
func (t EventType) kind() JobKind {
	switch kind := JobKind(t); kind {
	case JobCapture, JobVoid, JobRefund, JobContradiction, JobGiveBack:
		return kind
	}
	return JobCharge
}

// TransactionStatus is the outcome of a transaction, or what an event says of it.
type TransactionStatus string

// The statuses of transactions and events. A transaction has Success or Fail.
const (
	Success   TransactionStatus = "success"
	Fail      TransactionStatus = "fail"
	Waiting   TransactionStatus = "waiting"   // the provider has not decided yet
	Undefined TransactionStatus = "undefined" // nobody knows
	Removed   TransactionStatus = "removed"   // of EventCardRemoved alone: neither paid nor failed
)

// Event is the type and status of a callback.
type Event struct {
	Type   EventType
	Status TransactionStatus
	Reason *reason.Reason // nil for a success that needs none
	Amount money.Amount   // of a capture, refund, chargeback or reversal, else zero
}

// Interim reports whether an event has no callback for a merchant with the switch "callbacks: final".
func (e Event) Interim() bool {
	switch e.Type {
	case Event3DS, EventRedirect, EventInit, EventCardRemoved:
		return true
	}
	return e.Status == Waiting || e.Status == Undefined
}

// InterimReasons are the reasons of events that say that the outcome is not known yet.
var InterimReasons = map[TransactionStatus]reason.Code{
	Waiting: reason.Undecided, Undefined: reason.OutcomeUnknown,
}

// Timestamp returns a time as merchants get it: YYYY-MM-DD hh:mm:ss in UTC.
func Timestamp(t time.Time) string { return t.UTC().Format(time.DateTime) }
