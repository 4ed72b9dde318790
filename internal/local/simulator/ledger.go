package simulator

import (
	"errors"
	"strings"
	"time"

	"checkout/internal/money"
)

// Kind is what an operation does.
type Kind string

// The kinds.
const (
	Charge  Kind = "charge"
	Payout  Kind = "payout"
	Capture Kind = "capture"
	Void    Kind = "void"
	Refund  Kind = "refund"
	Other   Kind = "other" // no operation: a look-up, a token, or what else moves no money
)

// State is what has become of an operation.
type State string

// The states.
const (
	Waiting    State = "waiting" // for the payer, or for the provider itself
	Authorised State = "authorised"
	Approved   State = "approved"
	Declined   State = "declined"
	Expired    State = "expired"
	Reversed   State = "reversed" // it was approved, and has failed later, was disputed or voided
)

// Step is what the payer of a waiting operation has to do.
type Step string

// The steps.
const (
	NoStep      Step = ""
	StepPage    Step = "page"    // confirm on the provider's page
	Step3DS     Step = "3ds"     // confirm on the bank's page
	StepConfirm Step = "confirm" // confirm in an app or on a phone
	StepSend    Step = "send"    // send the money
	StepCode    Step = "code"    // enter RightCode
)

// RightCode is the one-time code of every payer.
const RightCode = "123456"

// Operation is one entry of the ledger: something that a provider was asked to do.
type Operation struct {
	ID        string // the provider's
	Family    string
	Account   string // whose references these are, such as the key of a merchant
	Kind      Kind
	Reference string // the caller's: operations with the same one are the same
	Parent    string // of a capture, void or refund: ID of the charge
	Amount    money.Amount
	State     State
	Step      Step
	Reason    string       // of a decline: the code of a row of declines
	Moved     money.Amount // what was really authorised, charged, captured, paid out or refunded, or has arrived
	Disputed  money.Amount // of a charge that was charged back: what was; zero: all
	HoldOnly  bool         // authorise, to be captured later
	Card      string       // its number
	Method    string
	NoticeURL string
	ReturnURL string            // where a payer goes back to
	FailURL   string            // the same after a decline; "": ReturnURL
	Values    map[string]string // what else the family needs later
	CreatedAt time.Time
	ChangedAt time.Time // by an act
	ExpiresAt time.Time // of a step; zero: never

	fault    Fault
	sequence int           // of its notices
	declines func() string // the code of its family's own decline, "" for none; called with the ledger locked
	refunds  []*Operation  // of a charge
}

// reference is what a caller names an operation by.
type reference struct{ family, account, reference string }

func referenceOf(o Operation) reference { return reference{o.Family, o.Account, o.Reference} }

// The errors of execute.
var (
	errReused      = errors.New("the reference belongs to another request")
	errNotExecuted = errors.New("nothing was executed")
)

func (o *Operation) decline(reason string) {
	o.State, o.Reason, o.Step = Declined, reason, NoStep
}

func zero(a money.Amount) money.Amount { return money.Zero(a.Currency()) }

// less is an amount that is one minor unit lower, or the amount itself if that would be nothing.
func less(a money.Amount) money.Amount {
	one, err := money.ParseMinor("1", a.Currency())
	if err != nil {
		return a
	}
	other, err := a.Sub(one)
	if err != nil || other.IsZero() {
		return a
	}
	return other
}

// half is the smaller half of an amount.
func half(a money.Amount) money.Amount {
	minor := []byte(a.Minor())
	rest := byte(0)
	for i, digit := range minor {
		value := rest*10 + digit - '0'
		minor[i], rest = value/2+'0', value%2
	}
	result, err := money.ParseMinor(strings.TrimLeft(string(minor), "0"), a.Currency())
	if err != nil {
		return zero(a)
	}
	return result
}
