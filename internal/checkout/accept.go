package checkout

import (
	"cmp"
	"context"

	"checkout/internal/checkout/payment"
)

// mayAcceptRefund returns why a refund that could not count still can't, "" if it can.
func mayAcceptRefund(p *payment.Payment, job payment.Job) string {
	job.Kind = payment.JobRefund
	left, err := p.Amounts().Refundable()
	switch {
	case p.Status != payment.StatusSettled && !p.Disputed() || err != nil:
		return "The payment is " + p.Status.InSentence() + ": the case can only be closed."
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
		return "The payment is " + p.Status.InSentence() + ": the money can only be given back, or the case closed."
	case sess != nil && sess.State == SessionComplete:
		return "Another payment of its session has succeeded."
	case sess != nil && sess.State == SessionProcessing:
		return "Another payment of its session is in progress."
	}
	return ""
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
