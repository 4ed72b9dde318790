package checkout

import (
	"errors"
	"slices"
	"time"

	"checkout/internal/money"
	"checkout/internal/screen"
)

// acceptApproval makes a declined payment one that has succeeded, by the charge that was reported as approved.
// It is the only way from decline to settled or pending.
func acceptApproval(t task, job Job, amount money.Amount, now time.Time) (effects, error) {
	p, report := t.payment, t.payment.contradictionOf(&job)
	if job.Reference != p.ChargeReference {
		p.ProviderData = ProviderData{}
	}
	if report.Reported != nil {
		p.ProviderData.merge(*report.Reported)
	}
	p.MID, p.Connector = report.MID, report.Connector
	result := Result{Outcome: OutcomeApproved, Authorised: report.Authorised, Code: report.Code, Amount: amount}
	job.Kind = JobCharge
	e, err := approve(t, job, parsedResult{Result: result}, now)
	if err != nil {
		return effects{}, err
	}
	if t.session != nil {
		t.session.PaymentID, t.session.Method, t.session.UnappliedMoney = p.ID, p.Method, ""
		if p.Order.Amount.ByPayer() || !t.session.Amount.IsZero() {
			t.session.Amount = p.Amount
		}
	}
	t.updateHold()
	return e, nil
}

// mayAccept returns why the approval of a declined charge can't be accepted, "" if it can.
func (t task) mayAccept() string {
	sess := t.session
	switch p := t.payment; {
	case p.Status != StatusDecline:
		return "The payment is " + string(p.Status) + ": the money can only be given back, or the case closed."
	case sess != nil && sess.State == sessionComplete:
		return "Another payment of its session has succeeded."
	case sess != nil && sess.State == sessionProcessing:
		return "Another payment of its session is in progress."
	}
	return ""
}

// mayTakeBack returns why the success of a request that a person had approved can't be ended, "" if it can.
func (p *Payment) mayTakeBack(reference string) string {
	i := p.success(reference)
	kind := JobCharge
	if i >= 0 {
		kind = p.Transactions[i].Type.kind()
	}
	statuses := map[JobKind][]Status{
		JobVoid: {StatusVoid}, JobRefund: {StatusSettled, StatusRefund}, JobCapture: {StatusSettled},
		JobCharge: {StatusSettled, StatusPending},
	}
	switch {
	case i < 0 || !slices.Contains(statuses[kind], p.Status):
		return "The payment is " + string(p.Status) + "."
	case p.inProgress():
		return "Another request of the payment is in progress."
	}
	return ""
}

// acceptDecline ends the success of a request that a person had approved, because the provider has declined it.
// A session that an authorisation had completed is declined then.
func (t task) acceptDecline(job Job, d Decision, now time.Time) (effects, error) {
	p, sess := t.payment, t.session
	report := p.contradictionOf(&job)
	p.remove(job.Reference)
	result := Result{Outcome: OutcomeDeclined, ReasonCode: screen.ReasonPerson, Reason: d.text(), Code: report.Code}
	e, err := p.takeBack(p.success(job.Reference), result, now)
	if e.save = true; p.Status == StatusDecline && sess != nil && sess.PaymentID == p.ID {
		sess.State, sess.Paid, e.saveSession = sessionDeclined, nil, true
	}
	return e, err
}

// acceptReport makes a contradiction's report count. What can't be accepted any more is left to the person again.
func (s *Service) acceptReport(t task, job Job, paidElsewhere string, now time.Time) (effects, error) {
	p, decision := t.payment, *job.Decision
	if p.contradictionOf(&job).Status == Fail {
		if refused := p.mayTakeBack(job.Reference); refused != "" {
			return leaveUndone(t, refused, now), nil
		}
		return t.acceptDecline(job, decision, now)
	}
	if refused := t.mayAccept(); refused != "" || paidElsewhere != "" {
		return leaveUndone(t, refused+paidElsewhere, now), nil
	}
	amount := job.Amount
	if !decision.Amount.IsZero() {
		amount = decision.Amount
	}
	e, err := acceptApproval(t, job, amount, now)
	if err != nil {
		return effects{}, errors.Join(errors.New("accept a charge"), err)
	}
	reason := &screen.Reason{Code: screen.ReasonPerson, Words: decision.text()}
	e.event.Reason = reason
	p.endedBy(job.Reference, decision, reason)
	return e, nil
}
