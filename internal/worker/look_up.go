package worker

import (
	"context"
	"fmt"

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
		return false, x.recorder().postpone(ctx, payment.Undefined)
	}
	result, err := x.query().status(ctx, querier)
	if err == nil && result.Outcome == connector.OutcomeUnknown {
		return true, nil
	}
	return false, x.recorder().storeResult(context.WithoutCancel(ctx), result, err)
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
		return x.recorder().lookedUp(ctx, connector.Result{}, nil)
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
	result, err := x.query().status(ctx, querier)
	stored := context.WithoutCancel(ctx)
	if err == nil && x.charge.Kind == connector.RequestCharge {
		err = x.task.Payment.Amounts().CheckApproved(result)
	}
	if err != nil {
		result = connector.Result{}
	}
	if job.Kind.Sends() && (result.Outcome == connector.OutcomeApproved || result.Outcome == connector.OutcomeDeclined) {
		return x.recorder().storeResult(stored, result, nil)
	}
	x.task.Finding = x.report().findingOf(result, err, x.core.Now())
	if err != nil {
		x.core.Log.WarnContext(ctx, "look-up failed", "payment", x.task.Payment.ID,
			"connector", x.task.Payment.Connector, "error", err)
	}
	return x.recorder().lookedUp(stored, result, err)
}

// declineWithoutCard declines a charge whose card is not stored any more, unless the provider received it: after a
// table was restored from a backup, the payment does not say what was sent since the backup.
func (x execution) declineWithoutCard(ctx context.Context, reason reason.Code) error {
	job := x.task.Job()
	querier, ok := x.connector.(connector.StatusQuerier)
	if !ok || !job.SentAt.IsZero() { // a sent request was looked up just before
		return x.recorder().declineUnsent(ctx, reason)
	}
	job.Tries++
	result, err := x.query().status(ctx, querier)
	tried := err != nil && job.Tries >= maxSends && !x.core.Now().Before(job.FoundBy)
	if err == nil && result.Outcome == connector.OutcomeUnknown || tried {
		return x.recorder().declineUnsent(ctx, reason)
	}
	return x.recorder().storeResult(context.WithoutCancel(ctx), result, err)
}
