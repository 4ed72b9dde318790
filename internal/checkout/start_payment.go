package checkout

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/store"
)

// startPayment stores a payment without a session together with the lock against duplicates of its order. It returns
// the payment: with its outcome, if the provider responds within AwaitTimeout. Errors: CodeDuplicate.
func (s *Service) startPayment(
	ctx context.Context, m *merchant.Merchant, p *Payment, idem *idempotencyRecord,
) (Response, error) {
	now, a := p.CreatedAt, awaited{PaymentID: p.ID, Reference: p.ID, Kind: JobCharge}
	p.setCause(ctx)
	logPayment(ctx, p)
	hash := store.OrderHash(p.Owner.Text(), p.Order.Number)
	lock := store.Record{Key: store.DuplicateKey(hash), Doc: []byte("{}"), ExpiresAt: now.Add(duplicateWindow)}
	err := s.Store.Save(ctx, now, idem.with(&a, nil, lock, p.record())...)
	if idem != nil && store.ConflictOn(err, idem.key) {
		return nil, err
	}
	if store.ConflictOn(err, lock.Key) {
		return nil, s.errDuplicate(ctx, p.Merchant)
	}
	if err != nil {
		return nil, fmt.Errorf("store payment: %w", err)
	}
	s.sendJob(ctx, p.message(p.ID), 0)
	return s.await(ctx, m, a)
}

// errDuplicate counts a repeated order number in the metrics and returns the error for it.
func (s *Service) errDuplicate(ctx context.Context, merchant string) *request.Error {
	line := metric.Line{Message: "duplicate", Metrics: []metric.Metric{metric.Count("duplicates")}}
	s.measure(ctx, line, slog.String("merchant", merchant))
	return request.Refuse(request.CodeDuplicate, 400, "Duplicate request.")
}

// duplicateWindow is how long an order number can't be sent again (core.md, Idempotency).
const duplicateWindow = 15 * time.Second
