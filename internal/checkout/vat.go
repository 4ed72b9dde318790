package checkout

import (
	"fmt"
	"maps"
	"slices"

	"checkout/internal/merchant"
	"checkout/internal/money"
	"checkout/internal/request"
)

// vatOf answers the part of a payment's amount that is VAT, "" if none is
// calculated: the request does not ask for it, or the mapping has no rate for
// the payer's billing country (decisions.md 9).
func vatOf(m *merchant.Mapping, req *request.Session, p *Payment) (string, error) {
	rate, ok := m.VATRates[p.BillingAddress.Country]
	if !req.VATCalc || !ok || p.Amount == "" {
		return "", nil
	}
	amount, err := p.amount(p.Amount)
	if err != nil {
		return "", err
	}
	parsed, err := money.ParseRate(rate)
	if err != nil {
		return "", fmt.Errorf("VAT rate of mapping %s: %w", m.Name, err)
	}
	return amount.VAT(parsed).String(), nil
}

// screenVAT is the VAT of the payer's country if that is known, else of every country with a rate.
func screenVAT(m *merchant.Mapping, req *request.Session) []ScreenVAT {
	currency := request.CurrencyOf(req.Order)
	amount, err := money.Parse(req.Order.Amount, currency)
	if !req.VATCalc || err != nil {
		return nil
	}
	countries := slices.Sorted(maps.Keys(m.VATRates))
	if known := req.BillingAddress.Country; known != "" {
		countries = slices.DeleteFunc(countries, func(c string) bool { return c != known })
	}
	var shown []ScreenVAT
	for _, country := range countries {
		if rate, err := money.ParseRate(m.VATRates[country]); err == nil {
			shown = append(shown, ScreenVAT{country, shownAmount(amount.VAT(rate).String(), currency)})
		}
	}
	return shown
}
