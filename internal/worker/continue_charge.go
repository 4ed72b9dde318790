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
func (t execution) continueCharge(ctx context.Context) error {
	t.Job().Continue, t.continues = false, true
	err := t.saveSending(ctx)
	if store.IsConflict(err) {
		return errChanged
	}
	if err != nil {
		return err
	}
	sentAt := t.Now()
	result, err := t.sendRequest(ctx)
	stored := context.WithoutCancel(ctx)
	defer t.countCharge(stored, t.charge.Kind, t.circuitCharge(sentAt, result, err)) // after the result is stored
	if errors.Is(err, connector.ErrNotSent) {
		t.logNotReached(ctx, err)
		return t.reschedule(stored, func(p *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
			*payment.Event) {
			delay := p.Action.LimitDelay(now, payment.DelayAfter(payment.UndecidedDelays, job.Tries))
			job.ReleaseForm(now, delay)
			return delay, nil
		})
	}
	return t.storeResult(stored, result, err)
}
