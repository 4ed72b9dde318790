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
	record, err := store.GetOne(ctx, s.Store, now, key)
	if err != nil {
		return nil, fmt.Errorf("read payment: %w", err)
	}
	return PaymentIn(ctx, record)
}

// PaymentIn returns the payment of a record, nil if that is not stored.
func PaymentIn(ctx context.Context, r store.Record) (*payment.Payment, error) {
	p := &payment.Payment{}
	if err := r.Decode(p); err != nil {
		return nil, fmt.Errorf("read payment: %w", err)
	}
	if r.Version == 0 {
		return nil, nil
	}
	payment.Log(ctx, p)
	return p, nil
}
