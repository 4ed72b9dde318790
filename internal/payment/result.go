package payment

import (
	"cmp"

	"checkout/internal/connector"
	"checkout/internal/screen"
)

// DeclineFor returns the result of a request that is declined without being sent.
func DeclineFor(code screen.ReasonCode) connector.Result {
	return connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: code}
}

// ReasonOf returns the reason of a decline.
func ReasonOf(r connector.Result) *screen.Reason {
	reason := &screen.Reason{Code: r.ReasonCode, Words: r.Reason, Language: r.ReasonLanguage}
	if !reason.Code.Known() {
		reason.Code = screen.ReasonDeclined
	}
	return reason
}

// disputeReason returns the reason of a chargeback or reversal, nil if the provider gave none.
func disputeReason(r connector.Result) *screen.Reason {
	if r.Reason == "" && r.ReasonCode == "" {
		return nil
	}
	r.ReasonCode = cmp.Or(r.ReasonCode, screen.ReasonDisputed)
	return ReasonOf(r)
}
