package connector

import (
	"regexp"
	"time"
	"unicode/utf8"

	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Outcome is what a provider says of a request.
type Outcome int

// The outcomes. The zero value means that nobody knows yet.
const (
	OutcomePending        Outcome = iota
	OutcomeApproved               // it succeeded; a charge is settled, or authorised if Charge.Auth was set
	OutcomeDeclined               // it did not succeed and will not
	OutcomeActionRequired         // of a charge: the payer has to act first, see Result.RequiredAction
	OutcomeUnknown                // of QueryStatus: the provider knows no such reference, or not yet
	OutcomeChargeback             // of a Notice: the payer's bank charged the payment back, see Result.Stage
	OutcomeReversal               // of a Notice: the provider reversed the payment

	OutcomeCapturedElsewhere // of a Notice: captured without a request of ours, such as on the provider's website
	OutcomeVoidedElsewhere   // the same of a void, also by the end of an authorisation
	OutcomeRefundedElsewhere // the same of a refund; that it failed later is a notice with its id as Reference
	OutcomeDisputeWon        // of a Notice: the chargeback with that OperationID does not count any more
)

// Result is a provider's response. Its ProviderData is merged into that of the payment.
type Result struct {
	Outcome        Outcome
	Reason         string       // of a decline, in the provider's words for a payer; "" if it has none or Received tells
	Code           string       // the provider's code of the outcome; 64 characters are stored
	Authorised     bool         // of an approval: only authorised, whatever was requested
	Amount         money.Amount // of an approval if Charge.PayerEntersAmount; what was disputed or moved elsewhere
	OperationID    string       // the provider's id of what it did elsewhere, or of a dispute; "": not known
	Stage          Stage        // of a chargeback
	StageAt        time.Time    // when a dispute came to its stage or was won, as the provider says; zero: not known
	RequiredAction *RequiredAction
	Received       *Received // of a payment elsewhere: what has arrived; nil: nothing

	ReasonCode     reason.Code // of a decline: says whether it is soft; "" or unknown: reason.Declined
	ReasonLanguage string      // of Reason, a BCP 47 tag; "": not known

	ProviderData
}

// Stage is how far a dispute has come. It may be told late, twice and in any order, with one OperationID.
type Stage string

// The stages, each of which overrides those before it where the provider tells no times.
const (
	StageReceived    Stage = "received" // also of a chargeback whose provider tells no stage
	StageWon         Stage = "won"      // OutcomeDisputeWon
	StageArbitration Stage = "arbitration"
	StageLost        Stage = "lost"
)

// isIndicator is the form of an electronic commerce indicator.
var isIndicator = regexp.MustCompile(`^[0-9]{2}$`)

// Bounded returns a provider's result with texts that can be stored, but for its action: long ones cut. Ids and other
// provider data that are too long are left out, since a part of an id may identify something else. So is an ECI that
// is none.
func (r Result) Bounded() Result {
	r.Reason = fault.Printable(r.Reason, maxResultText)
	r.Code = fault.Printable(r.Code, MaxCode)
	if len(r.ReasonLanguage) > MaxCode {
		r.ReasonLanguage = ""
	}
	for _, text := range append(r.ProviderData.texts(), &r.OperationID) {
		if utf8.RuneCountInString(*text) > maxResultText || fault.Printable(*text, maxResultText) != *text {
			*text = ""
		}
	}
	if !isIndicator.MatchString(r.ECI) {
		r.ECI = ""
	}
	if got := r.Received; got != nil &&
		(got.Currency == "" || len(got.Currency)+len(got.Amount)+len(got.Due) > maxResultText) {
		r.Received = &Received{} // which can't be read
	}
	return r
}

// Disputes reports whether it is a chargeback or a reversal.
func (r Result) Disputes() bool {
	return r.Outcome == OutcomeChargeback || r.Outcome == OutcomeReversal
}

// IsElsewhere reports whether the provider has done something without a request of ours.
func (r Result) IsElsewhere() bool {
	return r.Outcome >= OutcomeCapturedElsewhere && r.Outcome <= OutcomeDisputeWon
}

// FollowsSuccess reports whether only a charge that succeeded can have the result.
func (r Result) FollowsSuccess() bool { return r.Disputes() || r.IsElsewhere() }
