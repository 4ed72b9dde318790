package simulator

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
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
	Reversed   State = "reversed" // it was approved, and has failed later
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
	Moved     money.Amount // what was really charged, or has arrived
	HoldOnly  bool         // authorise, to be captured later
	Card      string       // its number
	Method    string
	NoticeURL string
	ReturnURL string            // where a payer goes back to
	FailURL   string            // the same after a decline; "": ReturnURL
	Values    map[string]string // what else the family needs later
	CreatedAt time.Time
	ExpiresAt time.Time // of a step; zero: never

	fault    Fault
	sequence int           // of its notices
	declines func() string // the code of its family's own decline, "" for none; called with the ledger locked
}

// The errors of execute.
var (
	errReused      = errors.New("the reference belongs to another request")
	errNotExecuted = errors.New("nothing was executed")
)

// execute does what a request asks for, once per reference, and returns the operation as it is now. A new one is
// decided by the behaviour that was chosen for it; else it waits if it has a step, and is approved if not. A capture,
// void or refund that its charge does not allow is declined. Errors: errReused, errNotExecuted, for which any response
// will do.
func (s *Simulator) execute(r *http.Request, o Operation) (Operation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := exchangeOf(r.Context())
	if earlier := s.find(func(x *Operation) bool {
		return o.Reference != "" && x.Family == o.Family && x.Account == o.Account && x.Reference == o.Reference
	}); earlier != nil {
		if earlier.Kind != o.Kind || earlier.Amount != o.Amount || earlier.Parent != o.Parent {
			return Operation{}, errReused
		}
		e.operation = earlier
		return *earlier, nil
	}
	b := s.choose(o)
	e.fault = b.fault
	if b.fault == TooManyRequests || b.fault == LosesRequest {
		return Operation{}, errNotExecuted
	}
	o.ID, o.CreatedAt, o.fault = s.newID(), s.Now(), b.fault
	s.decide(&o, b)
	s.operations = append(s.operations, &o)
	e.operation = &o
	s.afterExecution(&o)
	return o, nil
}

// decide sets the state of a new operation.
func (s *Simulator) decide(o *Operation, b behaviour) {
	o.State, o.Moved = Approved, o.Amount
	if b.settles {
		o.Step = NoStep
	}
	if b.decline == "" && o.declines != nil {
		b.decline = o.declines()
	}
	if b.fault == OtherAmount {
		o.Moved = less(o.Amount)
	}
	parent := s.find(func(x *Operation) bool { return x.ID == o.Parent })
	switch {
	case b.decline != "":
		o.State, o.Reason, o.Step = Declined, b.decline, NoStep
	case b.waits:
		o.State = Waiting
	case o.Kind == Charge || o.Kind == Payout:
		switch {
		case o.Step != NoStep:
			o.State = Waiting
		case o.HoldOnly:
			o.State = Authorised
		}
	default:
		s.follow(o, parent)
	}
	if o.State != Approved && o.State != Authorised {
		o.Moved = zero(o.Amount)
	}
}

// follow does a capture, void or refund if its charge allows it.
func (s *Simulator) follow(o, charge *Operation) {
	decline := func() { o.State, o.Reason = Declined, "not_allowed" }
	if charge == nil || o.Amount.Currency() != charge.Amount.Currency() && o.Kind != Void {
		decline()
		return
	}
	switch {
	case o.Kind == Capture && charge.State == Authorised && o.Amount.Cmp(charge.Amount) <= 0:
		charge.State, charge.Moved = Approved, o.Moved
	case o.Kind == Void && (charge.State == Authorised || charge.State == Approved) && s.refunded(charge).IsZero():
		charge.State, charge.Reason, charge.Moved = Reversed, "voided", zero(charge.Amount)
	case o.Kind == Refund && charge.State == Approved:
		left, err := charge.Moved.Sub(s.refunded(charge))
		if err != nil || o.Amount.Cmp(left) > 0 {
			decline()
		}
	default:
		decline()
	}
}

// refunded is the sum of a charge's refunds.
func (s *Simulator) refunded(charge *Operation) money.Amount {
	sum := zero(charge.Amount)
	for _, o := range s.operations {
		if o.Parent == charge.ID && o.Kind == Refund && (o.State == Approved || o.State == Waiting) {
			sum, _ = sum.Add(o.Moved)
		}
	}
	return sum
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

func (s *Simulator) find(is func(*Operation) bool) *Operation {
	i := slices.IndexFunc(s.operations, is)
	if i < 0 {
		return nil
	}
	return s.operations[i]
}

func (s *Simulator) newID() string { return fmt.Sprintf("sim%016x", s.random.Uint64()) }

// Find returns an operation of a family by its id or reference, and whether there is one.
func (s *Simulator) Find(family, idOrReference string) (Operation, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.find(func(x *Operation) bool {
		return x.Family == family && (x.ID == idOrReference || x.Reference == idOrReference)
	})
	if o == nil {
		return Operation{}, false
	}
	return *o, true
}

// Operations returns the ledger.
func (s *Simulator) Operations() []Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Operation, len(s.operations))
	for i, o := range s.operations {
		all[i] = *o
	}
	return all
}

// Totals are the sums of a charge.
type Totals struct {
	Authorised, Captured, Refunded money.Amount
	Voided                         bool
}

// Totals returns the sums of a charge, and whether there is one.
func (s *Simulator) Totals(family, reference string) (Totals, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.find(func(x *Operation) bool {
		return x.Family == family && x.Reference == reference && (x.Kind == Charge || x.Kind == Payout)
	})
	if o == nil {
		return Totals{}, false
	}
	none := zero(o.Amount)
	t := Totals{Authorised: none, Captured: none, Refunded: s.refunded(o), Voided: o.Reason == "voided"}
	switch {
	case o.State == Authorised:
		t.Authorised = o.Amount
	case o.State == Approved:
		t.Authorised, t.Captured = o.Amount, o.Moved
	}
	return t, true
}
