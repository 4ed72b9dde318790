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
func (x execution) chargeOrContinue(ctx context.Context) (connector.Result, error) {
	if x.continues {
		return x.connector.(connector.Continuer).Continue(ctx, x.charge)
	}
	if beginner, ok := x.connector.(connector.Beginner); ok {
		begun, err := beginner.Begin(ctx, x.charge)
		if err == nil {
			begun, err = x.report().checkResult(ctx, begun)
		}
		if err != nil || begun.Outcome != connector.OutcomePending {
			return begun, err
		}
		if err := x.saveBegun(ctx, begun.ProviderID); err != nil {
			return connector.Result{}, err
		}
		x.charge.ProviderID = begun.ProviderID
	}
	return x.connector.Charge(ctx, x.charge)
}

// saveBegun stores the provider's id of a charge that has begun. If somebody has changed the payment since the request
// was stored, such as another worker that sends it, nothing is charged. Errors: ErrNotSent.
func (x execution) saveBegun(ctx context.Context, id string) error {
	p := x.task.Payment
	if id == p.ProviderID {
		return nil
	}
	before := p.ProviderID
	p.ProviderID = id
	if err := x.core.Store.Save(context.WithoutCancel(ctx), x.core.Now(), p.Record()); err != nil {
		p.ProviderID = before
		return fmt.Errorf("%w: store the id of payment %s: %v", connector.ErrNotSent, p.ID, err)
	}
	p.SetVersion(p.Version + 1)
	return nil
}

// saveSending stores that the request is being sent, with other documents in the same write, among them the lease of a
// probe. A process that stood still meanwhile, such as a laptop that slept, must not send: another worker may do so
// once the lease is over. Errors: errProbed.
func (x *execution) saveSending(ctx context.Context, more ...store.Record) error {
	lease, err := x.probeLease(ctx)
	if err != nil {
		return err
	}
	now, job, p := x.core.Now(), x.task.Job(), x.task.Payment
	job.Send(now)
	records := slices.Concat(p.CardDeletion(), more, []store.Record{p.Record()}, lease)
	err = x.core.Store.Save(ctx, now, records...)
	if len(lease) > 0 && store.ConflictOn(err, lease[0].Key) {
		return errProbed
	}
	if err != nil {
		return fmt.Errorf("store request of payment %s: %w", p.ID, err)
	}
	p.SetVersion(p.Version + 1)
	if took := x.core.Now().Sub(now); took > payment.JobLease-2*x.runner.ProviderTimeout {
		return fmt.Errorf("store request of payment %s: it took %s, which is too late to send it", p.ID, took)
	}
	return nil
}

// sendRequest sends the request to the provider and measures the time.
func (x execution) sendRequest(ctx context.Context) (connector.Result, error) {
	now, p := x.core.Now(), x.task.Payment
	limited, cancel := context.WithTimeout(ctx, x.runner.ProviderTimeout)
	defer cancel()
	defer x.breaker().sending(ctx, x.apart)()
	result, err := x.callConnector(limited)
	if err == nil {
		result, err = x.report().checkResult(ctx, result)
	}
	if errors.Is(err, store.ErrConflicts) {
		err = x.core.Conflicts(ctx, p.Test, "send to "+p.Requests().Connector(x.task.Reference), p.ID)
	}
	duration := metric.Metric{Name: "provider_time", Unit: "Milliseconds", Value: x.core.Now().Sub(now).Milliseconds()}
	line := metric.Line{
		Message: "provider", Test: p.Test, Dimension: "connector", Metrics: []metric.Metric{duration},
	}
	x.core.Measure(ctx, line, slog.String("connector", p.Requests().Connector(x.task.Reference)),
		slog.String("payment", p.ID), slog.String("kind", string(x.charge.Kind)), slog.Bool("responded", err == nil))
	return result, err
}

// callConnector calls the connector's method for the kind of request.
func (x execution) callConnector(ctx context.Context) (connector.Result, error) {
	switch x.charge.Kind {
	case connector.RequestCapture:
		if c, ok := x.connector.(connector.Capturer); ok {
			return c.Capture(ctx, x.charge.ProviderRequest)
		}
	case connector.RequestVoid:
		if c, ok := x.connector.(connector.Voider); ok {
			return c.Void(ctx, x.charge.ProviderRequest)
		}
	case connector.RequestRefund:
		if c, ok := x.connector.(connector.Refunder); ok {
			return c.Refund(ctx, x.charge.ProviderRequest)
		}
	default:
		return x.chargeOrContinue(ctx)
	}
	return payment.DeclineFor(reason.NotSupported), nil
}
