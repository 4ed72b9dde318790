package checkout

import (
	"unicode/utf8"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// Outcome is what a provider said.
type Outcome int

// The outcomes. The zero value means that nobody knows yet.
const (
	OutcomePending        Outcome = iota
	OutcomeApproved               // it was done; of a charge: settled, or authorised when Charge.Auth was set
	OutcomeDeclined               // it was not done and will not be
	OutcomeActionRequired         // of a charge: the payer has to act first, see Result.RequiredAction
	OutcomeUnknown                // of QueryStatus: the provider never received the reference
	OutcomeChargeback             // of a Notice: the payer's bank reversed the payment
	OutcomeReversal               // of a Notice: the provider reversed the payment
)

// Result is a provider's response. Its ProviderData is merged into that of the payment.
type Result struct {
	Outcome        Outcome
	Reason         string       // of a decline, in the provider's words for the payer; "" where Received says it
	Code           string       // the provider's own code of a yes or no, of which 64 characters are stored
	Soft           bool         // of a decline: another try, or another MID, may succeed
	Authorised     bool         // of an approval: only authorised, whatever was asked for
	Amount         money.Amount // of an approval where Charge.PayerEntersAmount; else zero
	RequiredAction *RequiredAction
	Received       *Received // of money that payers send from elsewhere: what has arrived, nil if nothing

	ReasonCode     screen.ReasonCode // of a decline that the page has texts for; "": ReasonDeclined
	ReasonLanguage string            // of Reason, a BCP 47 tag; "": not known

	ProviderData
}

// bounded returns a provider's result with texts that can be stored. Words
// are cut. A name of the provider's that is too long is left out, since a part of it
// would name nothing, or something else. An amount or a next step that
// is too long can't be understood: an error.
func (r Result) bounded() (Result, error) {
	r.Reason, r.Code = request.Printable(r.Reason, maxResultText), request.Printable(r.Code, maxCode)
	for _, name := range r.ProviderData.texts() {
		if utf8.RuneCountInString(*name) > maxResultText || request.Printable(*name, maxResultText) != *name {
			*name = ""
		}
	}
	if r.RequiredAction == nil {
		return r, nil
	}
	if len(r.RequiredAction.URL) > maxLink || len(r.RequiredAction.Show) > maxShown || len(r.RequiredAction.Text) > maxCode {
		return Result{}, errTooLong
	}
	for _, shown := range r.RequiredAction.Show {
		if len(shown.ID)+len(shown.Value)+len(shown.Currency) > maxLink {
			return Result{}, errTooLong
		}
	}
	return r, nil
}

// takesBack reports whether the payer's bank or the provider takes the money back.
func (r Result) disputes() bool {
	return r.Outcome == OutcomeChargeback || r.Outcome == OutcomeReversal
}

// declineFor is the result of a request that is declined without being sent, or that the provider can't do.
func declineFor(code screen.ReasonCode) Result {
	return Result{Outcome: OutcomeDeclined, ReasonCode: code}
}

// reasonOf is why a provider declined.
func reasonOf(r Result) *screen.Reason {
	reason := &screen.Reason{Code: r.ReasonCode, Words: r.Reason, Language: r.ReasonLanguage}
	if reason.Code == "" {
		reason.Code = screen.ReasonDeclined
	}
	return reason
}
