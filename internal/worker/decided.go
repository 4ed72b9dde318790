package worker

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/store"
	"checkout/internal/worker/outcome"
)

// runDecision executes what a person has decided of a job. The provider is looked up first, where the connector can:
// if it says the outcome of a request, that counts, and the person's decision does not.
func (x execution) runDecision(ctx context.Context) error {
	result := connector.Result{}
	x.task.Finding = noFinding(x.core.Now(), "it can't be looked up")
	if querier, ok := x.connector.(connector.StatusQuerier); ok {
		var err error
		result, err = x.query().status(ctx, querier)
		if err == nil && x.charge.Kind == connector.RequestCharge {
			err = x.task.Payment.Amounts().CheckApproved(result)
		}
		x.task.Finding = x.report().findingOf(result, err, x.core.Now())
	}
	ctx = context.WithoutCancel(ctx)
	told := (x.task.Finding.Says == payment.Success || x.task.Finding.Says == payment.Fail) && !result.Disputes()
	switch kind := x.task.Job().Kind; {
	case told && !kind.ForPerson():
		return x.runner.results.apply(ctx, x.task, result)
	case told && kind == payment.JobUnapplied: // more may have arrived, or the charge may count
		if err := x.runner.results.apply(ctx, x.task, result); err != nil {
			return err
		}
	}
	return x.applyDecision(ctx)
}

// applyDecision applies what a person has decided of a job, after the provider was looked up.
func (x execution) applyDecision(ctx context.Context) error {
	paidElsewhere, err := x.core.PaidByRetry(ctx, x.task.Payment)
	if err != nil {
		return err
	}
	job := x.task.Job()
	if job == nil {
		return nil
	}
	ran, reference, givesBack := *job, store.NewUUID(x.core.Random(16)), false
	_, err = x.runner.results.changeAndNotify(ctx, x.task, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		job := t.Job()
		if job == nil || job.Decision == nil {
			return payment.Effects{}, nil
		}
		job.LookUps, job.LookedUpAt = ran.LookUps, ran.LookedUpAt
		if job.Kind == payment.JobUnapplied {
			return outcome.SettleUnapplied(t, outcome.Unapplied{PaidElsewhere: paidElsewhere, Reference: reference}, now)
		}
		storeFinding(t)
		if job.Kind != payment.JobContradiction {
			return outcome.Settle(t, *job, now)
		}
		givesBack = false
		switch report := t.Payment.Requests().Contradiction(job); {
		case job.Decision.Verdict == payment.VerdictClose:
			return payment.Effects{Save: true}, outcome.CloseCoins(t.Payment, *job, now)
		case job.Decision.Verdict == payment.VerdictReturned:
			return payment.Effects{Save: true}, outcome.ReturnCoins(t.Payment, *job, reference, now)
		case t.Finding.Says != report.Status && (t.Finding.Says == payment.Success || t.Finding.Says == payment.Fail):
			return outcome.LeaveUndone(t, "the provider says otherwise", now), nil
		case job.Decision.Verdict == payment.VerdictGiveBack:
			decided := *job
			job.GiveBack(reference, fault.RequestID(ctx), now)
			givesBack = true
			return payment.Effects{Save: true}, outcome.LeaveRest(t.Payment, decided, now)
		case job.Decision.Verdict == payment.VerdictAccept:
			return outcome.AcceptReport(t, *job, paidElsewhere, now)
		}
		return outcome.LeaveUndone(t, "it is no decision of a contradiction", now), nil
	})
	if err == nil && givesBack {
		x.runner.jobs.Send(ctx, x.task.Payment.Message(reference), 0)
	}
	return err
}
