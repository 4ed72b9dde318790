// Package outcome is what results of providers, and decisions of people, make of a payment and its session. It reads
// and stores nothing.
package outcome

import (
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
)

// Decide changes payment and session by the result of a job. There are no effects if the result says nothing new.
func Decide(t checkout.Task, job payment.Job, result payment.ParsedResult, now time.Time) (payment.Effects, error) {
	if job.Kind == payment.JobCharge {
		t.Payment.ProviderData.Merge(result.ProviderData)
	}
	switch charge := job.Kind == payment.JobCharge; {
	case result.Outcome == connector.OutcomeApproved && charge:
		return t.Payment.Approve(job, result, now)
	case result.Outcome == connector.OutcomeDeclined && charge:
		return t.Payment.Decline(job, result, now)
	case job.Kind == payment.JobGiveBack && (result.Outcome == connector.OutcomeApproved ||
		result.Outcome == connector.OutcomeDeclined):
		return t.Payment.Contradictions().EndGiveBack(job, result.Result, now), nil
	case result.Outcome == connector.OutcomeApproved:
		return t.Payment.SucceedJob(job, result.Result, now)
	case result.Outcome == connector.OutcomeDeclined:
		return t.Payment.DeclineJob(job, result.Result, now), nil
	case result.Outcome != connector.OutcomeActionRequired || !charge:
		return payment.Effects{}, nil
	case t.Payment.Status == payment.StatusPrepare:
		return requireAction(t, result.RequiredAction, now)
	case result.Receipt.Underpaid() && !result.Receipt.Added.IsZero():
		return partlyPaid(t, result), nil
	case !job.Continue && t.Payment.HasFilledForm() && result.RequiredAction.HasForm():
		return requireFormAgain(t.Payment, result.RequiredAction), nil
	}
	return payment.Effects{}, nil
}

// requireAction stores that the payer has to act first. The card is not needed any more. The job stays, so that the
// outcome is looked up if no notice reports it.
func requireAction(t checkout.Task, next *connector.RequiredAction, now time.Time) (payment.Effects, error) {
	p, job := t.Payment, t.Job()
	if err := p.Move(payment.Status(next.Kind), now); err != nil {
		return payment.Effects{}, err
	}
	if next.HasForm() {
		next.Step = 1
	}
	p.Action = next
	delay := time.Duration(0)
	event := payment.Event{Type: payment.EventType(next.Kind), Status: payment.Success}
	if next.Kind == connector.ActionPending {
		event.Type, p.Shown = payment.EventInit, next.Show
	} else if t.Session != nil { // the payer is on another page: the look-up follows when their time is over
		delay = next.LimitDelay(now, t.Session.ExpiresAt.Sub(now))
	}
	job.AwaitPayer(now, delay)
	return payment.Effects{Save: true, Measure: true, Event: &event}, nil
}

// requireFormAgain shows the payer another second form, or the same form again.
func requireFormAgain(p *payment.Payment, next *connector.RequiredAction) payment.Effects {
	again := *next
	again.Step = p.Action.Step + 1
	p.Action = &again
	return payment.Effects{Save: true}
}

// partlyPaid stores that a part of what is due has arrived. The payment waits for the rest, also if its payer wanted it
// ended before that was known: they are shown again what to pay with.
func partlyPaid(t checkout.Task, result payment.ParsedResult) payment.Effects {
	p := t.Payment
	p.Received = result.Received
	if job := t.Job(); job != nil && t.Session != nil && t.Session.Ending != "" {
		job.KeepOpen()
	}
	if p.Callbacks >= payment.MaxNotified {
		return payment.Effects{Save: true}
	}
	arrived, due := connector.WithCurrency(result.Receipt.Arrived), connector.WithCurrency(result.Receipt.Due)
	text := arrived + " of " + due + " arrived, " + connector.WithCurrency(result.Receipt.Missing()) + " are missing."
	reason := &reason.Reason{Code: reason.PartlyPaid, Words: text}
	event := &payment.Event{Type: p.EventType(payment.JobCharge), Status: payment.Waiting, Reason: reason}
	return payment.Effects{Save: true, Event: event}
}
