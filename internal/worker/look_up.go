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
func (t execution) lookUp(ctx context.Context) (lost bool, err error) {
	job := t.Job()
	job.Tries++
	querier, ok := t.connector.(connector.StatusQuerier)
	if !ok {
		job.Finding = noFinding(t.Now(), "its connector can't look it up")
		return false, t.postpone(ctx, payment.Undefined)
	}
	result, err := t.queryStatus(ctx, querier)
	if err == nil && result.Outcome == connector.OutcomeUnknown {
		return true, nil
	}
	return false, t.storeResult(context.WithoutCancel(ctx), result, err)
}

// lookUpAgain looks up what is unknown because a call or an operator asks for it, or because there is news of a job
// that waits for a person. However many ask, there is at most one such look-up of a job in lookUpEvery: it is stored
// first that it begins. An approval or a decline is applied. Otherwise nothing else changes, and the job is due as it
// was.
func (t execution) lookUpAgain(ctx context.Context) error {
	querier, ok := t.connector.(connector.StatusQuerier)
	job, now := t.Job(), t.Now()
	switch {
	case !ok && job.Asked:
		t.Finding = noFinding(now, "its connector can't look it up")
		return t.lookedUp(ctx, connector.Result{}, nil)
	case !ok || job.IsLookedUp(now) || !job.Asked && !job.MayLookUp(now):
		return nil
	}
	job.BeginLookUp(now)
	err := t.Store.Save(ctx, now, t.Payment.Record())
	if store.IsConflict(err) {
		return errChanged
	}
	if err != nil {
		return fmt.Errorf("store look-up of payment %s: %w", t.Payment.ID, err)
	}
	t.Payment.SetVersion(t.Payment.Version + 1)
	result, err := t.queryStatus(ctx, querier)
	stored := context.WithoutCancel(ctx)
	if err == nil && t.charge.Kind == connector.RequestCharge {
		err = t.Payment.Amounts().CheckApproved(result)
	}
	if err != nil {
		result = connector.Result{}
	}
	if job.Kind.Sends() && (result.Outcome == connector.OutcomeApproved || result.Outcome == connector.OutcomeDeclined) {
		return t.storeResult(stored, result, nil)
	}
	t.Finding = t.findingOf(result, err, t.Now())
	if err != nil {
		t.Log.WarnContext(ctx, "look-up failed", "payment", t.Payment.ID, "connector", t.Payment.Connector, "error", err)
	}
	return t.lookedUp(stored, result, err)
}

// lookedUp stores what a look-up that was asked for has found of a request that has no outcome, or that has ended
// before. errFound is its error. A request that the provider never received is left to its next run, which is made at
// once, unless a person decides what becomes of it.
func (t execution) lookedUp(ctx context.Context, result connector.Result, errFound error) error {
	ran, again := *t.Job(), false
	lost := errFound == nil && result.Outcome == connector.OutcomeUnknown
	s := t.Service
	_, err := s.changeAndNotify(ctx, t.Task, func(t checkout.Task, now time.Time) (e payment.Effects, err error) {
		job := t.Job()
		if job == nil {
			return payment.Effects{}, nil
		}
		t.StoreFinding()
		report := t.Payment.Requests().Contradiction(job)
		if job.Kind == payment.JobLookUp {
			t.Payment.Jobs.Remove(t.Reference)
		}
		if report == nil || report.Status != t.Finding.Says {
			parsed := s.parseResult(ctx, t.Payment, result)
			if connector.ApprovesOther(errFound) {
				parsed.Outcome, parsed.Other = connector.OutcomeApproved, t.Finding
			}
			e, err = s.lateEffects(ctx, t, parsed, now)
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
		t.SendJob(ctx, t.Payment.Message(t.Reference), 0)
	}
	return err
}

// LookUpTimeout is how long a look-up may take of a provider that has so long to respond to other requests: it leaves
// time to send in the same run.
func LookUpTimeout(others time.Duration) time.Duration { return others / 3 }

// queryStatus has the connector look up the request that was sent before. OutcomeUnknown means that the provider never
// received it. Errors: notFoundYet while that is not certain.
func (t execution) queryStatus(ctx context.Context, querier connector.StatusQuerier) (connector.Result, error) {
	t.Job().LookUps++
	t.Job().LookedUpAt = t.Now()
	limited, cancel := context.WithTimeout(ctx, LookUpTimeout(t.ProviderTimeout))
	defer cancel()
	defer t.sending(ctx)()
	result, err := querier.QueryStatus(limited, t.charge.ProviderRequest)
	if err == nil {
		result, err = t.checkResult(ctx, result)
	}
	if err == nil {
		result, err = t.checkNotFound(limited, result, t.Job().LookedUpAt)
	}
	return result, t.laterError("look-up", err)
}

// laterError is the error of a request about an earlier one, nil for nil. It is never ErrNotSent, which would mean the
// earlier request.
func (t execution) laterError(what string, err error) error {
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
		return fmt.Errorf("%s: %w: %s", what, connector.ErrOtherAmount, t.errorText(err))
	}
	return fmt.Errorf("%s: %s", what, t.errorText(err))
}

// declineWithoutCard declines a charge whose card is not stored any more, unless the provider received it: after a
// table was restored from a backup, the payment does not say what was sent since the backup.
func (t execution) declineWithoutCard(ctx context.Context, reason reason.Code) error {
	job := t.Job()
	querier, ok := t.connector.(connector.StatusQuerier)
	if !ok || !job.SentAt.IsZero() { // a sent request was looked up just before
		return t.declineUnsent(ctx, reason)
	}
	job.Tries++
	result, err := t.queryStatus(ctx, querier)
	tried := err != nil && job.Tries >= maxSends && !t.Now().Before(job.FoundBy)
	if err == nil && result.Outcome == connector.OutcomeUnknown || tried {
		return t.declineUnsent(ctx, reason)
	}
	return t.storeResult(context.WithoutCancel(ctx), result, err)
}
