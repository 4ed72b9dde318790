package outcome

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
)

// AcceptReport makes a contradiction's report count. What can't be accepted any more is left to the person again.
func AcceptReport(t checkout.Task, job payment.Job, paidElsewhere string, now time.Time) (payment.Effects, error) {
	p, decision := t.Payment, *job.Decision
	if p.Requests().Contradiction(&job).Status == payment.Fail {
		if refused := p.SuccessOf(job.Reference).MayEnd(); refused != "" {
			return LeaveUndone(t, refused, now), nil
		}
		return acceptDecline(t, job, now)
	}
	if refused := t.MayAccept(&job); refused != "" || paidElsewhere != "" {
		return LeaveUndone(t, refused+paidElsewhere, now), nil
	}
	if !decision.Amount.IsZero() {
		job.Amount = decision.Amount
	}
	requested, refunds := p.Amount, p.Requests().SentKind(&job) == payment.JobRefund
	other := !refunds && !requested.IsZero() && job.Amount != requested
	if other && (job.Amount.IsZero() || job.Amount.Cmp(requested) > 0) {
		return LeaveUndone(t, "the amount has to be named", now), nil
	}
	accepts := acceptApproval
	if refunds {
		accepts = acceptRefund
	}
	decided := job
	job.Coins = decision.Coins
	e, err := accepts(t, job, now)
	if err = cmp.Or(err, LeaveRest(p, decided, now)); err != nil {
		return payment.Effects{}, errors.Join(errors.New("accept a report"), err)
	}
	reason := &reason.Reason{Code: reason.Person, Words: decision.Text()}
	if e.Event.Reason = reason; other {
		e.Event.Amount = job.Amount
		reason.Words = fmt.Sprintf("%s of %s. %s", job.Amount, connector.WithCurrency(requested), reason.Words)
	}
	p.Transactions.EndedBy(job.Reference, decision, reason)
	return e, nil
}

// acceptApproval makes a declined payment one that has succeeded, by the charge that was reported as approved, with the
// amount of its job. It is the only way from decline to settled or pending.
func acceptApproval(t checkout.Task, job payment.Job, now time.Time) (payment.Effects, error) {
	p, report := t.Payment, t.Payment.Requests().Contradiction(&job)
	if job.Reference != p.ChargeReference {
		p.ProviderData = connector.ProviderData{}
	}
	if report.Reported != nil {
		p.ProviderData.Merge(*report.Reported)
	}
	p.MID, p.Connector = report.MID, report.Connector
	result := connector.Result{Outcome: connector.OutcomeApproved, Authorised: report.Authorised, Code: report.Code,
		Amount: job.Amount}
	if !p.Amount.IsZero() { // else the payer has entered it at the provider
		p.Amount = job.Amount
	}
	job.Kind = payment.JobCharge
	return p.Approve(job, payment.ParsedResult{Result: result}, now)
}

// acceptRefund makes a refund that could not count one that has succeeded, because it fits into what is left by now.
func acceptRefund(t checkout.Task, job payment.Job, now time.Time) (payment.Effects, error) {
	result := connector.Result{Outcome: connector.OutcomeApproved, Code: t.Payment.Requests().Contradiction(&job).Code}
	job.Kind = payment.JobRefund
	return t.Payment.SucceedJob(job, result, now)
}

// acceptDecline ends the success of a request that a person had approved, because the provider has declined it.
// A session that an authorisation had completed is declined then.
func acceptDecline(t checkout.Task, job payment.Job, now time.Time) (payment.Effects, error) {
	p := t.Payment
	report := p.Requests().Contradiction(&job)
	p.Jobs.Remove(job.Reference)
	result := connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.Person, Reason: job.Decision.Text(),
		Code: report.Code}
	e, err := p.SuccessOf(job.Reference).End(result, now)
	e.Save = true
	return e, cmp.Or(err, LeaveRest(p, job, now))
}
