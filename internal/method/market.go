package method

import "slices"

// Market is where payers use a method.
type Market struct {
	Countries  []string `json:"countries,omitempty"`  // empty: all
	Currencies []string `json:"currencies,omitempty"` // empty: those that are collected in the countries
}

// Has reports whether payers of a country, "" for any, who pay in a currency are of the market.
func (k Market) Has(country, currency string) bool {
	if len(k.Currencies) > 0 && !slices.Contains(k.Currencies, currency) {
		return false
	}
	return len(k.Countries) == 0 || slices.ContainsFunc(k.Countries, func(of string) bool {
		return (country == "" || of == country) && (len(k.Currencies) > 0 || HasCurrency(of, currency))
	})
}

// Where returns where payers use the method: as the specification prints it, else as the catalogue says.
func (m Method) Where() Market {
	if len(m.UsedIn) > 0 {
		return Market{Countries: m.UsedIn}
	}
	return m.Market
}

// used returns the method with the countries whose payers use it, where the specification prints none.
func (m Method) used(countries ...string) Method {
	m.UsedIn = countries
	return m
}

// latinAmerica is the market of methods that providers have in several countries of Latin America, by the countries,
// documents and bank numbers that the specification prints for their families.
var latinAmerica = []string{
	"AR", "BO", "BR", "CL", "CO", "CR", "DO", "EC", "GT", "HN", "MX", "NI", "PA", "PE", "PY", "SV", "UY",
}

// mobileMoney are the countries of Africa where payments from mobile money accounts are ordinary.
var mobileMoney = []string{
	"BF", "BI", "BJ", "BW", "CD", "CF", "CG", "CI", "CM", "ET", "GA", "GH", "GM", "GN", "GW", "KE", "LR", "LS", "MG", "ML",
	"MW", "MZ", "NE", "NG", "RW", "SL", "SN", "SO", "SS", "SZ", "TD", "TG", "TZ", "UG", "ZM", "ZW",
}
