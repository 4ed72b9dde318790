package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/store"
)

// Load reads one document into doc, and returns whether it is there.
func (s *Core) Load(ctx context.Context, now time.Time, key store.Key, doc any) (found bool, err error) {
	record, err := store.GetOne(ctx, s.Store, now, key)
	if err != nil {
		return false, err
	}
	return record.Version > 0, record.Decode(doc)
}

// Payment reads a payment by its id, nil if there is none.
func (s *Core) Payment(ctx context.Context, now time.Time, id string) (*payment.Payment, error) {
	key, err := store.PaymentKey(id)
	if err != nil {
		return nil, nil
	}
	p := &payment.Payment{}
	if found, err := s.Load(ctx, now, key, p); err != nil {
		return nil, fmt.Errorf("read payment: %w", err)
	} else if !found {
		return nil, nil
	}
	payment.Log(ctx, p)
	return p, nil
}
