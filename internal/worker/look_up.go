package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// lookUp looks up and stores the outcome of a request that was sent before. lost reports that the provider never
// received it. It may be sent again then, with the same reference.
func (x execution) lookUp(ctx context.Context) (lost bool, err error) {
	job := x.task.Job()
	job.Tries++
	querier, ok := x.connector.(connector.StatusQuerier)
	if !ok {
		job.Finding = noFinding(x.core.Now(), "its connector can't look it up")
		return false, x.postpone(ctx, payment.Undefined)
	}
	result, err := x.queryStatus(ctx, querier)
	if err == nil && result.Outcome == connector.OutcomeUnknown {
		return true, nil
	}
	return false, x.storeResult(context.WithoutCancel(ctx), result, err)
}

// lookUpAgain looks up what is unknown because a call or an operator asks for it, or because there is news of a job
// that waits for a person. However many ask, there is at most one such look-up of a job in lookUpEvery: it is stored
// first that it begins. An approval or a decline is applied. Otherwise nothing else changes, and the job is due as it
// was.
func (x execution) lookUpAgain(ctx context.Context) error {
	querier, ok := x.connector.(connector.StatusQuerier)
	job, now := x.task.Job(), x.core.Now()
	switch {
	case !ok && job.Asked:
		x.task.Finding = noFinding(now, "its connector can't look it up")
		return x.lookedUp(ctx, connector.Result{}, nil)
	case !ok || job.IsLookedUp(now) || !job.Asked && !job.MayLookUp(now):
		return nil
	}
	job.BeginLookUp(now)
	err := x.core.Store.Save(ctx, now, x.task.Payment.Record())
	if store.IsConflict(err) {
		return errChanged
	}
	if err != nil {
		return fmt.Errorf("store look-up of payment %s: %w", x.task.Payment.ID, err)
	}
	x.task.Payment.SetVersion(x.task.Payment.Version + 1)
	result, err := x.queryStatus(ctx, querier)
	stored := context.WithoutCancel(ctx)
	if err == nil && x.charge.Kind == connector.RequestCharge {
		err = x.task.Payment.Amounts().CheckApproved(result)
	}
	if err != nil {
		result = connector.Result{}
	}
	if job.Kind.Sends() && (result.Outcome == connector.OutcomeApproved || result.Outcome == connector.OutcomeDeclined) {
		return x.storeResult(stored, result, nil)
	}
	x.task.Finding = x.report().findingOf(result, err, x.core.Now())
	if err != nil {
		x.core.Log.WarnContext(ctx, "look-up failed", "payment", x.task.Payment.ID,
			"connector", x.task.Payment.Connector, "error", err)
	}
	return x.lookedUp(stored, result, err)
}

// lookedUp stores what a look-up that was asked for has found of a request that has no outcome, or that has ended
// before. errFound is its error. A request that the provider never received is left to its next run, which is made at
// once, unless a person decides what becomes of it.
func (x execution) lookedUp(ctx context.Context, result connector.Result, errFound error) error {
	ran, again := *x.task.Job(), false
	lost := errFound == nil && result.Outcome == connector.OutcomeUnknown
	s := x.runner
	_, err := s.results.changeAndNotify(ctx, x.task, func(t checkout.Task, now time.Time) (e payment.Effects, err error) {
		job := t.Job()
		if job == nil {
			return payment.Effects{}, nil
		}
		storeFinding(t)
		report := t.Payment.Requests().Contradiction(job)
		if job.Kind == payment.JobLookUp {
			t.Payment.Jobs.Remove(t.Reference)
		}
		if report == nil || report.Status != t.Finding.Says {
			parsed := s.results.parseResult(ctx, t.Payment, result)
			if connector.ApprovesOther(errFound) {
				parsed.Outcome, parsed.Other = connector.OutcomeApproved, t.Finding
			}
			e, err = s.results.lateEffects(ctx, t, parsed, now)
		}
		if job = t.Job(); job != nil && err == nil {
			job.TakeLookUps(ran)
			if job.Asked && job.Decision == nil {
				t.Payment.LookUps(job).SetNext(now)
			}
			job.Asked, job.Finding = false, t.Finding
			again = lost && !job.Person && job.Decision == nil
		}
		e.Save = true
		return e, err
	})
	if err == nil && again {
		x.runner.jobs.Send(ctx, x.task.Payment.Message(x.task.Reference), 0)
	}
	return err
}

// LookUpTimeout is how long a look-up may take of a provider that has so long to respond to other requests: it leaves
// time to send in the same run.
func LookUpTimeout(others time.Duration) time.Duration { return others / 3 }

// queryStatus has the connector look up the request that was sent before. OutcomeUnknown means that the provider never
// received it. Errors: notFoundYet while that is not certain.
func (x execution) queryStatus(ctx context.Context, querier connector.StatusQuerier) (connector.Result, error) {
	x.task.Job().LookUps++
	x.task.Job().LookedUpAt = x.core.Now()
	limited, cancel := context.WithTimeout(ctx, LookUpTimeout(x.runner.ProviderTimeout))
	defer cancel()
	defer x.sending(ctx)()
	result, err := querier.QueryStatus(limited, x.charge.ProviderRequest)
	if err == nil {
		result, err = x.report().checkResult(ctx, result)
	}
	if err == nil {
		result, err = x.checkNotFound(limited, result, x.task.Job().LookedUpAt)
	}
	return result, x.laterError("look-up", err)
}

// laterError is the error of a request about an earlier one, nil for nil. It is never ErrNotSent, which would mean the
// earlier request.
func (x execution) laterError(what string, err error) error {
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
		return fmt.Errorf("%s: %w: %s", what, connector.ErrOtherAmount, x.report().errorText(err))
	}
	return fmt.Errorf("%s: %s", what, x.report().errorText(err))
}

// declineWithoutCard declines a charge whose card is not stored any more, unless the provider received it: after a
// table was restored from a backup, the payment does not say what was sent since the backup.
func (x execution) declineWithoutCard(ctx context.Context, reason reason.Code) error {
	job := x.task.Job()
	querier, ok := x.connector.(connector.StatusQuerier)
	if !ok || !job.SentAt.IsZero() { // a sent request was looked up just before
		return x.declineUnsent(ctx, reason)
	}
	job.Tries++
	result, err := x.queryStatus(ctx, querier)
	tried := err != nil && job.Tries >= maxSends && !x.core.Now().Before(job.FoundBy)
	if err == nil && result.Outcome == connector.OutcomeUnknown || tried {
		return x.declineUnsent(ctx, reason)
	}
	return x.storeResult(context.WithoutCancel(ctx), result, err)
}
