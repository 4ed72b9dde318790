package outcome

import (
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// LeaveUndone leaves a job as it was before the decision, because that can't be executed.
func LeaveUndone(t checkout.Task, why string, now time.Time) payment.Effects {
	p, job := t.Payment, t.Job()
	for i := range p.Acts {
		if a := &p.Acts[i]; a.Reference == t.Reference && a.At.Equal(job.Decision.At) {
			a.Result += "; not executed: " + why
		}
	}
	job.Decision = nil
	p.LookUps(job).SetNext(now)
	return payment.Effects{Save: true}
}

// Settle ends a job as a person has decided, as if the provider had said it.
func Settle(t checkout.Task, job payment.Job, now time.Time) (payment.Effects, error) {
	p, decision := t.Payment, *job.Decision
	if !job.Takes(decision.Verdict) {
		return LeaveUndone(t, "it is no decision of a request", now), nil
	}
	reason := &reason.Reason{Code: reason.Person, Words: decision.Text()}
	result := connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.Code, Reason: reason.Words}
	requested, payerEnters, err := p.Requests().Amount(&job)
	if err != nil {
		return payment.Effects{}, err
	}
	amount := requested
	if decision.Verdict == payment.VerdictApproved {
		result = connector.Result{Outcome: connector.OutcomeApproved}
		if amount = movedAmount(job, requested); amount.Cmp(requested) > 0 && !payerEnters || amount.IsZero() {
			return LeaveUndone(t, "the amount has to be named", now), nil
		}
		switch {
		case payerEnters:
			result.Amount = amount
		case amount != requested && job.Kind == payment.JobCharge:
			p.Amount = amount
		case amount != requested:
			job.Amount = amount
		}
		if why := p.Amounts().MayCountRefund(&job); why != "" {
			return LeaveUndone(t, why, now), nil
		}
		if amount != requested && !payerEnters {
			reason.Words = fmt.Sprintf("%s of %s. %s", amount, connector.WithCurrency(requested), reason.Words)
		}
	}
	e, err := Decide(t, job, payment.ParsedResult{Result: result}, now)
	if err != nil || !e.Save {
		return payment.Effects{}, err
	}
	if e.Event != nil {
		e.Event.Reason = reason
		if amount != requested && !payerEnters {
			e.Event.Amount = amount
		}
	}
	p.Transactions.EndedBy(job.Reference, decision, reason)
	return e, nil
}

// movedAmount returns the amount that an approval is of: the one that the person has named, or the provider, or else
// the one that was requested.
func movedAmount(job payment.Job, requested money.Amount) money.Amount {
	switch {
	case job.Kind == payment.JobVoid || job.Kind == payment.JobGiveBack:
		return requested
	case !job.Decision.Amount.IsZero():
		return job.Decision.Amount
	case job.Finding != nil && !job.Finding.Moved.IsZero():
		return job.Finding.Moved
	}
	return requested
}
