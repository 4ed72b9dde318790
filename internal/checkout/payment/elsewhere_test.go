package payment

import (
	"testing"
	"time"

	"checkout/internal/connector"
)

// The approval of a void of which nothing was sent is one that somebody else has made, and no other approval is.
func TestVoidedUnsent(t *testing.T) {
	for _, test := range []struct {
		kind    JobKind
		sent    bool
		outcome connector.Outcome
		found   bool
	}{
		{JobVoid, false, connector.OutcomeApproved, true}, {JobVoid, true, connector.OutcomeApproved, false},
		{JobVoid, false, connector.OutcomeDeclined, false}, {JobCapture, false, connector.OutcomeApproved, false},
		{"", false, connector.OutcomeApproved, false},
	} {
		for providerID, id := range map[string]string{"": "the-request", "provider's": "provider's"} {
			p := stage{"", StatusPending, nil}.payment()
			if p.ProviderID = providerID; test.kind != "" {
				p.wants(test.kind, "the-request", "10.00 USD")
			}
			if !test.sent && test.kind != "" {
				p.Jobs[0].SentAt = time.Time{}
			}
			result, found := p.Elsewhere().VoidedUnsent("the-request", connector.Result{Outcome: test.outcome, Code: "00"})
			if found != test.found || found != (result.Outcome == connector.OutcomeVoidedElsewhere) ||
				found && (result.OperationID != id || result.Code != "00") {
				t.Errorf("%+v: %+v, %t", test, result, found)
			}
		}
	}
}
