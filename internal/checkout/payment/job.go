package payment

import (
	"time"

	"checkout/internal/money"
	"checkout/internal/settings"
)

// JobKind is the kind of a provider request.
type JobKind string

// The kinds of jobs. A payment has one charge, at most one capture and one void that did not fail, and many refunds.
const (
	JobCharge  JobKind = "charge"
	JobCapture JobKind = "capture"
	JobVoid    JobKind = "void"
	JobRefund  JobKind = "refund"
)

// The kinds of jobs that are about an earlier request of the payment: see requests.go. The merchant is told of none.
const (
	JobContradiction JobKind = "contradiction" // sends nothing: a person decides what follows from it
	JobGiveBack      JobKind = "give_back"     // refunds or voids a charge that counts as declined
	JobUnapplied     JobKind = "unapplied"     // sends nothing: a person decides about money that does not count
	JobLookUp        JobKind = "look_up"       // looks up a request that has ended, because an operator asks for it
)

// Sends reports whether a job is a request to the provider with a reference of its own.
func (k JobKind) Sends() bool { return !k.ForPerson() && k != JobLookUp }

// ForPerson reports whether a job is none of a provider's, but a case that a person decides.
func (k JobKind) ForPerson() bool { return k == JobContradiction || k == JobUnapplied }

// OfPayment reports whether a job is a request that the payment itself consists of.
func (k JobKind) OfPayment() bool {
	return k.Sends() && k != JobGiveBack
}

// AllowedBy reports whether a connector declares that it can do jobs of that kind.
func (k JobKind) AllowedBy(can settings.Declaration) bool {
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

// Job is one request to a provider. It is stored before the request is sent, and removed when its outcome is stored.
type Job struct {
	Kind      JobKind      `json:"kind"`
	Reference string       `json:"reference,omitempty"` // the same on every repeat; not stored if it is the payment's id
	Amount    money.Amount `json:"amount,omitzero"`     // of a capture, void or refund
	ChargeInput
	SentAt   time.Time `json:"sent_at,omitzero"`   // when it was last sent; zero: it was not
	Continue bool      `json:"continue,omitempty"` // of a charge: a filled-in second form is to be sent
	End      bool      `json:"end,omitempty"`      // of a charge: the provider is to end it
	Released bool      `json:"released,omitempty"` // the worker that sent it has ended, without an outcome
	Tries    int       `json:"tries,omitempty"`    // requests and look-ups without an outcome
	Cause    string    `json:"cause,omitempty"`    // id of the API call that led to it, if known
	Trouble  string    `json:"trouble,omitempty"`  // why its outcome was not known at first
	Notified bool      `json:"notified,omitempty"` // a callback said that the outcome is not known yet
	Fault    string    `json:"fault,omitempty"`    // of a charge: an ActionError, because of which it can't go on
	DueAt    time.Time `json:"due_at,omitzero"`    // when Sweep sends it; not stored if it is the earliest

	UnknownSince time.Time    `json:"unknown_since,omitzero"` // since when its outcome is unknown; zero: it is not
	Person       bool         `json:"person,omitempty"`       // a person decides; it is not due and has no DueAt
	Decision     *Decision    `json:"decision,omitempty"`     // of a person, until it is applied
	About        string       `json:"about,omitempty"`        // of a give-back: reference of the charge
	Coins        *money.Coins `json:"coins,omitempty"`        // that have arrived, do not count and wait for a decision
	LookedUp
}

// ChargeInput is what a charge needs beside its payment.
type ChargeInput struct {
	CardName string   `json:"card_name,omitempty"`
	Sealed   bool     `json:"sealed,omitempty"` // what the payer's browser sealed is in the vault table
	MIDs     []string `json:"mids,omitempty"`   // to try after a soft decline, in this order
}

// LookedUp is what is known of a job's look-ups.
type LookedUp struct {
	LookUps    int       `json:"look_ups,omitempty"`    // those among Tries
	LookedUpAt time.Time `json:"looked_up_at,omitzero"` // when the latest look-up began
	FoundBy    time.Time `json:"found_by,omitzero"`     // until then a look-up that finds nothing proves nothing
	LookingUp  bool      `json:"looking_up,omitempty"`  // a look-up that a call asked for has not ended
	Asked      bool      `json:"asked,omitempty"`       // an operator asks for a look-up
	Finding    *Finding  `json:"finding,omitempty"`     // of the latest response or look-up, for operators
}

// NewJobGrace is how long after it was stored a new job is due. A worker that sends it within five seconds then need
// not move DueAt: see saveSending.
const NewJobGrace = JobLease + 5*time.Second

// JobLease is how long after SentAt a worker may still be sending. It is longer than the time limit of the connector
// function (30 s in template.yaml).
const JobLease = 40 * time.Second

// JobGrace is how long after its message was sent a job is due. Sweep then sends the message again.
const JobGrace = 30 * time.Second
