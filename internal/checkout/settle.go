package checkout

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Settlement is a decision and what it is about.
type Settlement struct {
	PaymentID string
	Reference string // of the request; "": the only one of the payment, or the only one that waits for a person
	Verdict   Verdict
	Amount    string // that has moved; "": what the provider has said, else what was requested
	By        string
	Reason    string
}

// maxDecision is the most characters of a decision's name and of its reason.
const maxDecision = 120

// Settle stores what a person decides of a request that was sent and has no outcome, or of a provider's contradiction,
// at any time. The connector function executes it: the next sweep sends it the job. It looks the request up first,
// and what the provider says then counts, as does what a notice tells before that.
// Errors: CodeInvalid; CodeNotFound; CodeNotAllowed if the payment has nothing of the kind to decide.
func (s *Service) Settle(ctx context.Context, d Settlement) error {
	d.By, d.Reason = strings.TrimSpace(d.By), strings.TrimSpace(d.Reason)
	for _, text := range []string{d.By, d.Reason} {
		if text == "" || request.Printable(text, maxDecision) != text {
			return request.Refuse(request.CodeInvalid, request.FaultInvalid,
				fmt.Sprintf("A name and a reason are needed, of 1 to %d printable characters each.", maxDecision))
		}
	}
	p, sess, err := s.paymentAndSession(ctx, s.Now(), d.PaymentID, "")
	if err != nil {
		return err
	}
	if p == nil {
		return ErrPaymentNotFound()
	}
	t := task{payment: p, session: sess}
	paidElsewhere, err := s.paidByRetry(ctx, p)
	if err == nil && paidElsewhere == "" {
		paidElsewhere, err = s.paidInSession(ctx, t)
	}
	if err != nil {
		return err
	}
	_, _, err = s.change(ctx, t, func(t task, now time.Time) (effects, error) {
		p := t.payment
		job, err := p.toDecide(d)
		if err != nil {
			return effects{}, err
		}
		if refused := cmp.Or(t.mayAccept(), paidElsewhere); d.Verdict == VerdictAccept && refused != "" &&
			p.contradictionOf(job).Status == Success {
			return effects{}, errMayNotSettle(refused)
		}
		if d.Verdict == VerdictGiveBack && !s.mayGiveBack(p, job) {
			return effects{}, errMayNotSettle("The provider can't refund that: name close once it is settled by hand.")
		}
		amount, err := p.amountToSettle(job, d)
		if err != nil {
			return effects{}, err
		}
		reason := p.Masked(t.secrets().Mask(d.Reason))
		job.Decision = &Decision{Verdict: d.Verdict, Amount: amount, By: d.By, Reason: reason, At: now}
		job.Person, job.DueAt = false, now
		p.act(Act{
			At: now, Do: d.Verdict, By: d.By, Reason: reason, Type: p.OperationOf(job),
			Reference: job.Reference, Amount: cmp.Or(amount, job.Amount, p.Amount),
		})
		return effects{save: true}, nil
	})
	return err
}

// mayGiveBack reports whether a connector can refund or void what a contradiction is about. A payout comes back by no
// request.
func (s *Service) mayGiveBack(p *Payment, job *Job) bool {
	kind := JobRefund
	if p.contradictionOf(job).Authorised {
		kind = JobVoid
	}
	_, connector := p.PlaceOf(job)
	return p.reversible() && kind.allowedBy(s.Declarations[connector])
}

func errMayNotSettle(why string) error {
	return request.Refuse(request.CodeNotAllowed, request.FaultInvalid, why)
}

// toDecide returns the job that a settlement is about.
func (p *Payment) toDecide(d Settlement) (*Job, error) {
	job, err := p.oneJob(d.Reference, func(j *Job) bool { return j.Person })
	if err != nil {
		return nil, err
	}
	report := p.contradictionOf(job)
	contradiction := job.Kind == JobContradiction
	refused := ""
	switch outcome := d.Verdict == VerdictApproved || d.Verdict == VerdictDeclined; {
	case job.Decision != nil:
		refused = job.Decision.By + " has decided it already."
	case job.SentAt.IsZero():
		refused = "Nothing was sent to the provider yet."
	case job.Kind == JobLookUp:
		refused = "Its outcome is known, and it is being looked up once more."
	case contradiction && outcome:
		refused = "The provider has contradicted itself: name give-back, accept or close."
	case !contradiction && !outcome:
		refused = "The provider has not contradicted itself: name approved or declined."
	case d.Verdict == VerdictGiveBack && (report.Status != Success || p.sentKind(job) != JobCharge):
		refused = "There is nothing to give back."
	case d.Verdict == VerdictGiveBack && job.Amount.IsZero():
		refused = "The provider did not say which amount it has taken: give it back there, and close the case."
	case d.Verdict == VerdictGiveBack && p.CountTransactions(EventGiveBack, Fail) >= maxGiveBacks:
		refused = "It was tried too often: give it back at the provider, and close the case."
	default:
		return job, nil
	}
	return nil, errMayNotSettle(refused)
}

