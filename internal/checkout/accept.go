package checkout

import (
	"context"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/payment"
	"checkout/internal/screen"
)

// AcceptApproval makes a declined payment one that has succeeded, by the charge that was reported as approved.
// It is the only way from decline to settled or pending.
func AcceptApproval(t Task, job payment.Job, amount money.Amount, now time.Time) (payment.Effects, error) {
	p, report := t.Payment, t.Payment.ContradictionOf(&job)
	if job.Reference != p.ChargeReference {
		p.ProviderData = connector.ProviderData{}
	}
	if report.Reported != nil {
		p.ProviderData.Merge(*report.Reported)
	}
	p.MID, p.Connector = report.MID, report.Connector
	result := connector.Result{Outcome: connector.OutcomeApproved, Authorised: report.Authorised, Code: report.Code,
		Amount: amount}
	job.Kind = payment.JobCharge
	return payment.Approve(p, job, payment.ParsedResult{Result: result}, now)
}

// MayAccept returns why the approval of a declined charge can't be accepted, "" if it can.
func (t Task) MayAccept() string {
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
	report := p.ContradictionOf(&job)
	p.Jobs.Remove(job.Reference)
	result := connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: screen.ReasonPerson, Reason: d.Text(),
		Code: report.Code}
	e, err := p.EndSuccess(p.Transactions.SuccessOf(job.Reference), result, now)
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
