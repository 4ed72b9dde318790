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

// chargeOrContinue calls Charge, or Continue for a second form: runJob has checked that the connector has it. A charge
// that has to begin first is charged once its id is stored.
func (s *Service) chargeOrContinue(ctx context.Context, t task) (Result, error) {
	if t.continues {
		return t.connector.(Continuer).Continue(ctx, t.charge)
	}
	if beginner, ok := t.connector.(Beginner); ok {
		begun, err := beginner.Begin(ctx, t.charge)
		if err == nil {
			begun, err = s.checkResult(ctx, t, begun)
		}
		if err != nil || begun.Outcome != OutcomePending {
			return begun, err
		}
		if err := s.saveBegun(ctx, t, begun.ProviderID); err != nil {
			return Result{}, err
		}
		t.charge.ProviderID = begun.ProviderID
	}
	return t.connector.Charge(ctx, t.charge)
}

// saveBegun stores the provider's id of a charge that has begun. If somebody has changed the payment since the request
// was stored, such as another worker that sends it, nothing is charged. Errors: ErrNotSent.
func (s *Service) saveBegun(ctx context.Context, t task, id string) error {
	p := t.payment
	if id == p.ProviderID {
		return nil
	}
	before := p.ProviderID
	p.ProviderID = id
	if err := s.Store.Save(context.WithoutCancel(ctx), s.Now(), p.record()); err != nil {
		p.ProviderID = before
		return fmt.Errorf("%w: store the id of payment %s: %v", ErrNotSent, p.ID, err)
	}
	p.setVersion(p.version + 1)
	return nil
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
	result, err := s.callConnector(limited, t)
	if err == nil {
		result, err = s.checkResult(ctx, t, result)
	}
	if errors.Is(err, store.ErrConflicts) {
		err = s.conflicts(ctx, t.payment.Test, "send to "+t.payment.connectorOf(t.reference), t.payment.ID)
	}
	duration := metric.Metric{Name: "provider_time", Unit: "Milliseconds", Value: s.Now().Sub(now).Milliseconds()}
	line := metric.Line{
		Message: "provider", Test: t.payment.Test, Dimension: "connector", Metrics: []metric.Metric{duration},
	}
	s.measure(ctx, line, slog.String("connector", t.payment.connectorOf(t.reference)),
		slog.String("payment", t.payment.ID), slog.String("kind", string(t.charge.Kind)), slog.Bool("answered", err == nil))
	return result, err
}

// callConnector calls the connector's method for the kind of request.
func (s *Service) callConnector(ctx context.Context, t task) (Result, error) {
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
		return s.chargeOrContinue(ctx, t)
	}
	return declineFor(screen.ReasonNotSupported), nil
}
