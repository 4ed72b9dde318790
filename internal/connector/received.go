package connector

import (
	"fmt"

	"checkout/internal/money"
)

// Received is the money that arrived of a payment that the payer makes elsewhere, such as to a crypto address.
// Amounts are decimal texts.
type Received struct {
	Currency string `json:"currency"`      // of both amounts
	Amount   string `json:"amount"`        // all that has arrived, in time or too late
	Due      string `json:"due,omitempty"` // "" if the payer may pay any amount
}

// Parse parses the amounts. due is zero if the payer may pay any amount.
func (r *Received) Parse(currency money.Currency) (arrived, due money.Amount, err error) {
	if arrived, err = money.Parse(r.Amount, currency); err != nil {
		return arrived, due, fmt.Errorf("amount that arrived: %w", err)
	}
	if r.Due != "" {
		if due, err = money.Parse(r.Due, currency); err != nil {
			return arrived, due, fmt.Errorf("amount that is due: %w", err)
		}
	}
	return arrived, due, nil
}
