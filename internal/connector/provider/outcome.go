package provider

import (
	"checkout/internal/connector"
	"checkout/internal/reason"
)

// Declined is the result of a request that is declined, with words for the payer if the reason alone says too little.
func Declined(reason reason.Code, words string) connector.Result {
	return connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason, Reason: words}
}

// Reversed is the outcome of a payment that was approved and then reversed, by the code that a provider gives for it.
func Reversed(code string) connector.Outcome {
	if code == "chargeback" { // by the payer's bank
		return connector.OutcomeChargeback
	}
	return connector.OutcomeReversal
}

// NeverApproved turns the result of a reversed payment into a decline, for those who have sent or looked it up: they
// never knew of its approval, and it moves no money. Those who knew of it are told by a notice.
func NeverApproved(r connector.Result) connector.Result {
	if r.Outcome == connector.OutcomeReversal || r.Outcome == connector.OutcomeChargeback {
		r.Outcome, r.ReasonCode = connector.OutcomeDeclined, reason.Disputed
	}
	return r
}
