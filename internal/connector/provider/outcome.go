package provider

import (
	"checkout/internal/checkout"
	"checkout/internal/screen"
)

// Declined is the result of a request that is declined, with words for the payer if the reason alone says too little.
func Declined(reason screen.ReasonCode, words string) checkout.Result {
	return checkout.Result{Outcome: checkout.OutcomeDeclined, ReasonCode: reason, Reason: words}
}

// Reversed is the outcome of a payment that was approved and then reversed, by the code that a provider gives for it.
func Reversed(code string) checkout.Outcome {
	if code == "chargeback" { // by the payer's bank
		return checkout.OutcomeChargeback
	}
	return checkout.OutcomeReversal
}

// NeverApproved turns the result of a reversed payment into a decline, for those who have sent or looked it up: they
// never knew of its approval, and it moves no money. Those who knew of it are told by a notice.
func NeverApproved(r checkout.Result) checkout.Result {
	if r.Outcome == checkout.OutcomeReversal || r.Outcome == checkout.OutcomeChargeback {
		r.Outcome, r.ReasonCode = checkout.OutcomeDeclined, screen.ReasonDisputed
	}
	return r
}
