package payment

import (
	"time"

	"checkout/internal/connector"
)

// SucceedJob ends a capture, void or refund that succeeded.
func (p *Payment) SucceedJob(job Job, result connector.Result, now time.Time) (Effects, error) {
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
	if err := p.Move(to, now); err != nil {
		return Effects{}, err
	}
	if job.Kind == JobCapture {
		p.saveCard(&e)
	}
	return e, nil
}

// DeclineJob ends a capture, void or refund that was declined.
func (p *Payment) DeclineJob(job Job, result connector.Result, now time.Time) Effects {
	reason := ReasonOf(result)
	p.finish(job, Ended(Fail, now, result, reason))
	return Effects{Save: true, Measure: true, Event: p.JobEvent(job, Fail, reason)}
}
