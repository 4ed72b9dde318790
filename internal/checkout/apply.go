package checkout

import (
	"time"

	"checkout/internal/connector"
	"checkout/internal/request"
)

// Decide changes payment and session by the result of a job. There are no effects if the result says nothing new.
func Decide(t Task, job Job, result ParsedResult, now time.Time) (Effects, error) {
	if job.Kind == JobCharge {
		t.Payment.ProviderData.Merge(result.ProviderData)
	}
	switch charge := job.Kind == JobCharge; {
	case result.Outcome == connector.OutcomeApproved && charge:
		return approve(t, job, result, now)
	case result.Outcome == connector.OutcomeDeclined && charge:
		return Decline(t, job, result, now)
	case job.Kind == JobGiveBack && (result.Outcome == connector.OutcomeApproved ||
		result.Outcome == connector.OutcomeDeclined):
		return endGiveBack(t, job, result.Result, now), nil
	case result.Outcome == connector.OutcomeApproved:
		return t.Payment.succeedJob(job, result.Result, now)
	case result.Outcome == connector.OutcomeDeclined:
		return t.Payment.declineJob(job, result.Result, now), nil
	case result.Outcome != connector.OutcomeActionRequired || !charge:
		return Effects{}, nil
	case t.Payment.Status == StatusPrepare:
		return requireAction(t, result.RequiredAction, now)
	case result.Receipt.Underpaid() && !result.Receipt.Added.IsZero():
		return partlyPaid(t, result), nil
	case !job.Continue && t.Payment.hasFilledForm() && result.RequiredAction.HasForm():
		return requireFormAgain(t.Payment, result.RequiredAction), nil
	}
	return Effects{}, nil
}

// approve ends a charge as settled, or as authorised where the capture follows.
func approve(t Task, job Job, result ParsedResult, now time.Time) (Effects, error) {
	p := t.Payment
	p.Auth = p.Auth || result.Authorised
	if err := p.LacksAmount(result.Result); err != nil {
		return Effects{}, err
	}
	if p.Amount.IsZero() { // the payer entered it at the provider
		p.Amount, p.Order.Amount = result.Amount, request.Entered(result.Amount)
	}
	status := StatusSettled
	if p.Auth {
		status = StatusPending
	} else {
		p.Captured = p.Amount
	}
	if p.Status != status { // it is pending already if the payer was shown what to pay with
		if err := p.move(status, now); err != nil {
			return Effects{}, err
		}
	}
	p.Action, p.ChargeReference = nil, job.Reference
	p.StoredReason = StoredReason{}
	reason := result.Receipt.overpaidReason()
	p.setReceived(result)
	p.finish(job, Ended(Success, now, result.Result, reason))
	event := &Event{Type: p.EventType(JobCharge), Status: Success, Reason: reason}
	e := Effects{Save: true, measure: true, Event: event}
	p.saveCard(&e)
	return e, nil
}

// Decline ends an attempt.
func Decline(t Task, job Job, result ParsedResult, now time.Time) (Effects, error) {
	p := t.Payment
	if err := p.move(StatusDecline, now); err != nil {
		return Effects{}, err
	}
	p.Action, p.CardToSave, p.ChargeReference = nil, nil, job.Reference
	reason, unapplied := result.Receipt.declineReason()
	if result.Reason != "" || reason == nil {
		reason = ReasonOf(result.Result)
	}
	p.StoredReason = stored(reason)
	p.setReceived(result)
	p.finish(job, Ended(Fail, now, result.Result, reason))
	event := &Event{Type: p.EventType(JobCharge), Status: Fail, Reason: reason}
	return Effects{Save: true, measure: true, Event: event, unapplied: unapplied}, nil
}

// requireAction stores that the payer has to act first. The card is not needed any more. The job stays, so that the
// outcome is looked up if no notice reports it.
func requireAction(t Task, next *connector.RequiredAction, now time.Time) (Effects, error) {
	p, job := t.Payment, t.Job()
	if err := p.move(Status(next.Kind), now); err != nil {
		return Effects{}, err
	}
	if next.HasForm() {
		next.Step = 1
	}
	p.Action = next
	delay := time.Duration(0)
	event := Event{Type: EventType(next.Kind), Status: Success}
	if next.Kind == connector.ActionPending {
		event.Type, p.Shown = EventInit, next.Show
	} else if t.Session != nil { // the payer is on another page: the look-up follows when their time is over
		delay = next.LimitDelay(now, t.Session.ExpiresAt.Sub(now))
	}
	job.awaitPayer(now, delay)
	return Effects{Save: true, measure: true, Event: &event}, nil
}

// succeedJob ends a capture, void or refund that succeeded.
func (p *Payment) succeedJob(job Job, result connector.Result, now time.Time) (Effects, error) {
	p.finish(job, Ended(Success, now, result, nil))
	e := Effects{Save: true, measure: true, Event: p.JobEvent(job, Success, nil)}
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
			return Effects{}, err
		}
		if left.IsZero() && !p.Jobs.Has(JobRefund) {
			to = StatusRefund
		}
	}
	if p.Disputed() {
		return e, nil // since the request was sent; the status stays
	}
	if err := p.move(to, now); err != nil {
		return Effects{}, err
	}
	if job.Kind == JobCapture {
		p.saveCard(&e)
	}
	return e, nil
}

// declineJob ends a capture, void or refund that was declined.
func (p *Payment) declineJob(job Job, result connector.Result, now time.Time) Effects {
	reason := ReasonOf(result)
	p.finish(job, Ended(Fail, now, result, reason))
	return Effects{Save: true, measure: true, Event: p.JobEvent(job, Fail, reason)}
}

// requireFormAgain shows the payer another second form, or the same form again.
func requireFormAgain(p *Payment, next *connector.RequiredAction) Effects {
	again := *next
	again.Step = p.Action.Step + 1
	p.Action = &again
	return Effects{Save: true}
}
