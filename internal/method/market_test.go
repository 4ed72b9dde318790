package method

import (
	"slices"
	"testing"
)

// The specification's own countries go before a market, and each country of a market has currencies.
func TestMarkets(t *testing.T) {
	for _, m := range Methods {
		if len(m.UsedIn) > 0 && (len(m.Countries) > 0 || len(m.Currencies) > 0) {
			t.Errorf("%s is used in countries beside those that are printed", m.ID)
		}
		if !slices.IsSorted(m.UsedIn) {
			t.Errorf("%s: %v is not sorted", m.ID, m.UsedIn)
		}
		for i, country := range m.UsedIn {
			if !IsCountry(country) || slices.Contains(m.UsedIn[:i], country) {
				t.Errorf("%s: %s is no country, or twice", m.ID, country)
			}
		}
	}
	euros := Market{Currencies: []string{"EUR"}}
	brazil := Market{Countries: []string{"BR", "IN"}}
	both := Market{Countries: []string{"BR"}, Currencies: []string{"USD"}}
	for _, test := range []struct {
		market            Market
		country, currency string
		want              bool
	}{
		{Market{}, "DE", "JPY", true}, {Market{}, "", "BTC", true},
		{euros, "US", "EUR", true}, {euros, "DE", "USD", false},
		{brazil, "BR", "BRL", true}, {brazil, "", "INR", true}, {brazil, "BR", "INR", false}, {brazil, "DE", "BRL", false},
		{both, "BR", "USD", true}, {both, "", "USD", true}, {both, "BR", "BRL", false}, {both, "US", "USD", false},
	} {
		if got := test.market.Has(test.country, test.currency); got != test.want {
			t.Errorf("%+v has %q %s: %v", test.market, test.country, test.currency, got)
		}
	}
}
