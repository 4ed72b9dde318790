package checkout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"checkout/internal/metric"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// chargeOrContinue calls Charge, or Continue for a second form: runJob has checked that the connector has it.
func (t task) chargeOrContinue(ctx context.Context) (Result, error) {
	if t.continues {
		return t.connector.(Continuer).Continue(ctx, t.charge)
	}
	return t.connector.Charge(ctx, t.charge)
}

// saveSending stores that the request is being sent, with other documents in the same write. The job is due when its
// lease ends. A job that is sent soon after it was stored is due late enough already: a change would cost two writes to
// the index.
func (s *Service) saveSending(ctx context.Context, t task, more ...store.Record) error {
	now, job := s.Now(), t.job()
	job.SentAt, job.Released = now, false
	if end := now.Add(JobLease); job.DueAt.Before(end) {
		job.DueAt = end
	}
	job.Tries++
	err := s.Store.Save(ctx, now, slices.Concat(t.payment.cardDeletion(), more, []store.Record{t.payment.record()})...)
	if err != nil {
		return fmt.Errorf("store request of payment %s: %w", t.payment.ID, err)
	}
	t.payment.setVersion(t.payment.version + 1)
	return nil
}

// sendRequest sends the request to the provider and measures the time.
func (s *Service) sendRequest(ctx context.Context, t task) (Result, error) {
	now := s.Now()
	limited, cancel := context.WithTimeout(ctx, s.ProviderTimeout)
	defer cancel()
	result, err := t.call(limited)
	if err == nil {
		result, err = s.checkResult(ctx, t, result)
	}
	if errors.Is(err, store.ErrConflicts) {
		err = s.conflicts(ctx, t.payment.Test, "send to "+t.payment.Connector, t.payment.ID)
	}
	duration := metric.Metric{Name: "provider_time", Unit: "Milliseconds", Value: s.Now().Sub(now).Milliseconds()}
	line := metric.Line{
		Message: "provider", Test: t.payment.Test, Dimension: "connector", Metrics: []metric.Metric{duration},
	}
	s.measure(ctx, line, slog.String("connector", t.payment.Connector), slog.String("payment", t.payment.ID),
		slog.String("kind", string(t.charge.Kind)), slog.Bool("answered", err == nil))
	return result, err
}

// call calls the connector's method for the kind of request.
func (t task) call(ctx context.Context) (Result, error) {
	switch connector := t.connector; t.charge.Kind {
	case JobCapture:
		if c, ok := connector.(Capturer); ok {
			return c.Capture(ctx, t.charge.ProviderRequest)
		}
	case JobVoid:
		if c, ok := connector.(Voider); ok {
			return c.Void(ctx, t.charge.ProviderRequest)
		}
	case JobRefund:
		if c, ok := connector.(Refunder); ok {
			return c.Refund(ctx, t.charge.ProviderRequest)
		}
	default:
		return t.chargeOrContinue(ctx)
	}
	return declineFor(screen.ReasonNotSupported), nil
}
