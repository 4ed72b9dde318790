package checkout

import (
	"time"

	"checkout/internal/money"
)

// Verdict is what an operator asks for.
type Verdict string

// The verdicts. The first two are about a request without an outcome, the next three about a provider's contradiction.
const (
	VerdictApproved Verdict = "approved"
	VerdictDeclined Verdict = "declined"
	VerdictGiveBack Verdict = "give-back" // a refund at the provider, or the void of an authorisation
	VerdictAccept   Verdict = "accept"    // what the provider has reported counts
	VerdictClose    Verdict = "close"     // nothing follows from the report
	VerdictLookUp   Verdict = "look-up"   // only of an Act
)

// Verdicts are those that Settle takes.
var Verdicts = []Verdict{VerdictApproved, VerdictDeclined, VerdictGiveBack, VerdictAccept, VerdictClose}

// Decision is what a person has decided of a request.
type Decision struct {
	Verdict Verdict      `json:"verdict"`
	Amount  money.Amount `json:"amount,omitzero"` // of an approval, if the person has named one
	By      string       `json:"by"`              // who decided
	Reason  string       `json:"reason"`
	At      time.Time    `json:"at"`
}

// text returns the decision for the merchant.
func (d Decision) text() string { return d.Reason + " (decided by " + d.By + ")" }
