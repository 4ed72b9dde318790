package payment

import (
	"cmp"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// DeclineFor returns the result of a request that is declined without being sent.
func DeclineFor(code reason.Code) connector.Result {
	return connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: code}
}

// ReasonOf returns the reason of a decline.
func ReasonOf(r connector.Result) *reason.Reason {
	why := &reason.Reason{Code: r.ReasonCode, Words: r.Reason, Language: r.ReasonLanguage}
	if !why.Code.Known() {
		why.Code = reason.Declined
	}
	return why
}

// disputeReason returns the reason of a chargeback or reversal, nil if the provider gave none.
func disputeReason(r connector.Result) *reason.Reason {
	if r.Reason == "" && r.ReasonCode == "" {
		return nil
	}
	r.ReasonCode = cmp.Or(r.ReasonCode, reason.Disputed)
	return ReasonOf(r)
}
