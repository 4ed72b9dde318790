package operator

import (
	"cmp"
	"context"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/operator/chains"
	"checkout/internal/store"
)

// Retry charges again, once, for a later payment of a recurring chain that was softly declined, and waits up to
// actTimeout for the outcome. It takes the lock of its order number, and is stored on condition that neither the
// payment nor the chain has changed: with a charge of the schedule, a stop, or a retry or charge of the merchant at the
// same moment one is made, and the other is decided by what is stored then.
// Errors: CodeNotFound; CodeNotAllowed with a sentence; CodeDuplicate; CodeDenied.
func (s *Actor) Retry(ctx context.Context, paymentID string) (Done, error) {
	await := func(ctx context.Context, a checkout.Awaited) (Done, error) {
		p, err := s.core.Await(ctx, a.PaymentID, &checkout.Wait{AtMost: actTimeout}, a.Pending)
		if err != nil {
			return Done{}, err
		}
		return retried(p), nil
	}
	return once(ctx, s.core, s.act, call[Done]{
		name: "retry", args: []string{paymentID}, await: await,
		do: func(idem *checkout.IdempotencyRecord) (Done, error) {
			retry, err := s.retry(ctx, paymentID, idem)
			if err != nil {
				return Done{}, explain(err)
			}
			s.jobs.Send(ctx, retry.Message(retry.ID), 0)
			return await(ctx, awaitedCharge(retry))
		},
	})
}

func awaitedCharge(p *payment.Payment) checkout.Awaited {
	return checkout.Awaited{PaymentID: p.ID, Reference: p.ID, Kind: payment.JobCharge}
}

// retry stores a retry with the lock of its order. Where the payment or the chain has changed meanwhile, it looks
// again.
func (s *Actor) retry(
	ctx context.Context, paymentID string, idem *checkout.IdempotencyRecord,
) (retry *payment.Payment, err error) {
	for range store.ConflictTries {
		var records []store.Record
		if retry, records, err = s.newRetry(ctx, paymentID); err != nil {
			return nil, err
		}
		a := awaitedCharge(retry)
		sent := checkout.SentOrder{Owner: retry.Owner, Number: retry.Order.Number, At: retry.CreatedAt,
			PaymentID: retry.ID}
		err = s.core.SaveOnce(ctx, sent, idem, func(lock store.Record) []store.Record {
			return idem.With(&a, nil, append([]store.Record{lock}, records...)...)
		})
		if !store.IsConflict(err) || idem.IsConflict(err) {
			return retry, err
		}
	}
	return nil, err
}

// newRetry makes a retry, and returns it with the documents that are stored of it.
func (s *Actor) newRetry(ctx context.Context, paymentID string) (*payment.Payment, []store.Record, error) {
	now := s.core.Now()
	p, err := s.core.Payment(ctx, now, paymentID)
	if err != nil {
		return nil, nil, err
	}
	if p == nil {
		return nil, nil, payment.ErrNotFound()
	}
	m, err := s.core.Merchant(ctx, p.Merchant, now)
	if err != nil {
		return nil, nil, err
	}
	retry, c, err := s.core.RetryPayment(ctx, now, m, p)
	if err != nil {
		return nil, nil, err
	}
	if err := chains.MayRetryNow(ctx, s.core, p, c); err != nil {
		return nil, nil, err
	}
	records := s.actOnChain(c, checkout.ChainRetried, "payment "+p.ID+" is charged again by "+retry.ID, now)
	return retry, append(records, c.Record(), p.Record(), retry.Record()), nil
}

// retried says what became of a retry.
func retried(p *payment.Payment) Done {
	amount := amountOf(p.Amount)
	d := Done{PaymentID: p.ID, Status: p.Status, Amount: p.Amount.String(), Decided: p.Jobs.Charge() == nil}
	switch {
	case !d.Decided:
		d.Text = "The charge of " + amount + " has no outcome yet. It goes on by itself, and is never made twice."
	case p.Status == payment.StatusDecline:
		d.Text = "The charge of " + amount + " was declined again: " +
			cmp.Or(p.Masker().Mask(p.Reason), string(p.ReasonCode), "no reason was given") + "."
	default:
		d.Text = amount + " was charged."
	}
	d.Text += " It is payment " + p.ID + "."
	return d
}
