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
	"checkout/internal/worker/outcome"
)

// maxSends is how often a request is sent to a provider that can't be reached.
const maxSends = 5

// recorder stores what became of a task's request.
type recorder struct {
	core      *checkout.Core
	results   *results
	jobs      checkout.Jobs
	task      checkout.Task
	connector connector.Connector // nil if the settings have it no more
	charge    connector.Charge
}

func (r recorder) report() report { return report{r.core, r.task, r.charge} }

// storeResult stores the outcome of a request that was sent.
func (r recorder) storeResult(ctx context.Context, result connector.Result, err error) error {
	if err == nil && r.charge.Kind == connector.RequestCharge {
		err = r.task.Payment.Amounts().CheckApproved(result)
	}
	r.task.Finding = r.report().findingOf(result, err, r.core.Now())
	if job := r.task.Job(); job != nil {
		job.Finding = r.task.Finding
	}
	var action *connector.ActionError
	var early notFoundYet
	switch {
	case errors.Is(err, connector.ErrNotSent):
		return r.notSent(ctx, err)
	case errors.As(err, &action):
		return r.refuseAction(ctx, action)
	case errors.As(err, &early):
		return r.postpone(ctx, payment.Undefined)
	case err != nil:
		line := metric.Line{
			Message: "outcome unknown", Test: r.task.Payment.Test, Metrics: []metric.Metric{metric.Count("unknown_outcomes")},
		}
		r.core.Measure(ctx, line, slog.String("connector", r.task.Payment.Requests().Connector(r.task.Reference)),
			slog.String("payment", r.task.Payment.ID), slog.String("error", r.report().errorText(err)))
		if errors.Is(err, connector.ErrOtherAmount) {
			if err := r.tellOtherAmount(ctx); err != nil {
				return err
			}
		}
		return r.postpone(ctx, payment.Undefined)
	// the payer still has to act
	case result.Outcome == connector.OutcomeActionRequired && r.task.Payment.Status != payment.StatusPrepare:
		if err := r.results.apply(ctx, r.task, result); err != nil { // a part of the money may have arrived
			return err
		}
		return r.postpone(ctx, "")
	case result.Outcome == connector.OutcomePending:
		return r.postpone(ctx, payment.Waiting)
	case result.Outcome == connector.OutcomeUnknown:
		return r.postpone(ctx, payment.Undefined)
	}
	return r.results.apply(ctx, r.task, result)
}

