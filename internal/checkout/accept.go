package checkout

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
)

// AcceptApproval makes a declined payment one that has succeeded, by the charge that was reported as approved, with the
// amount of its job. It is the only way from decline to settled or pending.
func AcceptApproval(t Task, job payment.Job, now time.Time) (payment.Effects, error) {
	p, report := t.Payment, t.Payment.Requests().Contradiction(&job)
	if job.Reference != p.ChargeReference {
		p.ProviderData = connector.ProviderData{}
	}
	if report.Reported != nil {
		p.ProviderData.Merge(*report.Reported)
	}
	p.MID, p.Connector = report.MID, report.Connector
	result := connector.Result{Outcome: connector.OutcomeApproved, Authorised: report.Authorised, Code: report.Code,
		Amount: job.Amount}
	if !p.Amount.IsZero() { // else the payer has entered it at the provider
		p.Amount = job.Amount
	}
	job.Kind = payment.JobCharge
	return p.Approve(job, payment.ParsedResult{Result: result}, now)
}

// AcceptRefund makes a refund that could not count one that has succeeded, because it fits into what is left by now.
func (t Task) AcceptRefund(job payment.Job, now time.Time) (payment.Effects, error) {
	result := connector.Result{Outcome: connector.OutcomeApproved, Code: t.Payment.Requests().Contradiction(&job).Code}
	job.Kind = payment.JobRefund
	return t.Payment.SucceedJob(job, result, now)
}

// mayAcceptRefund returns why a refund that could not count still can't, "" if it can.
func mayAcceptRefund(p *payment.Payment, job payment.Job) string {
	job.Kind = payment.JobRefund
	left, err := p.Amounts().Refundable()
	switch {
	case p.Status != payment.StatusSettled && !p.Disputed() || err != nil:
		return "The payment is " + string(p.Status) + ": the case can only be closed."
	case p.Jobs.Has(payment.JobVoid):
		return "A void is in progress."
	case job.Amount.Cmp(left) > 0:
		return cmp.Or(p.Amounts().MayCountRefund(&job), "Another refund is in progress.")
	}
	return ""
}

// MayAccept returns why the approval that a job reports, of a declined charge or of a refund, can't be accepted, "" if
// it can.
func (t Task) MayAccept(job *payment.Job) string {
	if t.Payment.Requests().SentKind(job) == payment.JobRefund {
		return mayAcceptRefund(t.Payment, *job)
	}
	sess := t.Session
	switch p := t.Payment; {
	case p.Status != payment.StatusDecline:
		return "The payment is " + string(p.Status) + ": the money can only be given back, or the case closed."
	case sess != nil && sess.State == SessionComplete:
		return "Another payment of its session has succeeded."
	case sess != nil && sess.State == SessionProcessing:
		return "Another payment of its session is in progress."
	}
	return ""
}

// AcceptDecline ends the success of a request that a person had approved, because the provider has declined it.
// A session that an authorisation had completed is declined then.
func (t Task) AcceptDecline(job payment.Job, d payment.Decision, now time.Time) (payment.Effects, error) {
	p := t.Payment
	report := p.Requests().Contradiction(&job)
	p.Jobs.Remove(job.Reference)
	result := connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.Person, Reason: d.Text(),
		Code: report.Code}
	e, err := p.SuccessOf(job.Reference).End(result, now)
	e.Save = true
	return e, err
}

// PaidInItsPlace is why an approval of a declined payment can't be accepted.
const PaidInItsPlace = "Another payment in its place has succeeded, or is in progress."

// PaidByRetry returns why a decline can't become a success, because it was retried; "" if nothing speaks against it.
func (s *Core) PaidByRetry(ctx context.Context, p *payment.Payment) (string, error) {
	if p.RetriedBy == "" {
		return "", nil
	}
	retry, err := s.Payment(ctx, s.Now(), p.RetriedBy)
	if err != nil || retry == nil || retry.Status == payment.StatusDecline {
		return "", err
	}
	return PaidInItsPlace, nil
}
