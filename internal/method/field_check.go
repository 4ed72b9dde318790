package method

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"checkout/internal/method/value"
)

// fault returns what is wrong with a value, "" if nothing is or if there is no such check.
func (c Check) fault(value string) string {
	if r := rules[c]; r.read != nil {
		if _, good := r.read(value); !good {
			return NotValid(r.text)
		}
	}
	return ""
}

// plain returns a value as providers get it.
func (c Check) plain(value string) string {
	if r := rules[c]; r.read != nil {
		if plain, good := r.read(value); good {
			return plain
		}
	}
	return value
}

// Normalize returns a typed value as it is checked and stored.
func (f PageField) Normalize(value string) string {
	switch f.Format {
	case FormatDigits:
		return strings.Map(func(c rune) rune {
			if c < '0' || c > '9' {
				return -1
			}
			return c
		}, value)
	case FormatUpper:
		return strings.ToUpper(value)
	case FormatPhone:
		return NormalizePhone(value)
	}
	return value
}

// Fault returns what is wrong with a payer's value of a page field that is no parameter, "" if nothing is. A state is
// checked with its country. Every value of a sealed field is wrong, since it should be in the sealed card.
func (f PageField) Fault(value, country string) string {
	switch {
	case f.Sealed, HasControl(value), strings.TrimSpace(value) == "":
		return NotValid(f.rule())
	case f.Check == ruleState && HasStates(country):
		return faultUnless(isState(country, value), NotValid(f.rule()))
	case f.Max > 0 && LengthFault(value, f.Min, f.Max) != "", f.Check.fault(value) != "":
		return NotValid(f.rule())
	}
	return ""
}

// rule returns the rule of the field in a sentence.
func (f PageField) rule() string {
	if r, ok := rules[f.Check]; ok {
		return r.text
	}
	return fmt.Sprintf("It should have at most %d characters, and no control characters.", f.Max)
}

// Offers reports whether a value is one of the options, or there are none. The options may depend on another field,
// whose value is by.
func (i Input) Offers(value, by string) bool {
	return len(i.Options) == 0 ||
		slices.ContainsFunc(i.Options, func(o Option) bool { return o.Value == value && o.isFor(by) })
}

// OfferedFor returns the input with only the options for a value of the field that they depend on.
func (i Input) OfferedFor(by string) Input {
	var options []Option
	for _, o := range i.Options {
		if o.isFor(by) {
			options = append(options, Option{Value: o.Value})
		}
	}
	if w, found := i.Writings[by]; found {
		i.Writing = &w
	}
	i.Options, i.OptionsBy, i.Writings = options, "", nil
	return i
}

func (o Option) isFor(by string) bool { return len(o.By) == 0 || slices.Contains(o.By, by) }

// NormalizePhone removes the spaces, dots and slashes that people write into phone numbers.
func NormalizePhone(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || c == '.' || c == '/' {
			return -1
		}
		return c
	}, text)
}

// CheckPhone reports whether a text is digits and + ( ) - with at least one digit.
func CheckPhone(text string) bool {
	return strings.ContainsAny(text, "0123456789") &&
		only(text, func(c byte) bool { return isDigit(c) || strings.IndexByte("+()-", c) >= 0 })
}

// CheckCardNumber reports whether a text is 14 to 19 digits with a correct Luhn check digit.
func CheckCardNumber(number string) bool {
	return len(number) >= 14 && len(number) <= 19 && only(number, isDigit) &&
		value.Luhn(number) && strings.Trim(number, "0") != ""
}

// CheckSecurityCode reports whether a text is 3 or 4 digits.
func CheckSecurityCode(code string) bool {
	return len(code) >= 3 && len(code) <= 4 && only(code, isDigit)
}

// CheckExpiry reports whether a card with this month (1 to 12) and year (four digits) can be charged at now: it has not
// expired yet, and does not expire more than 50 years ahead.
func CheckExpiry(month, year int, now time.Time) bool {
	if month < 1 || month > 12 || year > now.Year()+50 {
		return false
	}
	return now.Before(CardEnds(month, year))
}

// CardEnds returns when a card expires: when the month of its expiry date has ended everywhere on earth.
func CardEnds(month, year int) time.Time {
	return time.Date(year, time.Month(month)+1, 1, 12, 0, 0, 0, time.UTC) // the month ends last in UTC-12
}
