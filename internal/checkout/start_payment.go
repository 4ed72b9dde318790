package checkout

import (
	"context"
	"fmt"
	"log/slog"
)

// startPayment stores a payment without a session, its order's lock against
// duplicates with it, and answers it: decided, if the provider answers soon.
// Errors: CodeDuplicate.
func (s *Service) startPayment(ctx context.Context, m *Merchant, p *Payment, first *firstCall) (any, error) {
	now, a := p.CreatedAt, asked{PaymentID: p.ID, Reference: p.ID, Kind: JobCharge}
	p.causedBy(ctx)
	notePayment(ctx, p)
	hash := orderHash(p.Owner.text(), p.Order.Number)
	taken := Record{Key: duplicateKey(hash), Doc: []byte("{}"), ExpiresAt: now.Add(DuplicateWindow)}
	err := s.Store.Save(ctx, now, first.with(&a, nil, taken, p.record())...)
	if first != nil && conflictOn(err, first.key) {
		return nil, err
	}
	if conflictOn(err, taken.Key) {
		return nil, s.errDuplicate(ctx, p.Merchant)
	}
	if err != nil {
		return nil, fmt.Errorf("store payment: %w", err)
	}
	s.sendJob(ctx, p.message(p.ID), 0)
	return s.await(ctx, m, a)
}

// errDuplicate counts and answers an order number that came again within 15 seconds.
func (s *Service) errDuplicate(ctx context.Context, merchant string) *Error {
	s.measure(ctx, measured{message: "duplicate", metrics: []metric{counted("duplicates")}}, slog.String("merchant", merchant))
	return &Error{Code: CodeDuplicate, Faults: []Fault{{Code: 400, Text: "Duplicate request."}}}
}
