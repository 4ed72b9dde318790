package method

import (
	"strings"
	"testing"

	"checkout/internal/money"
)

// Each country has currencies, all of which can be paid in, and each currency is one of a country.
func TestCountryCurrencies(t *testing.T) {
	used, listed := map[string]bool{}, map[string]bool{}
	for _, row := range strings.FieldsFunc(countryCurrencies, func(c rune) bool { return c == '\n' || c == ',' }) {
		codes := strings.Fields(row)
		if listed[codes[0]] || !IsCountry(codes[0]) || len(codes) < 2 {
			t.Errorf("%q is not the row of a country", row)
		}
		listed[codes[0]] = true
		for _, code := range codes[1:] {
			if currency, found := money.Find(code); !found || currency.Crypto || used[codes[0]+code] {
				t.Errorf("%s: %s", codes[0], code)
			}
			used[codes[0]+code], used[code] = true, true
		}
	}
	for country := range countryCodes().alpha2 {
		if !listed[country] && country != "AQ" { // Antarctica has no currency
			t.Errorf("%s has no row", country)
		}
	}
	for n := range 1000 {
		number := string([]byte{'0' + byte(n/100), '0' + byte(n/10%10), '0' + byte(n%10)})
		if currency, found := money.FindNumeric(number); found && !used[currency.Code] && currency.Code != "XAD" { // of banks
			t.Errorf("%s is of no country", currency.Code)
		}
	}
	if !HasCurrency("BR", "BRL") || HasCurrency("BR", "MXN") || HasCurrency("BR", "R") || HasCurrency("XX", "EUR") {
		t.Error("currencies of a country are not found")
	}
}
