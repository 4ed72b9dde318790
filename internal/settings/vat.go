package settings

import (
	"fmt"

	"checkout/internal/money"
)

// VAT returns the part of an amount that is VAT for a payer of a billing country, nil if the mapping has no rate for
// that country or the amount is zero (protocol.md, Settings).
func (m *Mapping) VAT(country string, amount money.Amount) (*money.Amount, error) {
	text, ok := m.VATRates[country]
	if !ok || amount.IsZero() {
		return nil, nil
	}
	rate, err := money.ParseRate(text)
	if err != nil {
		return nil, fmt.Errorf("VAT rate of mapping %s: %w", m.Name, err)
	}
	vat := amount.VAT(rate)
	return &vat, nil
}
