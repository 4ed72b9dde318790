package screen

import (
	"maps"
	"slices"
	"strings"

	"checkout/internal/merchant"
	"checkout/internal/money"
	"checkout/internal/request"
)

// VATs are the VAT of the payer's country if that is known, else of every country with a rate.
func VATs(m *merchant.Mapping, req *request.Session) []VAT {
	amount := req.Order.Amount.Value
	if !req.VATCalc || amount.IsZero() {
		return nil
	}
	countries := slices.Sorted(maps.Keys(m.VATRates))
	if known := req.BillingAddress.Country; known != "" {
		countries = slices.DeleteFunc(countries, func(c string) bool { return c != known })
	}
	var shown []VAT
	for _, country := range countries {
		if vat, err := m.VAT(country, amount); err == nil {
			shown = append(shown, VAT{Country: country, Amount: Amount(*vat)})
		}
	}
	return shown
}

// Amount is an amount for people: all decimals of the currency, and none where it has none, although the wire has two
// (core.md, Amount format). "" stands for one that the payer enters.
func Amount(amount money.Amount) string {
	text := amount.String()
	if amount.Currency().Exponent == 0 {
		text, _, _ = strings.Cut(text, ".")
	}
	return text
}
