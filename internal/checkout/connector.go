package checkout

import (
	"context"
	"encoding/json"
	"errors"

	"checkout/internal/card"
	"checkout/internal/request"
)

// Connector talks to one family of providers. What it is asked for is carried
// out once a Reference, however often it is asked. A declined question is a
// Result. An error that is ErrNotSent means that nothing reached the provider;
// any other error means that nobody knows.
type Connector interface {
	// Charge asks for the money, or of a credit to pay it out.
	Charge(ctx context.Context, charge Charge) (Result, error)
}

// Capturer is a connector that takes money that was only authorised.
type Capturer interface {
	Capture(ctx context.Context, question Question) (Result, error)
}

// Voider is a connector that cancels a payment as if it had never been.
type Voider interface {
	Void(ctx context.Context, question Question) (Result, error)
}

// Refunder is a connector that gives money back.
type Refunder interface {
	Refund(ctx context.Context, question Question) (Result, error)
}

// Lookuper is a connector that can be asked what became of a reference, of
// whatever kind the question was. An OutcomeUnknown result says that the
// provider never saw it.
type Lookuper interface {
	Lookup(ctx context.Context, question Question) (Result, error)
}

// Noticer is a connector whose provider reports outcomes that come later.
type Noticer interface {
	// Notice reads what the provider sent and answers which payment it is about.
	Notice(ctx context.Context, body []byte) (Notice, error)
}

// ErrNotSent marks a failed question that never reached the provider.
var ErrNotSent = errors.New("nothing was sent to the provider")

// Question is what every question to a provider carries.
type Question struct {
	Kind        JobKind
	Reference   string // ours, the same on every repeat
	Charged     string // of a capture, void or refund: the reference of the charge
	ProviderID  string // the provider's own name of the payment, once known
	PaymentID   string
	SessionID   string // "" for what needs no payer
	Amount      string // decimal text with the currency's digits; "": the payer enters it elsewhere
	Currency    string
	Credentials map[string]string // of the MID
}

// Charge is one question for money.
type Charge struct {
	Question
	Operation   string // purchase, debit, credit, transfer
	Method      string
	Description string
	Auth        bool      // authorise only
	Recurring   bool      // a later payment of a chain, without the payer
	First       string    // of such: the provider's own name of the chain's first payment
	Card        card.Card // zero for methods without one; without a security code if it is a saved one
	CardName    string
	Customer    request.Customer
	Address     request.Address
	Payee       request.Payee // of a credit or transfer
	PayerIP     string
	Network     string // crypto.network
	Parameters  json.RawMessage
	ReturnURL   string // where the payer comes back to after 3-D Secure or a redirect
}

// Outcome is what a provider said.
type Outcome int

// The outcomes. The zero value means that nobody knows yet.
const (
	OutcomePending    Outcome = iota
	OutcomeApproved           // carried out; of a charge: settled, or authorised when Charge.Auth was set
	OutcomeDeclined           // refused; nothing was and will be carried out
	OutcomeNext               // of a charge: the payer has to do something first, see Result.Next
	OutcomeUnknown            // of a Lookup: the provider has never seen the reference
	OutcomeChargeback         // of a Notice: the payer's bank took the money back
	OutcomeReversal           // of a Notice: the provider took the payment back
)

// Result is a provider's answer. What follows Next is kept of every answer that names it.
type Result struct {
	Outcome    Outcome
	Reason     string // of a decline, in words for the payer; "" where Received says it
	Code       string // the provider's own code of a yes or no, of which 64 characters are stored
	Soft       bool   // of a decline: another try, or another MID, may succeed
	Authorised bool   // of an approval: only authorised, whatever was asked for
	Amount     string // of an approval where the payer entered it elsewhere
	Next       *NextStep
	Received   *Received // of a charge whose payer sends money from elsewhere: what has arrived until now, nil if nothing

	ProviderID     string
	ExtraID        string // a second name of the provider's
	RRN            string
	ApprovalCode   string
	IssuerCountry  string
	IssuerBank     string
	ExchangeRate   string // of a crypto payment, with the two currencies' amounts
	ExchangeBase   string
	ExchangeCoin   string
	ExchangeAmount string
}

// Notice is an outcome that a provider reports by itself. Reference names the
// question that it is about, "" the charge.
type Notice struct {
	PaymentID string
	SessionID string
	Reference string
	Result    Result
}