// oneJob returns the job with a reference, or without one the only job, or the only one that is preferred.
// Errors: CodeNotAllowed.
func (p *Payment) oneJob(reference string, preferred func(*Job) bool) (*Job, error) {
	if reference != "" {
		if job := p.job(reference); job != nil {
			return job, nil
		}
	}
	var first []*Job
	for i := range p.Jobs {
		if preferred(&p.Jobs[i]) {
			first = append(first, &p.Jobs[i])
		}
	}
	switch {
	case reference != "" || len(p.Jobs) == 0:
		return nil, errMayNotSettle("Its outcome is known. The payment is " + string(p.Status) + ".")
	case len(first) == 1:
		return first[0], nil
	case len(p.Jobs) == 1:
		return &p.Jobs[0], nil
	}
	return nil, errMayNotSettle("Several of its requests have no outcome: name the reference of one.")
}

// amountToSettle reads the amount that a settlement names, zero if it names none and needs none. Errors: CodeInvalid if
// it can't be that amount; CodeNotAllowed if it needs one.
func (p *Payment) amountToSettle(job *Job, d Settlement) (money.Amount, error) {
	none := money.Amount{}
	requested, payerEnters, err := p.requestAmount(job)
	if err != nil {
		return none, err
	}
	approves := d.Verdict == VerdictApproved && job.Kind != JobVoid && job.Kind != JobGiveBack
	if d.Amount != "" {
		switch {
		case payerEnters && (approves || d.Verdict == VerdictAccept):
			amount, err := money.Parse(d.Amount, requested.Currency())
			if err != nil {
				return none, errField("amount", request.AmountNotValid(requested.Currency()))
			}
			return amount, nil
		case approves:
			return p.amountWithin(d.Amount, requested, request.FaultInvalid)
		}
		return none, errMayNotSettle("No amount belongs to that: name one only for what is approved.")
	}
	moved := money.Amount{}
	if job.Finding != nil {
		moved = job.Finding.Moved
	}
	switch {
	case payerEnters && (approves && moved.IsZero() || d.Verdict == VerdictAccept && job.Amount.IsZero()):
		return none, errMayNotSettle("The payer entered the amount at the provider: name it.")
	case approves && !payerEnters && !moved.IsZero() && moved.Cmp(requested) > 0:
		return none, errMayNotSettle(fmt.Sprintf("The provider says %s: name the amount that counts, %s or less.",
			job.Finding.Text, requested))
	}
	return none, nil
}

const paidInItsPlace = "Another payment in its place has succeeded, or is in progress."

// paidByRetry returns why a decline can't become a success, because it was retried; "" if nothing speaks against it.
func (s *Service) paidByRetry(ctx context.Context, p *Payment) (string, error) {
	if p.RetriedBy == "" {
		return "", nil
	}
	retry, err := s.payment(ctx, s.Now(), p.RetriedBy)
	if err != nil || retry == nil || retry.Status == StatusDecline {
		return "", err
	}
	return paidInItsPlace, nil
}

// paidInSession returns the same of the other payments of a session that is not stored any more, in which no attempt
// can begin since.
func (s *Service) paidInSession(ctx context.Context, t task) (string, error) {
	p := t.payment
	if p.SessionID == "" || t.session != nil || p.Status != StatusDecline {
		return "", nil
	}
	hash, _, err := store.SplitPaymentID(p.ID)
	if err != nil {
		return "", fmt.Errorf("payment %s: %w", p.ID, err)
	}
	for query := store.VisitsOf(hash, statusLimit); ; {
		records, err := s.Store.List(ctx, s.Now(), query)
		if err != nil {
			return "", fmt.Errorf("list order: %w", err)
		}
		for _, r := range records {
			var other Payment
			if !store.IsPayment(r.Key) {
				continue
			}
			if err := r.Decode(&other); err != nil {
				return "", err
			}
			if other.ID != p.ID && other.SessionID == p.SessionID && other.Status != StatusDecline {
				return paidInItsPlace, nil
			}
		}
		if len(records) < query.Limit {
			return "", nil
		}
		query.Before = records[len(records)-1].Key.Sort
	}
}
