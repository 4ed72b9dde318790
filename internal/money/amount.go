// Package money has currencies and amounts. An amount is read from text, stored as integers and written as text. Only
// VAT is rounded, and nothing is a float.
package money

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// errNotValid means that a text is not an amount of its currency (protocol.md, Amounts).
	errNotValid = errors.New("money: not a valid amount")
	// ErrNotPositive means that a text is an amount, but zero or negative (protocol.md, Errors).
	ErrNotPositive = errors.New("money: amount is not greater than 0")
	// errTooLarge means that a sum has more than 15 digits before the point.
	errTooLarge = errors.New("money: amount is too large")
	// errNegative means that a difference is less than 0.
	errNegative = errors.New("money: amount would be negative")
)

// maxWholeDigits is the limit of digits before the point, far above any order. The sum of two such numbers, and of two
// numbers with the 18 decimals of the finest asset, fits into an int64.
const maxWholeDigits = 15

// Amount is an amount of one currency, zero or more, counted in its minor units. It is a plain value:
// copies are independent, and == compares currency and amount. The zero Amount has no currency and
// stands for an amount that is not known (a crypto purchase without order.amount). In JSON an amount is
// its digits; the currency stands elsewhere in the same document.
//
// Amounts of two currencies are never compared, added or subtracted. Trying to is a mistake of the
// program, since all amounts of an order have the order's currency, and panics.
type Amount struct {
	currency Currency
	whole    int64 // the digits before the point
	minor    int64 // the digits after it, in minor units: less than 10 to the power of the exponent
}

// Zero returns the amount 0 of a currency.
func Zero(currency Currency) Amount {
	return Amount{currency: currency}
}

// Parse reads an amount of a request, greater than 0. The error is ErrNotPositive for an amount that is not, and
// another one for a text that is no amount.
//
// The text is that of protocol.md, Amounts, read as follows. Digits, at most 15, then
// optionally a point and at least one digit; no sign, exponent, space or thousands separator; no
// leading zero but the single one of "0.50". There may be fewer decimals than the currency has, never more,
// not even zeros: "10", "10.5" and "10.50" are the same USD amount, "10.500" is refused. A currency with
// exponent 0 is written with up to two decimals, which must be zeros: "100", "100.0", "100.00" JPY.
// An otherwise valid text with a minus sign is ErrNotPositive; the caller handles the -1 of a transfer.
func Parse(text string, currency Currency) (Amount, error) {
	digits, negative := strings.CutPrefix(text, "-")
	amount, ok := read(digits, currency)
	switch {
	case !ok:
		return Amount{}, errNotValid
	case negative || amount.IsZero():
		return Amount{}, ErrNotPositive
	}
	return amount, nil
}

func read(text string, currency Currency) (Amount, bool) {
	whole, minor, ok := decimal(text, maxWholeDigits, decimals(currency))
	if !ok || currency.Code == "" || currency.Exponent == 0 && minor != 0 {
		return Amount{}, false
	}
	return Amount{currency: currency, whole: whole, minor: minor}, true
}

// decimals is how many decimals are written: the exponent, or two for exponent 0 (`XX.XX`).
func decimals(currency Currency) int {
	if currency.Exponent == 0 {
		return 2
	}
	return currency.Exponent
}

// decimal reads digits, a point and digits. part is what follows the point, filled up with zeros to
// the given places. Within the limits, both fit into an int64.
func decimal(text string, wholeDigits, places int) (whole, part int64, ok bool) {
	before, after, point := strings.Cut(text, ".")
	if before == "" || len(before) > wholeDigits || len(before) > 1 && before[0] == '0' {
		return 0, 0, false
	}
	if point && after == "" || len(after) > places {
		return 0, 0, false
	}
	whole, wholeOK := digits(before)
	part, partOK := digits(after)
	return whole, part * pow10(places-len(after)), wholeOK && partOK
}

// digits reads up to 18 digits.
func digits(text string) (int64, bool) {
	var n int64
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// pow10 is 10 to the power of n, exact for 0 to 18.
func pow10(n int) int64 {
	power := int64(1)
	for range n {
		power *= 10
	}
	return power
}

// Currency returns the currency of the amount.
func (a Amount) Currency() Currency {
	return a.currency
}

// IsZero reports whether the amount is 0 or not known.
func (a Amount) IsZero() bool {
	return a.whole == 0 && a.minor == 0
}

// Sign returns 0 for zero and 1 for more; an amount is never negative.
func (a Amount) Sign() int {
	if a.IsZero() {
		return 0
	}
	return 1
}

// Cmp returns -1, 0 or 1 for less, equal or more than b, which has the same currency.
func (a Amount) Cmp(b Amount) int {
	a.mustShareCurrency(b)
	switch {
	case a == b:
		return 0
	case a.whole < b.whole || a.whole == b.whole && a.minor < b.minor:
		return -1
	}
	return 1
}

// Add returns a plus b, which has the same currency. There is an error if the sum has more than 15 digits before the
// point.
func (a Amount) Add(b Amount) (Amount, error) {
	a.mustShareCurrency(b)
	unit := pow10(a.currency.Exponent)
	a.whole += b.whole
	a.minor += b.minor
	if a.minor >= unit {
		a.whole++
		a.minor -= unit
	}
	if a.whole >= pow10(maxWholeDigits) {
		return Amount{}, errTooLarge
	}
	return a, nil
}

// Times returns n times a, for n from 0. There is an error if that has more than 15 digits before the point.
func (a Amount) Times(n int) (product Amount, err error) {
	product = Zero(a.currency)
	for ; n > 0 && err == nil; n /= 2 {
		if n%2 == 1 {
			product, err = product.Add(a)
		}
		if n > 1 && err == nil {
			a, err = a.Add(a)
		}
	}
	return product, err
}

// Sub returns a minus b, which has the same currency. There is an error if b is more than a.
func (a Amount) Sub(b Amount) (Amount, error) {
	if a.Cmp(b) < 0 {
		return Amount{}, errNegative
	}
	a.whole -= b.whole
	a.minor -= b.minor
	if a.minor < 0 {
		a.whole--
		a.minor += pow10(a.currency.Exponent)
	}
	return a, nil
}

func (a Amount) mustShareCurrency(b Amount) {
	if a.currency != b.currency {
		panic(fmt.Sprintf("money: %q and %q are two currencies", a.currency.Code, b.currency.Code))
	}
}
