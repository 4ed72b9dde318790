package checkout

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"checkout/internal/callback"
	"checkout/internal/method"
	"checkout/internal/metric"
	"checkout/internal/screen"
)

// maxSends is how often a request is sent to a provider that can't be reached.
const maxSends = 5

// storeResult stores the outcome of a request that was sent.
func (s *Service) storeResult(ctx context.Context, t task, result Result, err error) error {
	if err == nil && t.charge.Kind == JobCharge {
		err = t.payment.lacksAmount(result)
	}
	t.finding = t.findingOf(result, err, s.Now())
	if job := t.job(); job != nil {
		job.Finding = t.finding
	}
	var action *ActionError
	switch {
	case errors.Is(err, ErrNotSent):
		return s.notSent(ctx, t, err)
	case errors.As(err, &action):
		return s.refuseAction(ctx, t, action)
	case err != nil:
		line := metric.Line{
			Message: "outcome unknown", Test: t.payment.Test, Metrics: []metric.Metric{metric.Count("unknown_outcomes")},
		}
		s.measure(ctx, line, slog.String("connector", t.payment.connectorOf(t.reference)),
			slog.String("payment", t.payment.ID), slog.String("error", t.errorText(err)))
		if errors.Is(err, ErrOtherAmount) {
			if err := s.hideInstructions(ctx, t); err != nil {
				return err
			}
		}
		return s.postpone(ctx, t, Undefined)
	case result.Outcome == OutcomeActionRequired && t.payment.Status != StatusPrepare: // the payer still has to act
		if err := s.apply(ctx, t, result); err != nil { // a part of the money may have arrived
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

// refuseAction deals with a charge that waits for its payer, who can't be given what the provider requires. The
// provider has the charge, so it is not declined: it is ended at the provider if that is possible, and looked up as
// unknown if it is not. A payer who was told before what to do goes on with that.
func (s *Service) refuseAction(ctx context.Context, t task, fault *ActionError) error {
	goesOn := t.payment.Action.hasInstructions()
	s.measureRefused(ctx, t.payment, fault, !goesOn)
	_, canEnd := t.connector.(Canceller)
	switch {
	case goesOn:
		return s.postpone(ctx, t, "")
	case !canEnd || t.job().End || t.job().Kind != JobCharge:
		return s.postponeFor(ctx, t, Undefined, fault.Error())
	}
	return s.reschedule(ctx, t, func(p *Payment, job *Job, now time.Time) (time.Duration, *Event) {
		job.Fault, job.End, job.Released, job.DueAt = fault.Error(), true, true, now.Add(jobGrace)
		p.setUnknown(job, Undefined, now)
		return 0, nil
	})
}

// measureRefused logs and counts a required action that no payer can be given, and an outcome that is unknown by it.
func (s *Service) measureRefused(ctx context.Context, p *Payment, fault *ActionError, unknown bool) {
	line := metric.Line{
		Message: "required action refused", Test: p.Test, Metrics: []metric.Metric{metric.Count("refused_actions")},
	}
	if unknown {
		line.Metrics = append(line.Metrics, metric.Count("unknown_outcomes"))
	}
	s.measure(ctx, line, slog.String("connector", p.Connector), slog.String("payment", p.ID),
		slog.String("member", fault.Member), slog.String("fault", fault.Fault))
}

// hideInstructions removes what the payer was told to pay with: money has moved, so that nobody may pay once more.
func (s *Service) hideInstructions(ctx context.Context, t task) error {
	_, _, err := s.change(ctx, t, func(t task, now time.Time) (effects, error) {
		p, sess := t.payment, t.session
		if t.charge.Kind != JobCharge || t.job() == nil || !p.Action.hasInstructions() {
			return effects{}, nil
		}
		p.Action = &RequiredAction{Kind: p.Action.Kind, Step: p.Action.Step, ExpiresAt: p.Action.ExpiresAt}
		e := effects{save: true}
		if sess != nil && sess.PaymentID == p.ID && sess.Action != nil {
			sess.Action, sess.ActedAt, e.saveSession = p.Action, now, true
		}
		return e, nil
	})
	return err
}

// notSent schedules that the request is sent again, at most maxSends times in all.
func (s *Service) notSent(ctx context.Context, t task, cause error) error {
	s.logNotReached(ctx, t, cause)
	if t.job().Tries >= maxSends {
		return s.declineUnsent(ctx, t, screen.ReasonUnreachable)
	}
	return s.reschedule(ctx, t, func(_ *Payment, job *Job, now time.Time) (time.Duration, *Event) {
		delay := delayAfter(sendDelays, job.Tries)
		job.SentAt, job.UnknownSince, job.DueAt = time.Time{}, time.Time{}, now.Add(delay+jobGrace)
		return delay, nil
	})
}

// logNotReached logs that nothing was sent to the provider of a task.
func (s *Service) logNotReached(ctx context.Context, t task, cause error) {
	s.Log.WarnContext(ctx, "provider not reached", "payment", t.payment.ID,
		"connector", t.payment.connectorOf(t.reference), "error", t.errorText(cause))
}

// postpone schedules a look-up for a job whose outcome is not known, or leaves it to a person if that has lasted too
// long. The first time, the merchant gets a callback with the status, unless that is "" (decisions.md 6, not known
// yet).
func (s *Service) postpone(ctx context.Context, t task, status TransactionStatus) error {
	return s.postponeFor(ctx, t, status, t.job().Fault)
}

// postponeFor is postpone for a charge that can't go on because of a fault, "" if there is none.
func (s *Service) postponeFor(ctx context.Context, t task, status TransactionStatus, fault string) error {
	return s.reschedule(ctx, t, func(p *Payment, job *Job, now time.Time) (time.Duration, *Event) {
		job.Released, job.Fault = true, fault
		p.setUnknown(job, status, now)
		delay := p.setNextLookUp(job, now)
		if status == "" || job.Notified || p.Action != nil {
			return delay, nil
		}
		job.Notified = true
		return delay, p.jobEvent(*job, status, &screen.Reason{Code: interimReasons[status]})
	})
}

// reschedule stores a change of a job that has no outcome yet. change sets when the job is due, and returns the delay
// of its next run. Nothing changes if another worker has sent the job since: this one's lease was over.
func (s *Service) reschedule(
	ctx context.Context, t task, change func(*Payment, *Job, time.Time) (time.Duration, *Event),
) error {
	var delay time.Duration
	ran, person := *t.job(), false
	stored, err := s.changeAndNotify(ctx, t, func(t task, now time.Time) (effects, error) {
		job := t.job()
		if job == nil || job.Decision != nil || !job.SentAt.Equal(ran.SentAt) {
			return effects{}, nil // it has ended since, or a person has decided
		}
		e := effects{save: true}
		job.Tries, job.LookUps, job.LookedUpAt, job.LookingUp = ran.Tries, ran.LookUps, ran.LookedUpAt, false
		job.Finding = ran.Finding
		delay, e.event = change(t.payment, job, now)
		// No card is stored for a run that comes when the card can't be sent any more.
		job.Sealed = job.Sealed && now.Add(delay).Before(t.payment.CreatedAt.Add(sealedTTL))
		if person = job.Person; e.event != nil && e.event.Status == Waiting && t.session != nil &&
			t.payment.Operation == method.Credit {
			t.session.UnderWay, e.saveSession = true, true
		}
		return e, nil
	})
	switch {
	case err != nil || !stored:
	case person:
		s.Log.WarnContext(ctx, "a person has to decide", "payment", t.payment.ID, "merchant", t.payment.Merchant,
			"connector", t.payment.connectorOf(t.reference), "reference", t.reference)
	case delay <= callback.MaxDelay:
		s.sendJob(ctx, t.payment.message(t.reference), delay)
	}
	return err
}
