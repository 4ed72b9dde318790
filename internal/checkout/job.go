package checkout

import (
	"cmp"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/money"
)

// JobKind is what a provider is asked for.
type JobKind string

// The kinds of jobs. A payment has one charge in its life, at most one capture
// and void that are not failed, and many refunds.
const (
	JobCharge  JobKind = "charge"
	JobCapture JobKind = "capture"
	JobVoid    JobKind = "void"
	JobRefund  JobKind = "refund"
)

// allowedBy reports whether a connector can do a job of that kind for a payment that was made.
func (k JobKind) allowedBy(can merchant.Declaration) bool {
	switch k {
	case JobCapture:
		return can.Capture
	case JobVoid:
		return can.Void
	case JobRefund:
		return can.Refund
	}
	return true
}

// Job is one request to a provider. It is stored before the question is
// asked and gone when the answer is stored.
type Job struct {
	Kind      JobKind      `json:"kind"`
	Reference string       `json:"reference,omitempty"` // our own, the same for every repeat; stored where it is not the payment's id
	Amount    money.Amount `json:"amount,omitzero"`     // of a capture, void or refund
	CardName  string       `json:"card_name,omitempty"`
	Sealed    bool         `json:"sealed,omitempty"`   // what the payer sealed is in the vault table
	MIDs      []string     `json:"mids,omitempty"`     // that may be tried after a soft decline, in this order
	AskedAt   time.Time    `json:"asked_at,omitzero"`  // of the latest question; zero: nothing was sent
	Continue  bool         `json:"continue,omitempty"` // of a charge: the payer has filled in a second form, and the provider was not told yet
	Answered  bool         `json:"answered,omitempty"` // whoever asked is done, without a yes or no
	Tries     int          `json:"tries,omitempty"`    // questions and look-ups that brought no answer
	LookUps   int          `json:"look_ups,omitempty"` // look-ups alone
	Cause     string       `json:"cause,omitempty"`    // id of the API call that led to it, if known
	Told      bool         `json:"told,omitempty"`     // the merchant was told that the outcome is not known yet
	DueAt     time.Time    `json:"due_at,omitzero"`    // when Sweep has it carried out if nobody did; stored where it is not the earliest
}

// event is what the merchant is told of a job. Those of captures and refunds name their own amount.
func (j Job) event(p *Payment, status TransactionStatus, reason string) *Event {
	e := &Event{Type: p.EventType(j.Kind), Status: status, Reason: reason}
	if j.Kind == JobCapture || j.Kind == JobRefund {
		e.Amount = j.Amount
	}
	return e
}

// transaction completes the end of a job by what was asked of whom.
func (p *Payment) transaction(job Job, end Transaction) Transaction {
	end.Type, end.Amount, end.Reference = p.EventType(job.Kind), cmp.Or(job.Amount, p.Amount), job.Reference
	end.MID, end.Connector, end.SentAt, end.LookUps = p.MID, p.Connector, job.AskedAt, job.LookUps
	return end
}

// EventType is what callbacks call a job of the payment (decisions.md 6).
func (p *Payment) EventType(kind JobKind) EventType {
	switch {
	case kind != JobCharge:
		return EventType(kind)
	case p.Recurring:
		return EventRecurring
	case p.Operation == method.Purchase:
		return EventSale
	}
	return EventType(p.Operation)
}
