package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/metric"
	"checkout/internal/reason"
)

// maxSends is how often a request is sent to a provider that can't be reached.
const maxSends = 5

// storeResult stores the outcome of a request that was sent.
func (t execution) storeResult(ctx context.Context, result connector.Result, err error) error {
	if err == nil && t.charge.Kind == connector.RequestCharge {
		err = t.Payment.Amounts().CheckApproved(result)
	}
	t.Finding = t.findingOf(result, err, t.Now())
	if job := t.Job(); job != nil {
		job.Finding = t.Finding
	}
	var action *connector.ActionError
	var early notFoundYet
	switch {
	case errors.Is(err, connector.ErrNotSent):
		return t.notSent(ctx, err)
	case errors.As(err, &action):
		return t.refuseAction(ctx, action)
	case errors.As(err, &early):
		return t.postpone(ctx, payment.Undefined)
	case err != nil:
		line := metric.Line{
			Message: "outcome unknown", Test: t.Payment.Test, Metrics: []metric.Metric{metric.Count("unknown_outcomes")},
		}
		t.Measure(ctx, line, slog.String("connector", t.Payment.Requests().Connector(t.Reference)),
			slog.String("payment", t.Payment.ID), slog.String("error", t.errorText(err)))
		if errors.Is(err, connector.ErrOtherAmount) {
			if err := t.tellOtherAmount(ctx); err != nil {
				return err
			}
		}
		return t.postpone(ctx, payment.Undefined)
	// the payer still has to act
	case result.Outcome == connector.OutcomeActionRequired && t.Payment.Status != payment.StatusPrepare:
		if err := t.apply(ctx, t.Task, result); err != nil { // a part of the money may have arrived
			return err
		}
		return t.postpone(ctx, "")
	case result.Outcome == connector.OutcomePending:
		return t.postpone(ctx, payment.Waiting)
	case result.Outcome == connector.OutcomeUnknown:
		return t.postpone(ctx, payment.Undefined)
	}
	return t.apply(ctx, t.Task, result)
}

// refuseAction deals with a charge that waits for its payer, who can't be given what the provider requires. The
// provider has the charge, so it is not declined: it is ended at the provider if that is possible, and looked up as
// unknown if it is not. A payer who was told before what to do goes on with that.
func (t execution) refuseAction(ctx context.Context, fault *connector.ActionError) error {
	goesOn := t.Payment.Action.HasInstructions()
	t.measureRefused(ctx, t.Payment, fault, !goesOn)
	_, canEnd := t.connector.(connector.Canceller)
	switch {
	case goesOn:
		return t.postpone(ctx, "")
	case !canEnd || t.Job().End || t.Job().Kind != payment.JobCharge:
		return t.postponeFor(ctx, payment.Undefined, fault.Error())
	}
	return t.reschedule(ctx, func(p *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
		*payment.Event) {
		job.ReleaseToEnd(fault.Error(), now)
		p.LookUps(job).SetUnknown(payment.Undefined, now)
		return 0, nil
	})
}

// measureRefused logs and counts a required action that no payer can be given, and an outcome that is unknown by it.
func (s *Service) measureRefused(ctx context.Context, p *payment.Payment, fault *connector.ActionError, unknown bool) {
	line := metric.Line{
		Message: "required action refused", Test: p.Test, Metrics: []metric.Metric{metric.Count("refused_actions")},
	}
	if unknown {
		line.Metrics = append(line.Metrics, metric.Count("unknown_outcomes"))
	}
	s.Measure(ctx, line, slog.String("connector", p.Connector), slog.String("payment", p.ID),
		slog.String("member", fault.Member), slog.String("fault", fault.Fault))
}

// tellOtherAmount has the payer told that the outcome of a charge is checked, and removes what they were told to pay
// with: money has moved, so that nobody may pay once more.
func (t execution) tellOtherAmount(ctx context.Context) error {
	kind := t.charge.Kind
	_, _, err := t.Change(ctx, t.Task, func(t checkout.Task, _ time.Time) (payment.Effects, error) {
		p, s := t.Payment, t.Session
		told := s == nil || s.OtherAmount || s.PaymentID != p.ID
		if kind != connector.RequestCharge || t.Job() == nil || told && !p.Action.HasInstructions() {
			return payment.Effects{}, nil
		}
		if p.Action.HasInstructions() {
			p.Action = &connector.RequiredAction{Kind: p.Action.Kind, Step: p.Action.Step, ExpiresAt: p.Action.ExpiresAt}
		}
		if !told {
			s.OtherAmount = true
		}
		return payment.Effects{Save: true, SaveSession: !told}, nil
	})
	return err
}