// refuseAction deals with a charge that waits for its payer, who can't be given what the provider requires. The
// provider has the charge, so it is not declined: it is ended at the provider if that is possible, and looked up as
// unknown if it is not. A payer who was told before what to do goes on with that.
func (r recorder) refuseAction(ctx context.Context, fault *connector.ActionError) error {
	goesOn := r.task.Payment.Action.HasInstructions()
	r.results.measureRefused(ctx, r.task.Payment, fault, !goesOn)
	_, canEnd := r.connector.(connector.Canceller)
	switch {
	case goesOn:
		return r.postpone(ctx, "")
	case !canEnd || r.task.Job().End || r.task.Job().Kind != payment.JobCharge:
		return r.postponeFor(ctx, payment.Undefined, fault.Error())
	}
	return r.reschedule(ctx, func(p *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
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
func (r recorder) tellOtherAmount(ctx context.Context) error {
	kind := r.charge.Kind
	_, _, err := r.core.Change(ctx, r.task, func(t checkout.Task, _ time.Time) (payment.Effects, error) {
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
func (r recorder) notSent(ctx context.Context, cause error) error {
	r.logNotReached(ctx, cause)
	if r.task.Job().Tries >= maxSends {
		return r.declineUnsent(ctx, reason.Unreachable)
	}
	return r.reschedule(ctx, func(_ *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
		*payment.Event) {
		delay := payment.DelayAfter(sendDelays, job.Tries)
		job.QueueAgain(now, delay)
		return delay, nil
	})
}

// declineUnsent declines a job of which nothing was sent, unless another worker has sent it since.
func (r recorder) declineUnsent(ctx context.Context, reason reason.Code) error {
	sentAt := r.task.Job().SentAt
	_, err := r.results.changeAndNotify(ctx, r.task, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		job := t.Job()
		if job == nil || !job.SentAt.Equal(sentAt) {
			return payment.Effects{}, nil
		}
		return outcome.Decide(t, *job, payment.ParsedResult{Result: payment.DeclineFor(reason)}, now)
	})
	return err
}

// logNotReached logs that nothing was sent to the provider of a task.
func (r recorder) logNotReached(ctx context.Context, cause error) {
	r.core.Log.WarnContext(ctx, "provider not reached", "payment", r.task.Payment.ID,
		"connector", r.task.Payment.Requests().Connector(r.task.Reference), "error", r.report().errorText(cause))
}

// postpone schedules a look-up for a job whose outcome is not known, or leaves it to a person if that has lasted too
// long. The first time, the merchant gets a callback with the status, unless that is "" (protocol.md, Events).
func (r recorder) postpone(ctx context.Context, status payment.TransactionStatus) error {
	return r.postponeFor(ctx, status, r.task.Job().Fault)
}

// postponeFor is postpone for a charge that can't go on because of a fault, "" if there is none.
func (r recorder) postponeFor(ctx context.Context, status payment.TransactionStatus, fault string) error {
	var probed time.Time
	if status == payment.Undefined {
		probed = breaker{r.core, r.task}.probedFrom(ctx)
	}
	return r.reschedule(ctx, func(p *payment.Payment, job *payment.Job, now time.Time) (time.Duration,
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
func (r recorder) reschedule(
	ctx context.Context, change func(*payment.Payment, *payment.Job, time.Time) (time.Duration,
		*payment.Event),
) error {
	var delay time.Duration
	ran, person, swept := *r.task.Job(), false, false
	stored, err := r.results.changeAndNotify(ctx, r.task, func(t checkout.Task, now time.Time) (
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
		r.core.Log.WarnContext(ctx, "a person has to decide", "payment", r.task.Payment.ID,
			"merchant", r.task.Payment.Merchant,
			"connector", r.task.Payment.Requests().Connector(r.task.Reference), "reference", r.task.Reference)
	case delay <= callback.MaxDelay && !swept:
		moveApart(ctx, r.jobs, r.task.Payment.Message(r.task.Reference), delay)
	}
	return err
}

// sendDelays are the delays before a request that did not reach the provider is sent again, at most maxSends times.
var sendDelays = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute}

// lookedUp stores what a look-up that was asked for has found of a request that has no outcome, or that has ended
// before. errFound is its error. A request that the provider never received is left to its next run, which is made at
// once, unless a person decides what becomes of it.
func (r recorder) lookedUp(ctx context.Context, result connector.Result, errFound error) error {
	ran, again := *r.task.Job(), false
	lost := errFound == nil && result.Outcome == connector.OutcomeUnknown
	_, err := r.results.changeAndNotify(ctx, r.task, func(t checkout.Task, now time.Time) (e payment.Effects, err error) {
		job := t.Job()
		if job == nil {
			return payment.Effects{}, nil
		}
		storeFinding(t)
		report := t.Payment.Requests().Contradiction(job)
		if job.Kind == payment.JobLookUp {
			t.Payment.Jobs.Remove(t.Reference)
		}
		if report == nil || report.Status != t.Finding.Says {
			parsed := r.results.parseResult(ctx, t.Payment, result)
			if connector.ApprovesOther(errFound) {
				parsed.Outcome, parsed.Other = connector.OutcomeApproved, t.Finding
			}
			e, err = r.results.lateEffects(ctx, t, parsed, now)
		}
		if job = t.Job(); job != nil && err == nil {
			job.TakeLookUps(ran)
			if job.Asked && job.Decision == nil {
				t.Payment.LookUps(job).SetNext(now)
			}
			job.Asked, job.Finding = false, t.Finding
			again = lost && !job.Person && job.Decision == nil
		}
		e.Save = true
		return e, err
	})
	if err == nil && again {
		r.jobs.Send(ctx, r.task.Payment.Message(r.task.Reference), 0)
	}
	return err
}
