package screen

import (
	"maps"
	"slices"
	"strings"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// VATs returns the VAT of an order for the payer's country if that is known, or else for every country with a rate.
func VATs(m *settings.Mapping, req *request.Session) []VAT {
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

// Amount returns an amount as the page shows it: with the decimals of the currency. For a currency without decimals it
// has none, unlike in callbacks (protocol.md, Amounts). It is "" for an amount that the payer enters.
func Amount(amount money.Amount) string {
	text := amount.String()
	if amount.Currency().Exponent == 0 {
		text, _, _ = strings.Cut(text, ".")
	}
	return text
}
