package payment

import (
	"time"

	"checkout/internal/request"
)

// Approve ends a charge as settled, or as authorised where the capture follows.
func (p *Payment) Approve(job Job, result ParsedResult, now time.Time) (Effects, error) {
	p.Auth = p.Auth || result.Authorised
	if err := p.Amounts().CheckApproved(result.Result); err != nil {
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
		if err := p.Move(status, now); err != nil {
			return Effects{}, err
		}
	}
	p.Action, p.ChargeReference = nil, job.Reference
	p.StoredReason = StoredReason{}
	reason := result.Receipt.overpaidReason()
	p.Received = result.receivedAfter(p.Received)
	p.finish(job, Ended(Success, now, result.Result, reason))
	p.Unapplied().Add(result.Receipt.excess(), now)
	event := &Event{Type: p.EventType(JobCharge), Status: Success, Reason: reason}
	e := Effects{Save: true, Measure: true, Event: event}
	p.saveCard(&e)
	return e, nil
}

// Decline ends an attempt.
func (p *Payment) Decline(job Job, result ParsedResult, now time.Time) (Effects, error) {
	if err := p.Move(StatusDecline, now); err != nil {
		return Effects{}, err
	}
	p.Action, p.CardToSave, p.ChargeReference = nil, nil, job.Reference
	reason, unapplied := result.Receipt.declineReason()
	if result.Reason != "" || reason == nil {
		reason = ReasonOf(result.Result)
	}
	p.StoredReason = stored(reason)
	p.Received = result.receivedAfter(p.Received)
	p.finish(job, Ended(Fail, now, result.Result, reason))
	p.Unapplied().declined(now)
	event := &Event{Type: p.EventType(JobCharge), Status: Fail, Reason: reason}
	return Effects{Save: true, Measure: true, Event: event, Unapplied: unapplied}, nil
}
