package operator

import (
	"context"

	"checkout/internal/callback"
)

// outbox has undelivered callbacks alone.
func (s *Service) outbox() callback.Outbox {
	return callback.Outbox{Meter: s.Meter(), Store: s.Store, Accounts: s.Accounts(), Act: s.Act}
}

// Undelivered lists the waiting and parked callbacks that match a query, in the order of their events.
func (s *Service) Undelivered(ctx context.Context, query callback.Query) ([]callback.Undelivered, error) {
	return s.outbox().Undelivered(ctx, query)
}

// SendAll has the waiting and parked callbacks that match a query sent now, and returns their number.
func (s *Service) SendAll(ctx context.Context, query callback.Query) (int, error) {
	return s.outbox().SendAll(ctx, query)
}

// SendAgain has one waiting or parked callback sent now.
// Errors: CodeNotFound; CodeNotAllowed if it is delivered, is about to be tried or has no address.
func (s *Service) SendAgain(ctx context.Context, paymentID string, seq int) error {
	return s.outbox().SendAgain(ctx, paymentID, seq)
}
