package merchant

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/metric"
	"checkout/internal/payment"
	"checkout/internal/request"
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
func (s *Service) startPayment(ctx context.Context, p directPayment, idem *idempotencyRecord) (Response, error) {
	p.Jobs.SetCause(ctx)
	payment.Log(ctx, p.Payment)
	a := awaited{PaymentID: p.ID, Reference: p.ID, Kind: payment.JobCharge, RedirectURL: p.redirectURL}
	lock := duplicateLock(p.Owner, p.Order, p.CreatedAt)
	records := append([]store.Record{lock, p.Record()}, p.more...)
	err := s.Store.Save(ctx, p.CreatedAt, idem.with(&a, nil, records...)...)
	if idem.duplicates(err, lock) {
		return nil, s.errDuplicate(ctx, p.Owner)
	}
	if err != nil {
		return nil, fmt.Errorf("store payment: %w", err)
	}
	s.SendJob(ctx, p.Message(p.ID), 0)
	return s.await(ctx, p.merchant, a)
}

// errDuplicate counts a repeated order number in the metrics and returns the error for it.
func (s *Service) errDuplicate(ctx context.Context, owner request.Owner) *request.Error {
	line := metric.Line{Message: "duplicate", Test: owner.Test, Metrics: []metric.Metric{metric.Count("duplicates")}}
	s.Measure(ctx, line, slog.String("merchant", owner.Merchant))
	return request.Refuse(request.CodeDuplicate, 400, "Duplicate request.")
}

// duplicateWindow is how long an order number can't be sent again (protocol.md, Idempotency).
const duplicateWindow = 15 * time.Second

// duplicateLock returns the lock against duplicates of an order.
func duplicateLock(o request.Owner, order request.Order, now time.Time) store.Record {
	key := store.DuplicateKey(store.OrderHash(o.Text(), order.Number))
	return store.Record{Key: key, Doc: []byte("{}"), ExpiresAt: now.Add(duplicateWindow)}
}
