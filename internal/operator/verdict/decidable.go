package verdict

import (
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/words"
	"checkout/internal/settings"
)

// Decidable returns the job with a reference if a verdict can decide it: without a reference the payment's only job, or
// the only one that waits for a person. Errors: CodeNotAllowed.
func Decidable(p *payment.Payment, reference string, verdict payment.Verdict) (*payment.Job, error) {
	job, err := oneJob(p, reference, func(j *payment.Job) bool { return j.Person })
	if err != nil {
		return nil, err
	}
	report := p.Requests().Contradiction(job)
	refused := ""
	switch {
	case job.Decision != nil:
		refused = job.Decision.By + " has decided it already."
	case job.SentAt.IsZero():
		refused = "Nothing was sent to the provider yet."
	case job.Kind == payment.JobLookUp:
		refused = "Its outcome is known, and it is being looked up once more."
	case job.Kind == payment.JobUnapplied && verdict == payment.VerdictGiveBack:
		refused = "No provider refunds money that did not count: return it by hand, and name returned."
	case !job.Takes(verdict) && job.Kind == payment.JobUnapplied:
		refused = "It is about money that does not count: name returned, accept or close."
	case !job.Takes(verdict) && job.Kind == payment.JobContradiction:
		refused = "The provider has contradicted itself: name give-back, accept or close."
	case !job.Takes(verdict):
		refused = "The provider has not contradicted itself: name approved or declined."
	case verdict == payment.VerdictGiveBack && (report.Status != payment.Success ||
		p.Requests().SentKind(job) != payment.JobCharge):
		refused = "There is nothing to give back."
	case verdict == payment.VerdictGiveBack && job.Amount.IsZero():
		refused = "The provider did not say which amount it has taken: give it back there, and close the case."
	case verdict == payment.VerdictReturned && p.Transactions.Full():
		refused = "It was returned in too many parts: close the case."
	case verdict == payment.VerdictGiveBack && p.Transactions.Count(payment.EventGiveBack,
		payment.Fail) >= payment.MaxGiveBacks:
		refused = "It was tried too often: give it back at the provider, and close the case."
	default:
		return job, nil
	}
	return nil, fault.Refuse(fault.CodeNotAllowed, refused)
}

// oneJob returns the job with a reference, or without one the only job, or the only one that is preferred.
// Errors: CodeNotAllowed.
func oneJob(p *payment.Payment, reference string, preferred func(*payment.Job) bool) (*payment.Job, error) {
	if reference != "" {
		if job := p.Jobs.Find(reference); job != nil {
			return job, nil
		}
	}
	var first []*payment.Job
	for i := range p.Jobs {
		if preferred(&p.Jobs[i]) {
			first = append(first, &p.Jobs[i])
		}
	}
	switch {
	case reference != "" || len(p.Jobs) == 0:
		return nil, fault.Refuse(fault.CodeNotAllowed, "Its outcome is known. The payment is "+words.StatusInSentence(p)+".")
	case len(first) == 1:
		return first[0], nil
	case len(p.Jobs) == 1:
		return &p.Jobs[0], nil
	}
	return nil, fault.Refuse(fault.CodeNotAllowed, "Several of its requests have no outcome: name the reference of one.")
}

// MayGiveBack reports whether a connector can refund or void what a contradiction is about. A payout comes back by no
// request.
func MayGiveBack(can settings.Declarations, p *payment.Payment, job *payment.Job) bool {
	kind := payment.JobRefund
	if p.Requests().Contradiction(job).Authorised {
		kind = payment.JobVoid
	}
	_, connector := p.Requests().Place(job)
	return p.Reversible() && kind.AllowedBy(can[connector])
}
