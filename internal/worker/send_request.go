package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/metric"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// chargeOrContinue calls Charge, or Continue for a second form: runJob has checked that the connector has it. A charge
// that has to begin first is charged once its id is stored.
func (t execution) chargeOrContinue(ctx context.Context) (connector.Result, error) {
	if t.continues {
		return t.connector.(connector.Continuer).Continue(ctx, t.charge)
	}
	if beginner, ok := t.connector.(connector.Beginner); ok {
		begun, err := beginner.Begin(ctx, t.charge)
		if err == nil {
			begun, err = t.checkResult(ctx, begun)
		}
		if err != nil || begun.Outcome != connector.OutcomePending {
			return begun, err
		}
		if err := t.saveBegun(ctx, begun.ProviderID); err != nil {
			return connector.Result{}, err
		}
		t.charge.ProviderID = begun.ProviderID
	}
	return t.connector.Charge(ctx, t.charge)
}

// saveBegun stores the provider's id of a charge that has begun. If somebody has changed the payment since the request
// was stored, such as another worker that sends it, nothing is charged. Errors: ErrNotSent.
func (t execution) saveBegun(ctx context.Context, id string) error {
	p := t.Payment
	if id == p.ProviderID {
		return nil
	}
	before := p.ProviderID
	p.ProviderID = id
	if err := t.Store.Save(context.WithoutCancel(ctx), t.Now(), p.Record()); err != nil {
		p.ProviderID = before
		return fmt.Errorf("%w: store the id of payment %s: %v", connector.ErrNotSent, p.ID, err)
	}
	p.SetVersion(p.Version + 1)
	return nil
}

// saveSending stores that the request is being sent, with other documents in the same write, among them the lease of a
// probe. Errors: errProbed.
func (t *execution) saveSending(ctx context.Context, more ...store.Record) error {
	lease, err := t.probeLease(ctx)
	if err != nil {
		return err
	}
	now, job := t.Now(), t.Job()
	job.Send(now)
	records := slices.Concat(t.Payment.CardDeletion(), more, []store.Record{t.Payment.Record()}, lease)
	err = t.Store.Save(ctx, now, records...)
	if len(lease) > 0 && store.ConflictOn(err, lease[0].Key) {
		return errProbed
	}
	if err != nil {
		return fmt.Errorf("store request of payment %s: %w", t.Payment.ID, err)
	}
	t.Payment.SetVersion(t.Payment.Version + 1)
	return nil
}

// sendRequest sends the request to the provider and measures the time.
func (t execution) sendRequest(ctx context.Context) (connector.Result, error) {
	now := t.Now()
	limited, cancel := context.WithTimeout(ctx, t.ProviderTimeout)
	defer cancel()
	defer t.sending(ctx)()
	result, err := t.callConnector(limited)
	if err == nil {
		result, err = t.checkResult(ctx, result)
	}
	if errors.Is(err, store.ErrConflicts) {
		err = t.Conflicts(ctx, t.Payment.Test, "send to "+t.Payment.Requests().Connector(t.Reference), t.Payment.ID)
	}
	duration := metric.Metric{Name: "provider_time", Unit: "Milliseconds", Value: t.Now().Sub(now).Milliseconds()}
	line := metric.Line{
		Message: "provider", Test: t.Payment.Test, Dimension: "connector", Metrics: []metric.Metric{duration},
	}
	t.Measure(ctx, line, slog.String("connector", t.Payment.Requests().Connector(t.Reference)),
		slog.String("payment", t.Payment.ID), slog.String("kind", string(t.charge.Kind)), slog.Bool("responded", err == nil))
	return result, err
}

// callConnector calls the connector's method for the kind of request.
func (t execution) callConnector(ctx context.Context) (connector.Result, error) {
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
		return t.chargeOrContinue(ctx)
	}
	return payment.DeclineFor(reason.NotSupported), nil
}
