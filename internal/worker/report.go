package worker

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/request"
)

// report is what a provider says of a task, whichever way that came.
type report struct {
	core   *checkout.Core
	task   checkout.Task
	charge connector.Charge // the request; of a notice only until when the payer can pay
}

// noFinding is what operators are told of a look-up that could not be made.
func noFinding(now time.Time, why string) *payment.Finding {
	return &payment.Finding{At: now, Says: payment.Undefined, Text: why}
}

// findingOf returns what operators are told of a provider's response.
func (o report) findingOf(result connector.Result, err error, now time.Time) *payment.Finding {
	a := &payment.Finding{At: now, Says: payment.Undefined}
	other, early := connector.OtherAmountError{}, notFoundYet{}
	switch {
	case errors.As(err, &early):
		a.Text = early.Error()
	case errors.As(err, &other):
		if a.Text = other.Text(); other.Moved.Currency() == request.CurrencyOf(o.task.Payment.Order) {
			a.Moved = other.Moved
		}
	case err != nil:
		a.Text = "no response that tells an outcome: " + o.errorText(err)
	case result.Outcome == connector.OutcomeApproved:
		a.Says, a.Text = payment.Success, strings.TrimSpace("approved "+result.Amount.String())
	case result.Outcome == connector.OutcomeDeclined:
		a.Says, a.Text = payment.Fail, "declined: "+o.task.Payment.Masker().Mask(payment.ReasonOf(result).Text())
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
func (o report) errorText(err error) string {
	text := payment.MaskLong(o.task.Payment.Masker().Secrets(o.charge), err.Error())
	return fault.Printable(o.task.Payment.Masker().Mask(text), fault.MaxErrorText)
}

// laterError is the error of a request about an earlier one, nil for nil. It is never ErrNotSent, which would mean the
// earlier request.
func (o report) laterError(what string, err error) error {
	var action *connector.ActionError
	var other connector.OtherAmountError
	var early notFoundYet
	switch {
	case err == nil:
		return nil
	case errors.As(err, &early):
		return early
	case errors.As(err, &action):
		return fmt.Errorf("%s: %w", what, action)
	case errors.As(err, &other):
		return fmt.Errorf("%s: %w", what, other)
	case errors.Is(err, connector.ErrOtherAmount):
		return fmt.Errorf("%s: %w: %s", what, connector.ErrOtherAmount, o.errorText(err))
	}
	return fmt.Errorf("%s: %s", what, o.errorText(err))
}

// storeFinding stores what the provider says of the task's job.
func storeFinding(t checkout.Task) {
	if t.Finding == nil {
		return
	}
	t.Payment.Acts.Finish(t.Reference, "the provider says: "+t.Finding.Text)
	if job := t.Job(); job != nil {
		job.Finding = t.Finding
	}
}

// notFoundYet is the error of a look-up that found nothing so early that this proves nothing: the provider may list
// what it has executed minutes later (protocol.md, Unknown outcomes). The outcome is unknown, whatever is to follow
// from the look-up.
type notFoundYet struct{ until time.Time }

func (e notFoundYet) Error() string {
	minute := e.until.Add(time.Minute - 1).Truncate(time.Minute)
	return "it has not found it yet; that proves nothing until " + minute.UTC().Format("2006-01-02 15:04 UTC")
}
