package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// runDecision executes what a person has decided of a job. The provider is looked up first, where the connector can:
// if it says the outcome of a request, that counts, and the person's decision does not.
func (x execution) runDecision(ctx context.Context) error {
	result := connector.Result{}
	x.task.Finding = noFinding(x.core.Now(), "it can't be looked up")
	if querier, ok := x.connector.(connector.StatusQuerier); ok {
		var err error
		result, err = x.queryStatus(ctx, querier)
		if err == nil && x.charge.Kind == connector.RequestCharge {
			err = x.task.Payment.Amounts().CheckApproved(result)
		}
		x.task.Finding = x.report().findingOf(result, err, x.core.Now())
	}
	ctx = context.WithoutCancel(ctx)
	if x.task.Job().Kind != payment.JobContradiction && (x.task.Finding.Says == payment.Success ||
		x.task.Finding.Says == payment.Fail) && !result.Disputes() {
		return x.runner.results.apply(ctx, x.task, result)
	}
	return x.applyDecision(ctx)
}

// applyDecision applies what a person has decided of a job, after the provider was looked up.
func (x execution) applyDecision(ctx context.Context) error {
	paidElsewhere, err := x.core.PaidByRetry(ctx, x.task.Payment)
	if err != nil {
		return err
	}
	ran, giveBack, givesBack := *x.task.Job(), store.NewUUID(x.core.Random(16)), false
	_, err = x.runner.results.changeAndNotify(ctx, x.task, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		job := t.Job()
		if job == nil || job.Decision == nil {
			return payment.Effects{}, nil
		}
		job.LookUps, job.LookedUpAt = ran.LookUps, ran.LookedUpAt
		t.StoreFinding()
		if job.Kind != payment.JobContradiction {
			return checkout.SettleJob(t, *job, now)
		}
		switch report := t.Payment.Requests().Contradiction(job); {
		case job.Decision.Verdict == payment.VerdictClose:
			t.Payment.Jobs.Remove(job.Reference)
			return payment.Effects{Save: true}, nil
		case t.Finding.Says != report.Status && (t.Finding.Says == payment.Success || t.Finding.Says == payment.Fail):
			return checkout.LeaveUndone(t, "the provider says otherwise", now), nil
		case job.Decision.Verdict == payment.VerdictGiveBack:
			job.GiveBack(giveBack, fault.RequestID(ctx), now)
			givesBack = true
			return payment.Effects{Save: true}, nil
		case job.Decision.Verdict == payment.VerdictAccept:
			return acceptReport(t, *job, paidElsewhere, now)
		}
		return checkout.LeaveUndone(t, "it is no decision of a contradiction", now), nil
	})
	if err == nil && givesBack {
		x.runner.jobs.Send(ctx, x.task.Payment.Message(giveBack), 0)
	}
	return err
}

// acceptReport makes a contradiction's report count. What can't be accepted any more is left to the person again.
func acceptReport(
	t checkout.Task, job payment.Job, paidElsewhere string, now time.Time,
) (payment.Effects, error) {
	p, decision := t.Payment, *job.Decision
	if p.Requests().Contradiction(&job).Status == payment.Fail {
		if refused := p.SuccessOf(job.Reference).MayEnd(); refused != "" {
			return checkout.LeaveUndone(t, refused, now), nil
		}
		return t.AcceptDecline(job, decision, now)
	}
	if refused := t.MayAccept(&job); refused != "" || paidElsewhere != "" {
		return checkout.LeaveUndone(t, refused+paidElsewhere, now), nil
	}
	if !decision.Amount.IsZero() {
		job.Amount = decision.Amount
	}
	requested, refunds := p.Amount, p.Requests().SentKind(&job) == payment.JobRefund
	other := !refunds && !requested.IsZero() && job.Amount != requested
	if other && (job.Amount.IsZero() || job.Amount.Cmp(requested) > 0) {
		return checkout.LeaveUndone(t, "the amount has to be named", now), nil
	}
	accepts := checkout.AcceptApproval
	if refunds {
		accepts = checkout.Task.AcceptRefund
	}
	e, err := accepts(t, job, now)
	if err != nil {
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
