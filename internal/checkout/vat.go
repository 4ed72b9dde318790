package checkout

import (
	"fmt"
	"maps"
	"slices"

	"checkout/internal/merchant"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// vatOf returns the part of a payment's amount that is VAT, nil if none is
// calculated: the request does not ask for it, or the mapping has no rate for
// the payer's billing country (decisions.md 9).
func vatOf(m *merchant.Mapping, req *request.Session, p *Payment) (*money.Amount, error) {
	rate, ok := m.VATRates[p.BillingAddress.Country]
	if !req.VATCalc || !ok || p.Amount.IsZero() {
		return nil, nil
	}
	parsed, err := money.ParseRate(rate)
	if err != nil {
		return nil, fmt.Errorf("VAT rate of mapping %s: %w", m.Name, err)
	}
	vat := p.Amount.VAT(parsed)
	return &vat, nil
}

// screenVAT is the VAT of the payer's country if that is known, else of every country with a rate.
func screenVAT(m *merchant.Mapping, req *request.Session) []screen.VAT {
	amount := req.Order.Amount.Value
	if !req.VATCalc || amount.IsZero() {
		return nil
	}
	countries := slices.Sorted(maps.Keys(m.VATRates))
	if known := req.BillingAddress.Country; known != "" {
		countries = slices.DeleteFunc(countries, func(c string) bool { return c != known })
	}
	var shown []screen.VAT
	for _, country := range countries {
		if rate, err := money.ParseRate(m.VATRates[country]); err == nil {
			shown = append(shown, screen.VAT{Country: country, Amount: shownAmount(amount.VAT(rate))})
		}
	}
	return shown
}
