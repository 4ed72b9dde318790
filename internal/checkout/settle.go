package checkout

import (
	"context"
	"fmt"
	"strings"
	"time"

	"checkout/internal/request"
	"checkout/internal/screen"
)

// Decision is what a person has decided of a request whose outcome stayed unknown.
type Decision struct {
	Approved bool      `json:"approved,omitempty"` // else declined
	By       string    `json:"by"`                 // who decided
	Reason   string    `json:"reason"`
	At       time.Time `json:"at"`
}

// text returns the decision for the merchant.
func (d Decision) text() string { return d.Reason + " (decided by " + d.By + ")" }

// Settlement is a decision and what it is about.
type Settlement struct {
	PaymentID string
	Reference string // of the request; "": the only one of the payment that waits for a person
	Approved  bool
	By        string
	Reason    string
}

// maxDecision is the most characters of a decision's name and of its reason.
const maxDecision = 120

// Settle stores what a person has decided of a request whose outcome stayed unknown. The connector function carries it
// out: the next sweep sends it the job. An outcome that a notice tells before that counts instead.
// Errors: CodeInvalid; CodeNotFound; CodeNotAllowed if the payment has no such request that waits for a person.
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
	_, _, err = s.change(ctx, task{payment: p, session: sess}, func(t task, now time.Time) (effects, error) {
		job, err := t.payment.toDecide(d)
		if err != nil {
			return effects{}, err
		}
		reason := t.payment.Masked(t.secrets().Mask(d.Reason))
		job.Decision = &Decision{Approved: d.Approved, By: d.By, Reason: reason, At: now}
		job.Person, job.DueAt = false, now
		return effects{save: true}, nil
	})
	return err
}

// toDecide returns the job that a settlement is about.
func (p *Payment) toDecide(d Settlement) (*Job, error) {
	var waiting []*Job
	for i := range p.Jobs {
		job := &p.Jobs[i]
		if job.Person && (d.Reference == "" || d.Reference == job.Reference) {
			waiting = append(waiting, job)
		}
	}
	refused := ""
	switch job := p.job(d.Reference); {
	case len(waiting) > 1:
		refused = "Several of its requests wait for a person: name the reference of one."
	case len(waiting) == 1 && d.Approved && waiting[0].Kind == JobCharge && p.Amount.IsZero():
		refused = "The payer entered the amount at the provider, and only the provider knows it."
	case len(waiting) == 1:
		return waiting[0], nil
	case job != nil && job.Decision != nil:
		refused = job.Decision.By + " has decided it already."
	case job != nil || d.Reference == "" && len(p.Jobs) > 0:
		refused = "It does not wait for a person: the provider is still asked, or somebody has decided."
	default:
		refused = "It does not wait for a person: its outcome is known. The payment is " + string(p.Status) + "."
	}
	return nil, request.Refuse(request.CodeNotAllowed, request.FaultInvalid, refused)
}

// applyDecision applies what a person has decided of a job, as if the provider had said it: an approval is one of the
// amount that was requested.
func (s *Service) applyDecision(ctx context.Context, t task) error {
	_, err := s.changeAndNotify(ctx, t, func(t task, now time.Time) (effects, error) {
		job := t.job()
		if job == nil || job.Decision == nil {
			return effects{}, nil
		}
		decision := *job.Decision
		reason := &screen.Reason{Code: screen.ReasonPerson, Words: decision.text()}
		result := Result{Outcome: OutcomeDeclined, ReasonCode: reason.Code, Reason: reason.Words}
		if decision.Approved {
			result = Result{Outcome: OutcomeApproved}
		}
		e, err := decide(t, *job, parsedResult{Result: result}, now)
		if err != nil || !e.save {
			return effects{}, err
		}
		e.event.Reason = reason
		end := &t.payment.Transactions[len(t.payment.Transactions)-1]
		*end = end.because(reason)
		end.Decision = &decision
		return e, nil
	})
	return err
}
