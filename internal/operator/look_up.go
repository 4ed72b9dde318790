package operator

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/words"
)

// LookUp has a request of a payment looked up for an operator, at any time, also one that waits for a person or has
// ended: the one with a reference, or without one all that have no outcome, or else the charge. The connector function
// stores what the provider says, and applies an outcome. LookUp waits up to actTimeout for that.
// Errors: CodeNotFound; CodeNotAllowed if nothing of the kind was sent.
func (s *Actor) LookUp(ctx context.Context, paymentID, reference string) (Done, error) {
	return s.execute(ctx, "look-up", []string{paymentID, reference},
		func(idem *checkout.IdempotencyRecord) (asked, error) {
			return s.lookUp(ctx, paymentID, reference, idem)
		})
}

func (s *Actor) lookUp(
	ctx context.Context, paymentID, reference string, idem *checkout.IdempotencyRecord,
) (of asked, err error) {
	p, sess, err := s.core.PaymentAndSession(ctx, s.core.Now(), paymentID, "")
	if err != nil {
		return of, err
	}
	if p == nil {
		return of, payment.ErrNotFound()
	}
	_, _, err = s.core.Change(ctx, checkout.Task{Payment: p, Session: sess}, func(t checkout.Task,
		now time.Time) (payment.Effects, error) {
		p, changes := t.Payment, []string(nil)
		of = asked{}
		if reference == "" && len(p.Jobs) == 0 {
			reference = p.ChargeReference
		}
		if reference != "" && p.Jobs.Find(reference) == nil {
			addLookUp(p, reference, now)
		}
		for i := range p.Jobs {
			job := &p.Jobs[i]
			if job.SentAt.IsZero() || job.Decision != nil || reference != "" && job.Reference != reference {
				continue
			}
			job.Ask(now)
			p.Acts.Add(payment.Act{
				At: now, Do: payment.VerdictLookUp, Type: words.OperationOf(p, job), Reference: job.Reference,
				Amount: cmp.Or(job.Amount, p.Amount),
			})
			of.messages = append(of.messages, p.Message(job.Reference))
			changes = append(changes, "request "+job.Reference+" is looked up")
		}
		if len(changes) == 0 {
			return payment.Effects{}, fault.Refuse(fault.CodeNotAllowed,
				"There is nothing to look up: nothing was sent, or what a person has decided is being executed.")
		}
		of.Awaited = checkout.Awaited{PaymentID: p.ID, Reference: reference, Kind: payment.JobLookUp}
		records := s.act.Records(now, "payment/"+p.ID, changes...)
		return payment.Effects{Save: true, Once: idem.Of(&of.Awaited, nil), Records: records}, nil
	})
	return of, err
}

// addLookUp adds the look-up of a request that has ended, if the payment has such a request to a provider.
func addLookUp(p *payment.Payment, reference string, now time.Time) {
	of := p.Transactions.Ended(reference)
	if of == nil || of.MID == "" || of.SentAt.IsZero() || of.Type == payment.EventGiveBack {
		return
	}
	p.Jobs = append(p.Jobs, payment.Job{
		Kind: payment.JobLookUp, Reference: reference, Amount: of.Amount, SentAt: of.SentAt, Released: true,
		LookedUp: payment.LookedUp{LookUps: of.LookUps},
	})
}
