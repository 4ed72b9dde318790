package operator

import (
	"context"

	"checkout/internal/callback"
)

// outbox has parked callbacks alone.
func (s *Service) outbox() callback.Outbox {
	return callback.Outbox{Meter: s.Meter(), Store: s.Store, Accounts: s.Accounts()}
}

// ParkedCallbacks lists the parked callbacks that match a query, in the order of their events.
func (s *Service) ParkedCallbacks(ctx context.Context, query callback.ParkedQuery) ([]callback.ParkedOne, error) {
	return s.outbox().ParkedCallbacks(ctx, query)
}

// SendParked has the parked callbacks that match a query sent again, and returns their number.
func (s *Service) SendParked(ctx context.Context, query callback.ParkedQuery) (int, error) {
	return s.outbox().SendParked(ctx, query)
}

// SendAgain has one parked callback sent again.
// Errors: CodeNotFound; CodeNotAllowed if it is not parked or has no address.
func (s *Service) SendAgain(ctx context.Context, paymentID string, seq int) error {
	return s.outbox().SendAgain(ctx, paymentID, seq)
}
