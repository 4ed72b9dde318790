package checkout

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/request"
)

// LookUp has a request of a payment looked up for an operator, at any time, also one that waits for a person or has
// ended: the one with a reference, or without one all that have no outcome, or else the charge. The connector function
// does it when the next sweep sends it the job. It stores what the provider says, and applies an outcome.
// Errors: CodeNotFound; CodeNotAllowed if nothing of the kind was sent.
func (s *Service) LookUp(ctx context.Context, paymentID, reference string) error {
	p, sess, err := s.paymentAndSession(ctx, s.Now(), paymentID, "")
	if err != nil {
		return err
	}
	if p == nil {
		return ErrPaymentNotFound()
	}
	_, _, err = s.change(ctx, task{payment: p, session: sess}, func(t task, now time.Time) (effects, error) {
		p, asked := t.payment, 0
		if reference == "" && len(p.Jobs) == 0 {
			reference = p.ChargeReference
		}
		if reference != "" && p.job(reference) == nil {
			p.addLookUp(reference, now)
		}
		for i := range p.Jobs {
			job := &p.Jobs[i]
			if job.SentAt.IsZero() || job.Decision != nil || reference != "" && job.Reference != reference {
				continue
			}
			job.Asked, job.Person, job.DueAt = true, false, now
			p.act(Act{
				At: now, Do: VerdictLookUp, Type: p.OperationOf(job), Reference: job.Reference,
				Amount: cmp.Or(job.Amount, p.Amount),
			})
			asked++
		}
		if asked == 0 {
			return effects{}, request.Refuse(request.CodeNotAllowed, request.FaultInvalid,
				"There is nothing to look up: nothing was sent, or what a person has decided is being executed.")
		}
		return effects{save: true}, nil
	})
	return err
}

// addLookUp adds the look-up of a request that has ended, if the payment has such a request to a provider.
func (p *Payment) addLookUp(reference string, now time.Time) {
	of := p.ended(reference)
	if of == nil || of.MID == "" || of.SentAt.IsZero() || of.Type == EventGiveBack {
		return
	}
	p.Jobs = append(p.Jobs, Job{
		Kind: JobLookUp, Reference: reference, Amount: of.Amount, SentAt: of.SentAt, Released: true, LookUps: of.LookUps,
	})
}
