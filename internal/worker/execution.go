package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// noFinding is what operators are told of a look-up that could not be made.
func noFinding(now time.Time, why string) *payment.Finding {
	return &payment.Finding{At: now, Says: payment.Undefined, Text: why}
}

// findingOf returns what operators are told of a provider's response.
func (t execution) findingOf(result connector.Result, err error, now time.Time) *payment.Finding {
	a := &payment.Finding{At: now, Says: payment.Undefined}
	other, early := connector.OtherAmountError{}, notFoundYet{}
	switch {
	case errors.As(err, &early):
		a.Text = early.Error()
	case errors.As(err, &other):
		if a.Text = other.Text(); other.Moved.Currency() == request.CurrencyOf(t.Payment.Order) {
			a.Moved = other.Moved
		}
	case err != nil:
		a.Text = "no response that tells an outcome: " + t.errorText(err)
	case result.Outcome == connector.OutcomeApproved:
		a.Says, a.Text = payment.Success, strings.TrimSpace("approved "+result.Amount.String())
	case result.Outcome == connector.OutcomeDeclined:
		a.Says, a.Text = payment.Fail, "declined: "+t.Payment.Masker().Mask(payment.ReasonOf(result).Text())
	case result.Disputes():
		a.Says, a.Text = payment.Fail, "charged back or reversed"
	case result.Outcome == connector.OutcomeActionRequired:
		a.Says, a.Text = payment.Waiting, "the payer still has to act"
	case result.Outcome == connector.OutcomePending:
		a.Says, a.Text = payment.Waiting, "not decided yet"
	default:
		a.Text = "it never received the request"
	}
	if result.Received != nil {
		a.Text += fmt.Sprintf(", %s of %s %s arrived", result.Received.Amount, result.Received.Due, result.Received.Currency)
	}
	a.Text = fault.Printable(a.Text, fault.MaxErrorText)
	return a
}

// errorText returns the part of a provider's error that is logged.
func (t execution) errorText(err error) string {
	text := payment.MaskLong(t.Payment.Masker().Secrets(t.charge), err.Error())
	return fault.Printable(t.Payment.Masker().Mask(text), fault.MaxErrorText)
}

// execution is a task while a worker executes it, with what is sent to which connector.
type execution struct {
	*Service
	checkout.Task
	merchant  *settings.Merchant // nil if there is none any more
	sealed    *card.Sealed       // the sealed card, if it was read
	connector connector.Connector
	charge    connector.Charge // of other jobs than a charge only its ProviderRequest
	wallet    walletAt         // of a charge with a wallet's token: how its MID takes that
	continues bool             // call Continue with the second form
	probe     bool             // the result of the charge closes or opens the circuit breaker of its MID
	apart     bool             // it came through the queue for slow providers
	hasPlace  bool             // it stays in the queue through which it came
}

// taskWithCard reads the task of a message with its sealed card, if there may be one: it is deleted before the charge
// goes to another MID, which has another reference.
func (s *Service) taskWithCard(ctx context.Context, now time.Time, message payment.JobMessage) (execution, error) {
	read, more, err := s.ReadTask(ctx, now, message, func(m payment.JobMessage) []store.Key {
		if m.Reference != "" && m.Reference != m.PaymentID {
			return nil
		}
		return []store.Key{store.SealedCardKey(m.PaymentID)}
	})
	t := execution{Service: s, Task: read}
	if err != nil || len(more) == 0 || more[0].Version == 0 {
		return t, err
	}
	t.sealed = &card.Sealed{}
	return t, more[0].Decode(t.sealed)
}

// errChanged means that another worker changed the payment before the request was sent.
var errChanged = errors.New("the payment has changed")
