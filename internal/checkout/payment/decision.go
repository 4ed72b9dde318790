package payment

import (
	"slices"
	"time"

	"checkout/internal/money"
)

// Verdict is what an operator asks for.
type Verdict string

// The verdicts. The first two are about a request without an outcome, the next four about a provider's contradiction or
// money that does not count.
const (
	VerdictApproved Verdict = "approved"
	VerdictDeclined Verdict = "declined"
	VerdictGiveBack Verdict = "give-back" // a refund at the provider, or the void of an authorisation
	VerdictReturned Verdict = "returned"  // the money that arrived, or a part of it, was returned by hand
	VerdictAccept   Verdict = "accept"    // what the provider has reported counts, or the money that arrived
	VerdictClose    Verdict = "close"     // nothing follows from it
	VerdictLookUp   Verdict = "look-up"   // only of an Act
	VerdictRequest  Verdict = "requested" // only of an Act: a capture, void or refund
)

// Verdicts are those that Settle takes.
var Verdicts = []Verdict{
	VerdictApproved, VerdictDeclined, VerdictGiveBack, VerdictReturned, VerdictAccept, VerdictClose,
}

// Takes reports whether a verdict is one of those that a person may decide the job by. A case for a person and a
// request without an outcome have none in common.
func (j *Job) Takes(v Verdict) bool {
	switch v {
	case VerdictApproved, VerdictDeclined:
		return !j.Kind.ForPerson()
	case VerdictGiveBack:
		return j.Kind == JobContradiction
	case VerdictReturned:
		return j.Kind.ForPerson() && j.Coins != nil
	case VerdictAccept, VerdictClose:
		return j.Kind.ForPerson()
	case VerdictLookUp, VerdictRequest:
	}
	return false
}

// Decision is what a person has decided of a request.
type Decision struct {
	Verdict Verdict      `json:"verdict"`
	Amount  money.Amount `json:"amount,omitzero"` // of an approval, if the person has named one
	By      string       `json:"by"`              // who decided
	Reason  string       `json:"reason"`
	At      time.Time    `json:"at"`

	Coins    *money.Coins `json:"coins,omitempty"`    // those that are decided about
	Transfer string       `json:"transfer,omitempty"` // reference of the payment by which they were returned by hand
}

// Text returns the decision for the merchant.
func (d Decision) Text() string { return d.Reason + " (decided by " + d.By + ")" }

// Finding is what a provider has said of a request, for operators.
type Finding struct {
	At    time.Time         `json:"at"`
	Says  TransactionStatus `json:"says"` // Undefined if there was no response that tells an outcome
	Text  string            `json:"text"`
	Moved money.Amount      `json:"moved,omitzero"` // if another amount than was requested has moved
}

// Act is what an operator has asked for.
type Act struct {
	At        time.Time    `json:"at"`
	Do        Verdict      `json:"do"`
	By        string       `json:"by,omitempty"` // nobody is named for a look-up
	Reason    string       `json:"reason,omitempty"`
	Type      EventType    `json:"type"` // of the request
	Reference string       `json:"reference"`
	Amount    money.Amount `json:"amount,omitzero"`  // of the request; of an approval, as the operator named it
	Coins     *money.Coins `json:"coins,omitempty"`  // that it is about, in place of the amount
	Result    string       `json:"result,omitempty"` // what the provider said then; "" until it was executed
}

// Acts are what operators have asked for, oldest first.
type Acts []Act

// Add stores what an operator asks for. Of look-ups of a request only the latest one is stored.
func (as *Acts) Add(a Act) {
	if a.Do == VerdictLookUp {
		*as = slices.DeleteFunc(*as, func(old Act) bool {
			return old.Do == VerdictLookUp && old.Reference == a.Reference
		})
	}
	*as = append(*as, a)
}

// Finish stores what came of an operator's acts about a request that were not executed yet.
func (as Acts) Finish(reference, text string) {
	for i := range as {
		if a := &as[i]; a.Reference == reference && a.Result == "" {
			a.Result = text
		}
	}
}
