package payment

import (
	"time"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// SucceedJob ends a capture, void or refund that succeeded. A refund of more than is left can't count.
func (p *Payment) SucceedJob(job Job, result connector.Result, now time.Time) (Effects, error) {
	if why := p.Amounts().MayCountRefund(&job); why != "" {
		return p.refundTooMuch(job, result, now), nil
	}
	p.finish(job, Ended(Success, now, result, nil))
	e := Effects{Save: true, Measure: true, Event: p.JobEvent(job, Success, nil)}
	to := StatusSettled
	switch job.Kind {
	case JobCapture:
		p.Captured = job.Amount
	case JobVoid:
		to, p.CardToSave = StatusVoid, nil
		e.StopChain = !p.Recurring
	case JobRefund:
		left, err := p.Amounts().Refundable()
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
	if err := p.Move(to, now); err != nil {
		return Effects{}, err
	}
	if job.Kind == JobCapture {
		p.saveCard(&e)
	}
	return e, nil
}

// refundTooMuch ends a refund that succeeded by the provider, of more than is left. The money that it names can't all
// have been refunded, so it counts as failed, and a person sees that its provider says otherwise.
func (p *Payment) refundTooMuch(job Job, result connector.Result, now time.Time) Effects {
	failed := connector.Result{
		Outcome: connector.OutcomeDeclined, Code: result.Code, ReasonCode: reason.Elsewhere,
		Reason: p.Amounts().MayCountRefund(&job),
	}
	e := p.DeclineJob(job, failed, now)
	p.Contradictions().Add(job.Reference, result, now)
	p.Jobs.Find(job.Reference).Finding = &Finding{At: now, Says: Success, Text: "approved. " + failed.Reason}
	return e
}

// DeclineJob ends a capture, void or refund that was declined.
func (p *Payment) DeclineJob(job Job, result connector.Result, now time.Time) Effects {
	reason := ReasonOf(result)
	p.finish(job, Ended(Fail, now, result, reason))
	return Effects{Save: true, Measure: true, Event: p.JobEvent(job, Fail, reason)}
}
