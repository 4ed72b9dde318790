package checkout

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/store"
)

// effects is what a change of a payment leads to, stored in the same write.
type effects struct {
	save        bool           // there is something to store
	event       *Event         // the merchant gets a callback of it
	saveSession bool           // the session changed too
	savedCard   *card.Saved    // a card to store by its token
	startChain  bool           // a recurring chain, or its schedule, begins with this payment
	stopChain   bool           // the chain that began with this payment is stopped, if there is one
	measure     bool           // the outcome is measured; needs an event
	deleted     []store.Record // deletions
	records     []store.Record // other documents; a conflict with the first is an error
}

// changeFunc changes the payment and the session of a task. It may be called again, with both as they are by then.
type changeFunc func(t task, now time.Time) (effects, error)

// changeAndNotify changes a payment as change does, and puts the callback of the change on its queue. It also deletes
// the sealed card once nothing needs that any more.
func (s *Service) changeAndNotify(ctx context.Context, t task, f changeFunc) (stored bool, err error) {
	stored, callback, err := s.change(ctx, t, func(t task, now time.Time) (effects, error) {
		e, err := f(t, now)
		e.deleted = t.payment.cardDeletion()
		return e, err
	})
	s.outbox().Send(ctx, callback, 0)
	return stored, err
}

// change applies f to a task's payment and session and stores the effects in one write. If the payment was changed
// meanwhile, it reads payment and session again and repeats. stored is false if f had nothing to store; callback is
// that of the event, nil without one. Errors: ErrConflicts.
func (s *Service) change(
	ctx context.Context, t task, f changeFunc,
) (stored bool, callback *callback.Callback, err error) {
	id := t.payment.ID
	for range store.ConflictTries {
		now := s.Now()
		e, err := f(t, now)
		if err != nil || !e.save {
			return false, nil, err
		}
		records, callback, err := s.changeRecords(ctx, now, t, e)
		if err != nil {
			return false, nil, err
		}
		err = s.Store.Save(ctx, now, records...)
		if err == nil {
			s.measureChange(ctx, now, t.payment, e)
			return true, callback, nil
		}
		if !store.IsConflict(err) || len(e.records) > 0 && store.ConflictOn(err, e.records[0].Key) {
			return false, nil, fmt.Errorf("store payment %s: %w", id, err)
		}
		if t.payment, t.session, err = s.paymentAndSession(ctx, now, id, t.payment.SessionID); err != nil {
			return false, nil, err
		}
		if t.payment == nil {
			return false, nil, fmt.Errorf("payment %s is gone", id)
		}
	}
	return false, nil, s.conflicts(ctx, t.payment.Test, "change payment", id)
}

// changeRecords returns the documents of one change: the payment and its effects, and the callback among them.
func (s *Service) changeRecords(
	ctx context.Context, now time.Time, t task, e effects,
) ([]store.Record, *callback.Callback, error) {
	p := t.payment
	m, err := s.merchant(ctx, p.Merchant, now)
	if err != nil {
		return nil, nil, err
	}
	records := append(make([]store.Record, 0, 6), e.records...)
	records = append(records, e.deleted...)
	if e.startChain {
		chain, err := s.startedChain(ctx, now, m, p)
		if err != nil {
			return nil, nil, err
		}
		records = append(records, chain...)
	}
	if e.stopChain {
		stopped, err := s.stoppedChain(ctx, now, p)
		if err != nil {
			return nil, nil, err
		}
		records = append(records, stopped...)
	}
	if e.savedCard != nil {
		records = append(records, e.savedCard.Record())
	}
	var callback *callback.Callback
	if e.event != nil {
		callback = newCallback(now, m, p, *e.event)
		withhold(callback, now, m, t)
	}
	if callback != nil {
		callback.Cause = request.ID(ctx)
		records = append(records, callback.Record(callback.Due(now)))
	}
	if e.saveSession && t.session != nil {
		records = append(records, t.session.record())
	}
	return append(records, p.record()), callback, nil
}

// measureChange measures the outcome that a change brought, and the age of the payment.
func (s *Service) measureChange(ctx context.Context, now time.Time, p *Payment, e effects) {
	if !e.measure {
		return
	}
	age := metric.Metric{Name: "payment_age", Unit: "Milliseconds", Value: now.Sub(p.CreatedAt).Milliseconds()}
	s.measure(ctx,
		metric.Line{
			Message: "payment", Test: p.Test, Dimension: "outcome", Metrics: []metric.Metric{metric.Count("payments"), age},
		},
		slog.String("outcome", string(p.Status)), slog.String("type", string(e.event.Type)),
		slog.String("payment", p.ID), slog.String("session", store.PublicID(p.SessionID)),
		slog.String("merchant", p.Merchant), slog.String("connector", p.Connector),
		slog.String("reason", p.Masked(e.event.Reason.Text())),
		slog.String("reason_code", string(e.event.Reason.MerchantCode())))
}
