package checkout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/metric"
	"checkout/internal/reason"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// ChangeFunc changes the payment and the session of a task. It may be called again, with both as they are by then.
type ChangeFunc func(t Task, now time.Time) (payment.Effects, error)

// Change applies f to a task's payment and session and stores the effects in one write. If the payment was changed
// meanwhile, it reads payment and session again and repeats. stored is false if f had nothing to store; callback is
// that of the event, nil without one. Errors: ErrConflicts.
func (s *Core) Change(
	ctx context.Context, t Task, f ChangeFunc,
) (stored bool, callback *callback.Callback, err error) {
	id, session := t.Payment.ID, t.Payment.SessionID
	var e payment.Effects
	var at time.Time // of the try
	update := store.Update{
		Doing: "store payment " + id, Store: s.Store, Now: s.Now,
		Final: func(conflict error) bool { return e.Once != nil && store.ConflictOn(conflict, e.Once.Key) },
	}
	err = update.Do(ctx, func(now time.Time) (records []store.Record, err error) {
		if again := !at.IsZero(); again {
			if t.Payment, t.Session, err = s.PaymentAndSession(ctx, now, id, session); err != nil {
				return nil, err
			}
			if t.Payment == nil {
				return nil, fmt.Errorf("payment %s is gone", id)
			}
		}
		at = now
		before, was := t.Payment.Jobs.States(now), stateOf(t.Payment)
		if e, err = f(t, now); err != nil {
			return nil, err
		}
		if err := t.Payment.Jobs.Check(before, now); err != nil {
			return nil, fmt.Errorf("payment %s: %w", id, err)
		}
		if !e.Save {
			return nil, nil
		}
		e.SaveSession = t.follow(was, e, now) || e.SaveSession
		records, callback, err = s.ChangeRecords(ctx, now, t, e)
		return records, err
	})
	switch {
	case errors.Is(err, store.ErrConflicts):
		return false, nil, s.Conflicts(ctx, t.Payment.Test, "change payment", id)
	case err != nil || !e.Save:
		return false, nil, err
	}
	s.MeasureChange(ctx, at, t.Payment, e)
	return true, callback, nil
}

// ChangeRecords returns the documents of one change: the payment and its effects, and the callback among them.
func (s *Core) ChangeRecords(
	ctx context.Context, now time.Time, t Task, e payment.Effects,
) ([]store.Record, *callback.Callback, error) {
	p := t.Payment
	records := append(make([]store.Record, 0, 8), e.Records...)
	if e.Once != nil {
		records = append(records, *e.Once)
	}
	records = append(records, e.Deleted...)
	var m *settings.Merchant
	if e.StartChain || e.Event != nil {
		var err error
		if m, err = s.Merchant(ctx, p.Merchant, now); err != nil {
			return nil, nil, err
		}
	}
	if e.StartChain {
		chain, err := s.startedChain(ctx, now, m, p)
		if err != nil {
			return nil, nil, err
		}
		records = append(records, chain...)
	}
	if e.StopChain {
		stopped, err := s.stoppedChain(ctx, now, p)
		if err != nil {
			return nil, nil, err
		}
		records = append(records, stopped...)
	}
	if e.SavedCard != nil {
		records = append(records, e.SavedCard.Record())
	}
	var callback *callback.Callback
	if e.Event != nil {
		callback = newCallback(now, m, p, *e.Event)
		withhold(callback, now, m, t)
	}
	if callback != nil {
		callback.Cause = fault.RequestID(ctx)
		records = append(records, callback.Record(callback.Due(now)))
	}
	if e.SaveSession && t.Session != nil {
		records = append(records, t.Session.Record())
	}
	return append(records, p.Record()), callback, nil
}

// MeasureChange measures the outcome that a change brought, the age of the payment, and whether a charge was approved.
func (s *Core) MeasureChange(ctx context.Context, now time.Time, p *payment.Payment, e payment.Effects) {
	if !e.Measure {
		return
	}
	age := metric.Metric{Name: "payment_age", Unit: "Milliseconds", Value: now.Sub(p.CreatedAt).Milliseconds()}
	line := metric.Line{
		Message: "payment", Test: p.Test, Dimension: "outcome", Metrics: []metric.Metric{metric.Count("payments"), age},
	}
	if p.Connector != "" && e.Event.Type == p.EventType(payment.JobCharge) {
		var share int64
		if e.Event.Status == payment.Success {
			share = 100
		}
		line.ByConnector = []metric.Metric{{Name: "approved", Unit: "Percent", Value: share}}
	}
	why := p.Masker().Mask(e.Event.Reason.Text())
	if e.Event.Reason.MerchantCode() == reason.Person {
		why = "" // what a person has written may be about the payer
	}
	s.Measure(ctx, line,
		slog.String("outcome", string(p.Status)), slog.String("type", string(e.Event.Type)),
		slog.String("payment", p.ID), slog.String("session", store.PublicID(p.SessionID)),
		slog.String("merchant", p.Merchant), slog.String("connector", p.Connector),
		slog.String("reason", why),
		slog.String("reason_code", string(e.Event.Reason.MerchantCode())))
}
