package checkout

import (
	"context"
	"log/slog"
	"time"

	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// apply stores a provider's result of a task: payment, session and callback in one write, through the table of moves.
// Whether the result came as a response, from a look-up or in a notice: the first approval or decline counts, and later
// ones change nothing.
func (s *Service) apply(ctx context.Context, t task, result Result) error {
	_, err := s.changeAndNotify(ctx, t, func(t task, now time.Time) (effects, error) {
		p := t.payment
		switch {
		case result.disputes() && p.isFollowUp(t.reference): // such as a refund that the payee's bank has sent back
			result.Outcome = OutcomeDeclined
		case result.followsSuccess() && p.wasDeclined(t.reference) && p.success(t.reference) < 0:
			// The charge was approved, else nothing could follow: a person decides.
			result = Result{Outcome: OutcomeApproved}
		case result.elsewhere():
			return p.elsewhere(result, now)
		case result.disputes():
			return p.dispute(result, now)
		}
		result.RequiredAction = s.endable(p, result.RequiredAction)
		job, parsed := t.job(), s.parseResult(ctx, p, result)
		if job == nil || !job.Kind.Sends() {
			return s.lateEffects(ctx, t, parsed, now)
		}
		t.storeFinding()
		return decide(t, *job, parsed, now)
	})
	return err
}

// declineUnsent declines a job of which nothing was sent, unless another worker has sent it since.
func (s *Service) declineUnsent(ctx context.Context, t task, reason screen.ReasonCode) error {
	sentAt := t.job().SentAt
	_, err := s.changeAndNotify(ctx, t, func(t task, now time.Time) (effects, error) {
		job := t.job()
		if job == nil || !job.SentAt.Equal(sentAt) {
			return effects{}, nil
		}
		return decide(t, *job, parsedResult{Result: declineFor(reason)}, now)
	})
	return err
}

// lateEffects returns what a result leads to whose job is decided already. The decision stays, unless the provider
// reports that it failed after its success (failLater). Money that arrived after the decline is reported to the
// merchant. An approval of a charge that was declined is left to a person, also where another MID was charged instead,
// and so is a decline of what a person has approved. Both are measured until a person has decided.
func (s *Service) lateEffects(ctx context.Context, t task, result parsedResult, now time.Time) (effects, error) {
	p, arrived, charged := t.payment, !result.receipt.added.IsZero(), t.reference == t.payment.ChargeReference
	late, e, err := arrived && charged && p.Status == StatusDecline, effects{}, error(nil)
	switch {
	case late, result.Outcome == OutcomeApproved && p.wasDeclined(t.reference):
		if result.Outcome == OutcomeApproved && !p.isFollowUp(t.reference) {
			e = contradict(t, result.Result, now)
		}
		if late || !p.isDecidedBy(t.reference, Success) {
			s.measureLate(ctx, t, metric.Line{
				Message: "approved by the provider after it was declined", Test: p.Test,
				Metrics: []metric.Metric{metric.Count("approved_after_declined")},
			})
		}
		if late {
			held := e.saveSession
			e = paidLate(t, result, now)
			e.saveSession = e.saveSession || held
		}
	case result.Outcome == OutcomeDeclined && p.contradicted(t.reference):
		if t.reported || p.Transactions[p.success(t.reference)].Decision != nil {
			e, err = failLater(t, result.Result, now)
		}
		if !p.isDecidedBy(t.reference, Fail) {
			s.measureLate(ctx, t, metric.Line{
				Message: "declined by the provider after it was approved", Test: p.Test,
				Metrics: []metric.Metric{metric.Count("declined_after_approved")},
			})
		}
	case arrived && charged:
		s.Log.ErrorContext(ctx, "more arrived after the payment was settled", "payment", p.ID, "connector", p.Connector)
	}
	return e, err
}

// measureLate measures a result that contradicts how a request has ended.
func (s *Service) measureLate(ctx context.Context, t task, line metric.Line) {
	s.measure(ctx, line, slog.String("payment", t.payment.ID), slog.String("merchant", t.payment.Merchant),
		slog.String("connector", t.payment.connectorOf(t.reference)), slog.String("reference", t.reference))
}

// decide changes payment and session by the result of a job. There are no effects if the result says nothing new.
func decide(t task, job Job, result parsedResult, now time.Time) (effects, error) {
	if job.Kind == JobCharge {
		t.payment.ProviderData.merge(result.ProviderData)
	}
	switch charge := job.Kind == JobCharge; {
	case result.Outcome == OutcomeApproved && charge:
		return approve(t, job, result, now)
	case result.Outcome == OutcomeDeclined && charge:
		return decline(t, job, result, now)
	case job.Kind == JobGiveBack && (result.Outcome == OutcomeApproved || result.Outcome == OutcomeDeclined):
		return endGiveBack(t, job, result.Result, now), nil
	case result.Outcome == OutcomeApproved:
		return t.payment.succeedJob(job, result.Result, now)
	case result.Outcome == OutcomeDeclined:
		return t.payment.declineJob(job, result.Result, now), nil
	case result.Outcome != OutcomeActionRequired || !charge:
		return effects{}, nil
	case t.payment.Status == StatusPrepare:
		return requireAction(t, result.RequiredAction, now)
	case result.receipt.underpaid() && !result.receipt.added.IsZero():
		return partlyPaid(t, result), nil
	case !job.Continue && t.payment.hasFilledForm() && result.RequiredAction.hasForm():
		return requireFormAgain(t, result.RequiredAction, now), nil
	}
	return effects{}, nil
}

// approve ends a charge as settled, or as authorised where the capture follows.
func approve(t task, job Job, result parsedResult, now time.Time) (effects, error) {
	p := t.payment
	p.Auth = p.Auth || result.Authorised
	if err := p.lacksAmount(result.Result); err != nil {
		return effects{}, err
	}
	if p.Amount.IsZero() { // the payer entered it at the provider
		p.Amount, p.Order.Amount = result.Amount, request.Entered(result.Amount)
		if t.session != nil {
			t.session.Amount = p.Amount
		}
	}
	status := StatusSettled
	if p.Auth {
		status = StatusPending
	} else {
		p.Captured = p.Amount
	}
	if p.Status != status { // it is pending already if the payer was shown what to pay with
		if err := p.move(status, now); err != nil {
			return effects{}, err
		}
	}
	p.Action, p.ChargeReference = nil, job.Reference
	p.setReason(nil)
	reason := result.receipt.overpaidReason()
	p.setReceived(result)
	p.finish(job, ended(Success, now, result.Result, reason))
	if t.session != nil {
		t.session.State, t.session.Action, t.session.Received, t.session.Reason = sessionComplete, nil, nil, reason
		t.session.Ending = ""
		t.session.Paid = screen.PaymentOf(now, p.Method, p.Card.ShownMask())
	}
	event := &Event{Type: p.EventType(JobCharge), Status: Success, Reason: reason}
	e := effects{save: true, measure: true, saveSession: true, event: event}
	p.saveCard(&e)
	return e, nil
}

// decline ends an attempt. The session is open for another attempt until the mapping's 'Maximum number of declines' is
// reached (decisions.md 5), or money arrived too late.
func decline(t task, job Job, result parsedResult, now time.Time) (effects, error) {
	p, sess := t.payment, t.session
	if err := p.move(StatusDecline, now); err != nil {
		return effects{}, err
	}
	p.Action, p.CardToSave, p.ChargeReference = nil, nil, job.Reference
	reason, unapplied := result.receipt.declineReason()
	if result.Reason != "" || reason == nil {
		reason = reasonOf(result.Result)
	}
	p.setReason(reason)
	p.setReceived(result)
	p.finish(job, ended(Fail, now, result.Result, reason))
	if sess != nil {
		sess.Declines++
		sess.Action, sess.Received = nil, nil
		if sess.UnappliedMoney != screen.TextPaidTooLate {
			sess.UnappliedMoney, sess.Reason = unapplied, reason
		}
		sess.State = sessionOpen
		if sess.Declines >= sess.MaxDeclines || sess.UnappliedMoney == screen.TextPaidTooLate {
			sess.State = sessionDeclined
		}
		sess.ended(unapplied)
	}
	event := &Event{Type: p.EventType(JobCharge), Status: Fail, Reason: reason}
	return effects{save: true, measure: true, saveSession: true, event: event}, nil
}

// requireAction stores that the payer has to act first. The card is not needed any more. The job stays, so that the
// outcome is looked up if no notice reports it.
func requireAction(t task, next *RequiredAction, now time.Time) (effects, error) {
	p, job := t.payment, t.job()
	if err := p.move(next.Kind, now); err != nil {
		return effects{}, err
	}
	if next.hasForm() {
		next.Step = 1
	}
	p.Action = next
	job.Sealed, job.Released, job.Tries, job.UnknownSince = false, true, 0, time.Time{}
	job.End, job.Fault = false, "" // of an action before that could not be shown
	job.DueAt = now.Add(jobGrace)
	event := Event{Type: EventType(next.Kind), Status: Success}
	if next.Kind == StatusPending {
		event.Type, p.Shown = EventInit, next.Show
	} else if t.session != nil { // the payer is on another page: the look-up follows when their time is over
		job.DueAt = now.Add(next.limitDelay(now, t.session.ExpiresAt.Sub(now)) + jobGrace)
	}
	if t.session != nil {
		t.session.act(next, now)
	}
	return effects{save: true, measure: true, saveSession: true, event: &event}, nil
}

// succeedJob ends a capture, void or refund that succeeded.
func (p *Payment) succeedJob(job Job, result Result, now time.Time) (effects, error) {
	p.finish(job, ended(Success, now, result, nil))
	e := effects{save: true, measure: true, event: p.jobEvent(job, Success, nil)}
	to := StatusSettled
	switch job.Kind {
	case JobCapture:
		p.Captured = job.Amount
	case JobVoid:
		to, p.CardToSave = StatusVoid, nil
		e.stopChain = !p.Recurring
	case JobRefund:
		left, err := p.Refundable()
		if err != nil {
			return effects{}, err
		}
		if left.IsZero() && !p.hasJob(JobRefund) {
			to = StatusRefund
		}
	}
	if p.disputed() {
		return e, nil // since the request was sent; the status stays
	}
	if err := p.move(to, now); err != nil {
		return effects{}, err
	}
	if job.Kind == JobCapture {
		p.saveCard(&e)
	}
	return e, nil
}

// declineJob ends a capture, void or refund that was declined.
func (p *Payment) declineJob(job Job, result Result, now time.Time) effects {
	reason := reasonOf(result)
	p.finish(job, ended(Fail, now, result, reason))
	return effects{save: true, measure: true, event: p.jobEvent(job, Fail, reason)}
}

// requireFormAgain shows the payer another second form, or the same form again.
func requireFormAgain(t task, next *RequiredAction, now time.Time) effects {
	again := *next
	again.Step = t.payment.Action.Step + 1
	t.payment.Action = &again
	if t.session != nil {
		t.session.act(&again, now)
	}
	return effects{save: true, saveSession: true}
}
