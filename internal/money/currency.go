package money

import (
	"maps"
	"slices"
	"strings"
)

// Currency says how amounts in it are counted. Code is the alphabetic code, Numeric ISO 4217's
// three digits ("840"; empty for crypto), Exponent the decimals of its minor unit, 0 to 18.
type Currency struct {
	Code     string
	Numeric  string
	Exponent int
	Crypto   bool
}

// unlistedExponent is the number of decimals of a crypto asset that is not in the table, as Bitcoin has them.
const unlistedExponent = 8

// Find returns the currency of an order.currency (protocol.md, Order) and whether there is one.
//
// The code is upper case only: "usd" is no currency, since the protocol sends and signs upper case.
// Three characters are an active ISO 4217 currency or a listed crypto asset, and nothing else. Four to
// six, a letter and then letters or digits, are a crypto asset, listed or not; an unlisted one has
// 8 decimals.
func Find(code string) (Currency, bool) {
	if row, ok := fiat[code]; ok {
		return Currency{Code: code, Numeric: row.numeric, Exponent: row.exponent}, true
	}
	if exponent, ok := crypto[code]; ok {
		return Currency{Code: code, Exponent: exponent, Crypto: true}, true
	}
	if isUnlistedCrypto(code) {
		return Currency{Code: code, Exponent: unlistedExponent, Crypto: true}, true
	}
	return Currency{}, false
}

// FindNumeric returns the currency of a numeric code of ISO 4217, with or without zeros before it, and whether there is
// one.
func FindNumeric(number string) (Currency, bool) {
	for code, row := range fiat {
		if number != "" && strings.TrimLeft(row.numeric, "0") == strings.TrimLeft(number, "0") {
			return Find(code)
		}
	}
	return Currency{}, false
}

// IsListed reports whether a code is one of ISO 4217 or of a listed crypto asset, and not only of the form of one.
func IsListed(code string) bool {
	_, isFiat := fiat[code]
	_, isCrypto := crypto[code]
	return isFiat || isCrypto
}

// Codes returns the codes that IsListed accepts, sorted.
func Codes() []string {
	codes := slices.AppendSeq(slices.Collect(maps.Keys(fiat)), maps.Keys(crypto))
	slices.Sort(codes)
	return codes
}

func isUnlistedCrypto(code string) bool {
	if len(code) < 4 || len(code) > 6 {
		return false
	}
	for i, c := range []byte(code) {
		letter := c >= 'A' && c <= 'Z'
		digit := c >= '0' && c <= '9'
		if !letter && (i == 0 || !digit) {
			return false
		}
	}
	return true
}
