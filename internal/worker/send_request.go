package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/metric"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// chargeOrContinue calls Charge, or Continue for a second form: runJob has checked that the connector has it. A charge
// that has to begin first is charged once its id is stored.
func (s *Service) chargeOrContinue(ctx context.Context, t execution) (connector.Result, error) {
	if t.continues {
		return t.connector.(connector.Continuer).Continue(ctx, t.charge)
	}
	if beginner, ok := t.connector.(connector.Beginner); ok {
		begun, err := beginner.Begin(ctx, t.charge)
		if err == nil {
			begun, err = s.checkResult(ctx, t, begun)
		}
		if err != nil || begun.Outcome != connector.OutcomePending {
			return begun, err
		}
		if err := s.saveBegun(ctx, t, begun.ProviderID); err != nil {
			return connector.Result{}, err
		}
		t.charge.ProviderID = begun.ProviderID
	}
	return t.connector.Charge(ctx, t.charge)
}

// saveBegun stores the provider's id of a charge that has begun. If somebody has changed the payment since the request
// was stored, such as another worker that sends it, nothing is charged. Errors: ErrNotSent.
func (s *Service) saveBegun(ctx context.Context, t execution, id string) error {
	p := t.Payment
	if id == p.ProviderID {
		return nil
	}
	before := p.ProviderID
	p.ProviderID = id
	if err := s.Store.Save(context.WithoutCancel(ctx), s.Now(), p.Record()); err != nil {
		p.ProviderID = before
		return fmt.Errorf("%w: store the id of payment %s: %v", connector.ErrNotSent, p.ID, err)
	}
	p.SetVersion(p.Version + 1)
	return nil
}

// saveSending stores that the request is being sent, with other documents in the same write.
func (s *Service) saveSending(ctx context.Context, t execution, more ...store.Record) error {
	now, job := s.Now(), t.Job()
	job.Send(now)
	err := s.Store.Save(ctx, now, slices.Concat(t.Payment.CardDeletion(), more, []store.Record{t.Payment.Record()})...)
	if err != nil {
		return fmt.Errorf("store request of payment %s: %w", t.Payment.ID, err)
	}
	t.Payment.SetVersion(t.Payment.Version + 1)
	return nil
}

// sendRequest sends the request to the provider and measures the time.
func (s *Service) sendRequest(ctx context.Context, t execution) (connector.Result, error) {
	now := s.Now()
	limited, cancel := context.WithTimeout(ctx, s.ProviderTimeout)
	defer cancel()
	result, err := s.callConnector(limited, t)
	if err == nil {
		result, err = s.checkResult(ctx, t, result)
	}
	if errors.Is(err, store.ErrConflicts) {
		err = s.Conflicts(ctx, t.Payment.Test, "send to "+t.Payment.ConnectorOf(t.Reference), t.Payment.ID)
	}
	duration := metric.Metric{Name: "provider_time", Unit: "Milliseconds", Value: s.Now().Sub(now).Milliseconds()}
	line := metric.Line{
		Message: "provider", Test: t.Payment.Test, Dimension: "connector", Metrics: []metric.Metric{duration},
	}
	s.Measure(ctx, line, slog.String("connector", t.Payment.ConnectorOf(t.Reference)),
		slog.String("payment", t.Payment.ID), slog.String("kind", string(t.charge.Kind)), slog.Bool("responded", err == nil))
	return result, err
}

// callConnector calls the connector's method for the kind of request.
func (s *Service) callConnector(ctx context.Context, t execution) (connector.Result, error) {
	switch t.charge.Kind {
	case connector.RequestCapture:
		if c, ok := t.connector.(connector.Capturer); ok {
			return c.Capture(ctx, t.charge.ProviderRequest)
		}
	case connector.RequestVoid:
		if c, ok := t.connector.(connector.Voider); ok {
			return c.Void(ctx, t.charge.ProviderRequest)
		}
	case connector.RequestRefund:
		if c, ok := t.connector.(connector.Refunder); ok {
			return c.Refund(ctx, t.charge.ProviderRequest)
		}
	default:
		return s.chargeOrContinue(ctx, t)
	}
	return checkout.DeclineFor(screen.ReasonNotSupported), nil
}
