package checkout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
)

// Finding is what a provider has said of a request, for operators.
type Finding struct {
	At    time.Time         `json:"at"`
	Says  TransactionStatus `json:"says"` // Undefined if there was no response that tells an outcome
	Text  string            `json:"text"`
	Moved money.Amount      `json:"moved,omitzero"` // if another amount than was requested has moved
}

// OtherAmountError is the ErrOtherAmount that knows the amounts.
type OtherAmountError struct{ Moved, Requested money.Amount }

func (e OtherAmountError) Error() string { return ErrOtherAmount.Error() + ": " + e.text() }

// text is "9.00 of 10.00 USD", or "10.00 EUR and not 10.00 USD".
func (e OtherAmountError) text() string {
	if e.Moved.Currency() != e.Requested.Currency() {
		return withCurrency(e.Moved) + " and not " + withCurrency(e.Requested)
	}
	return e.Moved.String() + " of " + withCurrency(e.Requested)
}

// Is makes it an ErrOtherAmount.
func (e OtherAmountError) Is(target error) bool { return target == ErrOtherAmount }

// noFinding is what operators are told of a look-up that could not be made.
func noFinding(now time.Time, why string) *Finding {
	return &Finding{At: now, Says: Undefined, Text: why}
}

// findingOf returns what operators are told of a provider's response.
func (t task) findingOf(result Result, err error, now time.Time) *Finding {
	a := &Finding{At: now, Says: Undefined}
	other := OtherAmountError{}
	switch {
	case errors.As(err, &other):
		if a.Text = other.text(); other.Moved.Currency() == request.CurrencyOf(t.payment.Order) {
			a.Moved = other.Moved
		}
	case err != nil:
		a.Text = "no response that tells an outcome: " + t.errorText(err)
	case result.Outcome == OutcomeApproved:
		a.Says, a.Text = Success, strings.TrimSpace("approved "+result.Amount.String())
	case result.Outcome == OutcomeDeclined:
		a.Says, a.Text = Fail, "declined: "+t.payment.Masked(reasonOf(result).Text())
	case result.disputes():
		a.Says, a.Text = Fail, "charged back or reversed"
	case result.Outcome == OutcomeActionRequired:
		a.Says, a.Text = Waiting, "the payer still has to act"
	case result.Outcome == OutcomePending:
		a.Says, a.Text = Waiting, "not decided yet"
	default:
		a.Text = "it never received the request"
	}
	if result.Received != nil {
		a.Text += fmt.Sprintf(", %s of %s %s arrived", result.Received.Amount, result.Received.Due, result.Received.Currency)
	}
	a.Text = request.Printable(a.Text, request.MaxErrorText)
	return a
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
	Result    string       `json:"result,omitempty"` // what the provider said then; "" until it was executed
}

// act stores what an operator asks for. Of look-ups of a request only the latest one is stored.
func (p *Payment) act(a Act) {
	if a.Do == VerdictLookUp {
		p.Acts = slices.DeleteFunc(p.Acts, func(old Act) bool {
			return old.Do == VerdictLookUp && old.Reference == a.Reference
		})
	}
	p.Acts = append(p.Acts, a)
}

// finishAct stores what came of an operator's acts about a request that were not executed yet.
func (p *Payment) finishAct(reference, text string) {
	for i := range p.Acts {
		if a := &p.Acts[i]; a.Reference == reference && a.Result == "" {
			a.Result = text
		}
	}
}

// storeFinding stores what the provider says of the task's job.
func (t task) storeFinding() {
	if t.finding == nil {
		return
	}
	t.payment.finishAct(t.reference, "the provider says: "+t.finding.Text)
	if job := t.job(); job != nil {
		job.Finding = t.finding
	}
}

// ActsOf are an operator's acts on a payment.
type ActsOf struct {
	Acts    []Act
	Status  Status // of the payment
	Pending bool   // one of them was not executed yet
}

// actPause is the pause between two reads while an operator waits.
const actPause = time.Second

// AwaitActs waits until all that operators have asked for of a payment was executed, at most for a time.
// Errors: CodeNotFound.
func (s *Service) AwaitActs(ctx context.Context, paymentID string, atMost time.Duration) (ActsOf, error) {
	for waited := time.Duration(0); ; waited += actPause {
		p, err := s.payment(ctx, s.Now(), paymentID)
		if err != nil {
			return ActsOf{}, err
		}
		if p == nil {
			return ActsOf{}, ErrPaymentNotFound()
		}
		a := ActsOf{Acts: p.Acts, Status: p.Status}
		a.Pending = slices.ContainsFunc(p.Acts, func(act Act) bool { return act.Result == "" })
		if !a.Pending || waited >= atMost || s.Pause(ctx, actPause) != nil {
			return a, nil
		}
	}
}
