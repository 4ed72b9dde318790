package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/money"
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

// inCurrency sets the currency of a document's amounts. If the service no longer knows it, they stay digits.
func inCurrency(currency money.Currency, amounts ...*money.Amount) error {
	if currency.Code == "" {
		return nil
	}
	for _, a := range amounts {
		amount, err := a.In(currency)
		if err != nil {
			return fmt.Errorf("a stored amount is none of %s: %w", currency.Code, err)
		}
		*a = amount
	}
	return nil
}
