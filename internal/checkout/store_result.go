package checkout

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"checkout/internal/callback"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// sendTries is how often a job is tried whose provider can't be reached.
const maxSends = 5

// storeResult stores what came of a request that was sent.
func (s *Service) storeResult(ctx context.Context, t task, result Result, err error) error {
	if err == nil && t.charge.Kind == JobCharge {
		err = t.payment.lacksAmount(result)
	}
	switch {
	case errors.Is(err, ErrNotSent):
		return s.notSent(ctx, t, err)
	case err != nil:
		s.measure(ctx, metric.Line{Message: "outcome unknown", Metrics: []metric.Metric{metric.Count("unknown_outcomes")}},
			slog.String("connector", t.payment.Connector), slog.String("payment", t.payment.ID), slog.String("error", request.ErrorText(err)))
		return s.postpone(ctx, t, Undefined)
	case result.Outcome == OutcomeActionRequired && t.payment.Status != StatusPrepare: // the payer has not decided there yet
		if err := s.apply(ctx, t, result); err != nil { // a part of what is due may have arrived
			return err
		}
		return s.postpone(ctx, t, "")
	case result.Outcome == OutcomePending:
		return s.postpone(ctx, t, Waiting)
	case result.Outcome == OutcomeUnknown:
		return s.postpone(ctx, t, Undefined)
	}
	return s.apply(ctx, t, result)
}

// notSent lets the request be sent again, a few times.
func (s *Service) notSent(ctx context.Context, t task, cause error) error {
	s.Log.WarnContext(ctx, "provider not reached", "payment", t.payment.ID, "connector", t.payment.Connector, "error", request.ErrorText(cause))
	if t.job().Tries >= maxSends {
		return s.apply(ctx, t, declineFor(screen.ReasonUnreachable))
	}
	return s.reschedule(ctx, t, func(_ *Payment, job *Job) *Event {
		job.SentAt = time.Time{}
		return nil
	})
}

// postpone leaves a job whose outcome is not known as it is, to be looked up. One
// callback with this status says so, unless it is "" (decisions.md 6, not known yet).
func (s *Service) postpone(ctx context.Context, t task, status TransactionStatus) error {
	return s.reschedule(ctx, t, func(p *Payment, job *Job) *Event {
		job.Released = true
		if status == "" || job.Notified || p.Action != nil {
			return nil
		}
		job.Notified = true
		return p.jobEvent(*job, status, interimReasons[status])
	})
}

// reschedule stores what change does to a job and has it come again after its delay.
func (s *Service) reschedule(ctx context.Context, t task, change func(*Payment, *Job) *Event) error {
	tries, lookUps := t.job().Tries, t.job().LookUps
	delay := t.payment.Action.limitDelay(s.Now(), lookupDelay(tries))
	stored, err := s.changeAndNotify(ctx, t, func(t task, now time.Time) (effects, error) {
		job := t.job()
		if job == nil {
			return effects{}, nil // it has ended meanwhile
		}
		job.Tries, job.LookUps, job.DueAt = tries, lookUps, now.Add(delay+jobGrace)
		job.Sealed = job.Sealed && now.Before(t.payment.CreatedAt.Add(sealedTTL))
		return effects{save: true, event: change(t.payment, job)}, nil
	})
	if err == nil && stored && delay <= callback.MaxDelay {
		s.sendJob(ctx, t.payment.message(t.reference), delay)
	}
	return err
}

// lookupDelays is when a job whose outcome is not known is looked up again: after each
// try the next delay, and the last one for ever.
var lookupDelays = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

func lookupDelay(tries int) time.Duration {
	return lookupDelays[min(max(tries-1, 0), len(lookupDelays)-1)]
}
