package worker

import (
	"context"
	"errors"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/store"
)

// continueCharge sends what the payer filled in to the provider. It stores that before it sends, so that no form is
// sent twice.
func (s *Service) continueCharge(ctx context.Context, t execution) error {
	t.Job().Continue, t.continues = false, true
	err := s.saveSending(ctx, t)
	if store.IsConflict(err) {
		return errChanged
	}
	if err != nil {
		return err
	}
	sentAt := s.Now()
	result, err := s.sendRequest(ctx, t)
	stored := context.WithoutCancel(ctx)
	defer s.countCharge(stored, t.charge.Kind, s.circuitCharge(t, sentAt, result, err)) // after the result is stored
	if errors.Is(err, connector.ErrNotSent) {
		s.logNotReached(ctx, t, err)
		return s.reschedule(stored, t, func(p *checkout.Payment, job *checkout.Job, now time.Time) (time.Duration,
			*checkout.Event) {
			delay := p.Action.LimitDelay(now, checkout.DelayAfter(checkout.UndecidedDelays, job.Tries))
			job.ReleaseForm(now, delay)
			return delay, nil
		})
	}
	return s.storeResult(stored, t, result, err)
}
