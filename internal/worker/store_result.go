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
func (x execution) storeResult(ctx context.Context, result connector.Result, err error) error {
	if err == nil && x.charge.Kind == connector.RequestCharge {
		err = x.task.Payment.Amounts().CheckApproved(result)
	}
	x.task.Finding = x.report().findingOf(result, err, x.core.Now())
	if job := x.task.Job(); job != nil {
		job.Finding = x.task.Finding
	}
	var action *connector.ActionError
	var early notFoundYet
	switch {
	case errors.Is(err, connector.ErrNotSent):
		return x.notSent(ctx, err)
	case errors.As(err, &action):
		return x.refuseAction(ctx, action)
	case errors.As(err, &early):
		return x.postpone(ctx, payment.Undefined)
	case err != nil:
		line := metric.Line{
			Message: "outcome unknown", Test: x.task.Payment.Test, Metrics: []metric.Metric{metric.Count("unknown_outcomes")},
		}
		x.core.Measure(ctx, line, slog.String("connector", x.task.Payment.Requests().Connector(x.task.Reference)),
			slog.String("payment", x.task.Payment.ID), slog.String("error", x.report().errorText(err)))
		if errors.Is(err, connector.ErrOtherAmount) {
			if err := x.tellOtherAmount(ctx); err != nil {
				return err
			}
		}
		return x.postpone(ctx, payment.Undefined)
	// the payer still has to act
	case result.Outcome == connector.OutcomeActionRequired && x.task.Payment.Status != payment.StatusPrepare:
		if err := x.runner.results.apply(ctx, x.task, result); err != nil { // a part of the money may have arrived
			return err
		}
		return x.postpone(ctx, "")
	case result.Outcome == connector.OutcomePending:
		return x.postpone(ctx, payment.Waiting)
	case result.Outcome == connector.OutcomeUnknown:
		return x.postpone(ctx, payment.Undefined)
	}
	return x.runner.results.apply(ctx, x.task, result)
}

// refuseAction deals with a charge that waits for its payer, who can't be given what the provider requires. The
// provider has the charge, so it is not declined: it is ended at the provider if that is possible, and looked up as
// unknown if it is not. A payer who was told before what to do goes on with that.
func (x execution) refuseAction(ctx context.Context, fault *connector.ActionError) error {
	goesOn := x.task.Payment.Action.HasInstructions()
	x.runner.results.measureRefused(ctx, x.task.Payment, fault, !goesOn)
	_, canEnd := x.connector.(connector.Canceller)
	switch {
	case goesOn:
		return x.postpone(ctx, "")
	case !canEnd || x.task.Job().End || x.task.Job().Kind != payment.JobCharge:
		return x.postponeFor(ctx, payment.Undefined, fault.Error())
	}
	return x.reschedule(ctx, func(p *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
		*payment.Event) {
		job.ReleaseToEnd(fault.Error(), now)
		p.LookUps(job).SetUnknown(payment.Undefined, now)
		return 0, nil
	})
}

// measureRefused logs and counts a required action that no payer can be given, and an outcome that is unknown by it.
func (s *results) measureRefused(ctx context.Context, p *payment.Payment, fault *connector.ActionError, unknown bool) {
	line := metric.Line{
		Message: "required action refused", Test: p.Test, Metrics: []metric.Metric{metric.Count("refused_actions")},
	}
	if unknown {
		line.Metrics = append(line.Metrics, metric.Count("unknown_outcomes"))
	}
	s.core.Measure(ctx, line, slog.String("connector", p.Connector), slog.String("payment", p.ID),
		slog.String("member", fault.Member), slog.String("fault", fault.Fault))
}

// tellOtherAmount has the payer told that the outcome of a charge is checked, and removes what they were told to pay
// with: money has moved, so that nobody may pay once more.
func (x execution) tellOtherAmount(ctx context.Context) error {
	kind := x.charge.Kind
	_, _, err := x.core.Change(ctx, x.task, func(t checkout.Task, _ time.Time) (payment.Effects, error) {
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
func (x execution) notSent(ctx context.Context, cause error) error {
	x.logNotReached(ctx, cause)
	if x.task.Job().Tries >= maxSends {
		return x.declineUnsent(ctx, reason.Unreachable)
	}
	return x.reschedule(ctx, func(_ *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
		*payment.Event) {
		delay := payment.DelayAfter(sendDelays, job.Tries)
		job.QueueAgain(now, delay)
		return delay, nil
	})
}

// logNotReached logs that nothing was sent to the provider of a task.
func (x execution) logNotReached(ctx context.Context, cause error) {
	x.core.Log.WarnContext(ctx, "provider not reached", "payment", x.task.Payment.ID,
		"connector", x.task.Payment.Requests().Connector(x.task.Reference), "error", x.report().errorText(cause))
}

// postpone schedules a look-up for a job whose outcome is not known, or leaves it to a person if that has lasted too
// long. The first time, the merchant gets a callback with the status, unless that is "" (protocol.md, Events).
func (x execution) postpone(ctx context.Context, status payment.TransactionStatus) error {
	return x.postponeFor(ctx, status, x.task.Job().Fault)
}

// postponeFor is postpone for a charge that can't go on because of a fault, "" if there is none.
func (x execution) postponeFor(ctx context.Context, status payment.TransactionStatus, fault string) error {
	var probed time.Time
	if status == payment.Undefined {
		probed = x.probedFrom(ctx)
	}
	return x.reschedule(ctx, func(p *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
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
func (x execution) reschedule(
	ctx context.Context, change func(*payment.Payment, *payment.Job, time.Time) (time.Duration,
		*payment.Event),
) error {
	var delay time.Duration
	ran, person, swept := *x.task.Job(), false, false
	stored, err := x.runner.results.changeAndNotify(ctx, x.task, func(t checkout.Task, now time.Time) (
		payment.Effects, error) {
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
		x.core.Log.WarnContext(ctx, "a person has to decide", "payment", x.task.Payment.ID,
			"merchant", x.task.Payment.Merchant,
			"connector", x.task.Payment.Requests().Connector(x.task.Reference), "reference", x.task.Reference)
	case delay <= callback.MaxDelay && !swept:
		x.runner.moveApart(ctx, x.task.Payment.Message(x.task.Reference), delay)
	}
	return err
}

// sendDelays are the delays before a request that did not reach the provider is sent again, at most maxSends times.
var sendDelays = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute}
