package money

import (
	"fmt"
	"strings"
)

// String writes the amount with all decimals of its currency, as core.md's Amount format has it:
// "10.50" USD, "100.00" JPY, "1.500" KWD. The zero Amount is "".
func (a Amount) String() string {
	if a.currency.Code == "" {
		return ""
	}
	return fmt.Sprintf("%d.%0*d", a.whole, decimals(a.currency), a.minor)
}

// Minor writes the amount as a whole number of minor units, for providers that count in those:
// "1050" for 10.50 USD, "100" for 100.00 JPY. The zero Amount is "".
func (a Amount) Minor() string {
	if a.currency.Code == "" {
		return ""
	}
	if a.currency.Exponent == 0 {
		return fmt.Sprint(a.whole)
	}
	text := strings.TrimLeft(fmt.Sprintf("%d%0*d", a.whole, a.currency.Exponent, a.minor), "0")
	if text == "" {
		return "0"
	}
	return text
}

// MarshalText writes the amount for a store, with its currency: "10.50 USD". The zero Amount is "".
func (a Amount) MarshalText() ([]byte, error) {
	if a.currency.Code == "" {
		return nil, nil
	}
	return []byte(a.String() + " " + a.currency.Code), nil
}

// UnmarshalText reads what MarshalText wrote, also zero. The error is ErrNotValid; the amount is then unchanged.
func (a *Amount) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*a = Amount{}
		return nil
	}
	number, code, _ := strings.Cut(string(text), " ")
	currency, found := Find(code)
	amount, ok := read(number, currency)
	if !found || !ok {
		return ErrNotValid
	}
	*a = amount
	return nil
}

// ParseMinor reads a whole number of minor units, zero included, as Minor writes it and providers send it. The error is
// ErrNotValid.
func ParseMinor(text string, currency Currency) (Amount, error) {
	tooLong := len(text) > maxWholeDigits+currency.Exponent
	if currency.Code == "" || text == "" || tooLong || len(text) > 1 && text[0] == '0' {
		return Amount{}, ErrNotValid
	}
	text = strings.Repeat("0", max(0, currency.Exponent+1-len(text))) + text
	point := len(text) - currency.Exponent
	whole, wholeOK := digits(text[:point])
	minor, minorOK := digits(text[point:])
	if !wholeOK || !minorOK {
		return Amount{}, ErrNotValid
	}
	return Amount{currency: currency, whole: whole, minor: minor}, nil
}
