package checkout

import (
	"context"
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
	id := t.Payment.ID
	for tries, conflicts := 0, 0; tries < store.AuditTries && conflicts < store.ConflictTries; tries++ {
		now := s.Now()
		before, was := t.Payment.Jobs.States(now), stateOf(t.Payment)
		e, err := f(t, now)
		if err == nil {
			if err = t.Payment.Jobs.Check(before, now); err != nil {
				err = fmt.Errorf("payment %s: %w", id, err)
			}
		}
		if err != nil || !e.Save {
			return false, nil, err
		}
		e.SaveSession = t.follow(was, e, now) || e.SaveSession
		records, callback, err := s.ChangeRecords(ctx, now, t, e)
		if err != nil {
			return false, nil, err
		}
		err = s.Store.Save(ctx, now, records...)
		if err == nil {
			s.MeasureChange(ctx, now, t.Payment, e)
			return true, callback, nil
		}
		if !store.IsConflict(err) || e.Once != nil && store.ConflictOn(err, e.Once.Key) {
			return false, nil, fmt.Errorf("store payment %s: %w", id, err)
		}
		if !store.IsAuditConflict(err) {
			conflicts++
		}
		if t.Payment, t.Session, err = s.PaymentAndSession(ctx, now, id, t.Payment.SessionID); err != nil {
			return false, nil, err
		}
		if t.Payment == nil {
			return false, nil, fmt.Errorf("payment %s is gone", id)
		}
	}
	return false, nil, s.Conflicts(ctx, t.Payment.Test, "change payment", id)
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