// notSent schedules that the request is sent again, at most maxSends times in all.
func (t execution) notSent(ctx context.Context, cause error) error {
	t.logNotReached(ctx, cause)
	if t.Job().Tries >= maxSends {
		return t.declineUnsent(ctx, reason.Unreachable)
	}
	return t.reschedule(ctx, func(_ *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
		*payment.Event) {
		delay := payment.DelayAfter(sendDelays, job.Tries)
		job.QueueAgain(now, delay)
		return delay, nil
	})
}

// logNotReached logs that nothing was sent to the provider of a task.
func (t execution) logNotReached(ctx context.Context, cause error) {
	t.Log.WarnContext(ctx, "provider not reached", "payment", t.Payment.ID,
		"connector", t.Payment.Requests().Connector(t.Reference), "error", t.errorText(cause))
}

// postpone schedules a look-up for a job whose outcome is not known, or leaves it to a person if that has lasted too
// long. The first time, the merchant gets a callback with the status, unless that is "" (protocol.md, Events).
func (t execution) postpone(ctx context.Context, status payment.TransactionStatus) error {
	return t.postponeFor(ctx, status, t.Job().Fault)
}

// postponeFor is postpone for a charge that can't go on because of a fault, "" if there is none.
func (t execution) postponeFor(ctx context.Context, status payment.TransactionStatus, fault string) error {
	var probed time.Time
	if status == payment.Undefined {
		probed = t.probedFrom(ctx)
	}
	return t.reschedule(ctx, func(p *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
		*payment.Event) {
		job.Release(fault)
		p.LookUps(job).SetUnknown(status, now)
		delay := p.LookUps(job).SetNext(now)
		if !probed.IsZero() && delay > sweepPeriod {
			delay = max(probed.Sub(now), 0)
			job.DueAt = now.Add(delay)
		}
		if status == "" || job.Notified || p.Action != nil {
			return delay, nil
		}
		job.Notified = true
		return delay, p.JobEvent(*job, status, &reason.Reason{Code: payment.InterimReasons[status]})
	})
}

// reschedule stores a change of a job that has no outcome yet. change sets when the job is due, and returns the delay
// of its next run. One that is due no later than that is left to the sweep, which sends it only once, however many
// messages it had. Nothing changes if another worker has sent the job since: this one's lease was over.
func (t execution) reschedule(
	ctx context.Context, change func(*payment.Payment, *payment.Job, time.Time) (time.Duration,
		*payment.Event),
) error {
	var delay time.Duration
	ran, person, swept := *t.Job(), false, false
	stored, err := t.changeAndNotify(ctx, t.Task, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		job := t.Job()
		if job == nil || job.Decision != nil || !job.SentAt.Equal(ran.SentAt) {
			return payment.Effects{}, nil // it has ended since, or a person has decided
		}
		e := payment.Effects{Save: true}
		job.Tries, job.Finding = ran.Tries, ran.Finding
		job.TakeLookUps(ran)
		if f := job.Finding; job.Trouble == "" && f != nil && f.Says == payment.Undefined {
			job.Trouble = f.Text
		}
		delay, e.Event = change(t.Payment, job, now)
		// No card is stored for a run that comes when the card can't be sent any more.
		job.Sealed = job.Sealed && now.Add(delay).Before(t.Payment.CreatedAt.Add(payment.SealedTTL))
		person, swept = job.Person, !job.DueAt.After(now.Add(delay))
		return e, nil
	})
	switch {
	case err != nil || !stored:
	case person:
		t.Log.WarnContext(ctx, "a person has to decide", "payment", t.Payment.ID, "merchant", t.Payment.Merchant,
			"connector", t.Payment.Requests().Connector(t.Reference), "reference", t.Reference)
	case delay <= callback.MaxDelay && !swept:
		t.moveApart(ctx, t.Payment.Message(t.Reference), delay)
	}
	return err
}

// sendDelays are the delays before a request that did not reach the provider is sent again, at most maxSends times.
var sendDelays = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute}
