package worker

import (
	"context"
	"errors"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/store"
)

// continueCharge sends what the payer filled in to the provider. It stores that before it sends, so that no form is
// sent twice.
func (x execution) continueCharge(ctx context.Context) error {
	x.task.Job().Continue, x.continues = false, true
	err := x.saveSending(ctx)
	if store.IsConflict(err) {
		return errChanged
	}
	if err != nil {
		return err
	}
	sentAt := x.core.Now()
	result, err := x.sendRequest(ctx)
	stored := context.WithoutCancel(ctx)
	defer x.runner.countCharge(stored, x.charge.Kind, x.circuitCharge(sentAt, result, err)) // after the result is stored
	if errors.Is(err, connector.ErrNotSent) {
		x.recorder().logNotReached(ctx, err)
		return x.recorder().reschedule(stored, func(p *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
			*payment.Event) {
			delay := p.Action.LimitDelay(now, payment.DelayAfter(payment.UndecidedDelays, job.Tries))
			job.ReleaseForm(now, delay)
			return delay, nil
		})
	}
	return x.recorder().storeResult(stored, result, err)
}
