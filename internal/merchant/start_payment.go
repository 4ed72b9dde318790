package merchant

import (
	"context"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// directPayment is a payment that a merchant's call makes at once.
type directPayment struct {
	*payment.Payment
	merchant    *settings.Merchant
	redirectURL string         // of the response while nothing is decided, "" for none
	more        []store.Record // what is stored with it
}

// startPayment stores a payment together with the lock against duplicates of its order. It returns the payment: with
// its outcome, if the provider responds within AwaitTimeout. Errors: CodeDuplicate.
func (s *payments) startPayment(
	ctx context.Context, p directPayment, idem *checkout.IdempotencyRecord,
) (Response, error) {
	p.Jobs.SetCause(ctx)
	payment.Log(ctx, p.Payment)
	a := checkout.Awaited{PaymentID: p.ID, Reference: p.ID, Kind: payment.JobCharge, RedirectURL: p.redirectURL}
	records := append([]store.Record{p.Record()}, p.more...)
	sent := checkout.SentOrder{Owner: p.Owner, Number: p.Order.Number, At: p.CreatedAt, PaymentID: p.ID}
	err := s.core.SaveOnce(ctx, sent, idem, func(lock store.Record) []store.Record {
		return idem.With(&a, nil, append([]store.Record{lock}, records...)...)
	})
	if err != nil {
		return nil, err
	}
	s.jobs.Send(ctx, p.Message(p.ID), 0)
	return s.await(ctx, p.merchant, a, newWait())
}
