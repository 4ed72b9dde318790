package money

import (
	"fmt"
	"strings"
)

// String writes the amount with all decimals of its currency, as protocol.md, Amounts, has it:
// "10.50" USD, "100.00" JPY, "1.500" KWD. The zero Amount is "".
func (a Amount) String() string {
	if a == (Amount{}) {
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

// MarshalText writes the amount as String does: the currency is stored elsewhere in the document, once for all amounts.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what MarshalText wrote, also zero. The amount has no currency yet: In gives it that of its
// document. If there is an error, the amount is unchanged.
func (a *Amount) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*a = Amount{}
		return nil
	}
	_, after, _ := strings.Cut(string(text), ".")
	places := min(len(after), maxPlaces)
	whole, minor, ok := decimal(string(text), maxWholeDigits, places)
	if !ok {
		return errNotValid
	}
	*a = Amount{currency: Currency{Exponent: places}, whole: whole, minor: minor}
	return nil
}

// ParseMinor reads a whole number of minor units, zero included, as Minor writes it and providers send it.
func ParseMinor(text string, currency Currency) (Amount, error) {
	tooLong := len(text) > maxWholeDigits+currency.Exponent
	if currency.Code == "" || text == "" || tooLong || len(text) > 1 && text[0] == '0' {
		return Amount{}, errNotValid
	}
	text = strings.Repeat("0", max(0, currency.Exponent+1-len(text))) + text
	point := len(text) - currency.Exponent
	whole, wholeOK := digits(text[:point])
	minor, minorOK := digits(text[point:])
	if !wholeOK || !minorOK {
		return Amount{}, errNotValid
	}
	return Amount{currency: currency, whole: whole, minor: minor}, nil
}

// maxPlaces is the most decimals of any currency.
const maxPlaces = 18

// In returns an amount that was read from a document, in the currency of that document. There is an error if the amount
// has another currency already, or more decimals than the currency. The zero Amount stays as it is.
func (a Amount) In(currency Currency) (Amount, error) {
	if a == (Amount{}) {
		return a, nil
	}
	if currency.Code == "" || a.currency.Code != "" && a.currency != currency {
		return Amount{}, errNotValid
	}
	more := currency.Exponent - a.currency.Exponent // decimals
	fewer := pow10(max(-more, 0))
	if a.minor%fewer != 0 {
		return Amount{}, errNotValid
	}
	return Amount{currency: currency, whole: a.whole, minor: a.minor * pow10(max(more, 0)) / fewer}, nil
}
