package checkout

import (
	"time"

	"checkout/internal/merchant"
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
	SentAt    time.Time    `json:"asked_at,omitzero"`  // of the latest question; zero: nothing was sent
	Continue  bool         `json:"continue,omitempty"` // of a charge: the payer has filled in a second form, and the provider was not told yet
	Released  bool         `json:"answered,omitempty"` // whoever asked is done, without a yes or no
	Tries     int          `json:"tries,omitempty"`    // questions and look-ups that brought no answer
	LookUps   int          `json:"look_ups,omitempty"` // look-ups alone
	Cause     string       `json:"cause,omitempty"`    // id of the API call that led to it, if known
	Notified  bool         `json:"told,omitempty"`     // the merchant was told that the outcome is not known yet
	DueAt     time.Time    `json:"due_at,omitzero"`    // when Sweep has it carried out if nobody did; stored where it is not the earliest
}

// newJobGrace is how long after it was stored a new job is due, if nobody
// does it before. A job that is asked within the five seconds is due
// after its AskLease.
const newJobGrace = JobLease + 5*time.Second

// AskLease is how long after AskedAt somebody may still be asking. It is
// longer than the connector function can live (30 s in template.yaml), so
// after it nobody is.
const JobLease = 40 * time.Second

// jobGrace is how long after its message a job is due: Sweep then sends it again.
const jobGrace = 30 * time.Second
