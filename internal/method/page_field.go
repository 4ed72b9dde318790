package method

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// PageField is one input of the checkout page (core.md, Checkout page fields). Min and Max count
// characters. Sealed values reach the service only inside a sealed card.
type PageField struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Min      int    `json:"min"`
	Max      int    `json:"max"`
	Sealed   bool   `json:"sealed,omitempty"`
	Required bool   `json:"-"` // as answered by Method.PageFields
}

// The kinds of page fields.
const (
	FieldCardNumber   = "card_number"
	FieldExpiry       = "expiry"
	FieldSecurityCode = "security_code"
	FieldCardName     = "card_name"
	FieldText         = "text"
	FieldEmail        = "email"
	FieldCountry      = "country"
	FieldState        = "state"
	FieldPhone        = "phone"
	FieldAmount       = "amount"
	FieldConsent      = "consent"
)

// PageFields are all inputs in the order in which a page shows them: the country stands before the
// state, whose list depends on it.
var PageFields = []PageField{
	{ID: "payer_card", Kind: FieldCardNumber, Min: 14, Max: 19, Sealed: true},
	{ID: "payer_expiryDate", Kind: FieldExpiry, Min: 5, Max: 5, Sealed: true},
	{ID: "payer_cvv", Kind: FieldSecurityCode, Min: 3, Max: 4, Sealed: true},
	{ID: "payer_name", Kind: FieldCardName, Min: 3, Max: 32},
	{ID: "payee_card", Kind: FieldCardNumber, Min: 14, Max: 19, Sealed: true},
	{ID: "payer_email", Kind: FieldEmail, Min: 5, Max: 254},
	{ID: "payer_country", Kind: FieldCountry, Min: 2, Max: 2},
	{ID: "payer_state", Kind: FieldState, Min: 2, Max: 32},
	{ID: "payer_city", Kind: FieldText, Min: 1, Max: 32},
	{ID: "payer_address", Kind: FieldText, Min: 1, Max: 32},
	{ID: "payer_zip", Kind: FieldText, Min: 1, Max: 32},
	{ID: "payer_phone", Kind: FieldPhone, Min: 1, Max: 32},
}

// PageFields answers the method's own fields for an operation and those of the
// given ids, all required, in page order. A payout needs the card's number and expiry
// alone, and a transfer a second card that it goes to.
func (m Method) PageFields(operation string, ids []string) []PageField {
	var fields []PageField
	for _, row := range PageFields {
		own := slices.Contains(m.Fields, row.ID)
		switch row.ID {
		case "payer_cvv", "payer_name":
			own = own && operation != "credit"
		case "payee_card":
			own = m.Kind == KindCard && operation == "transfer"
		}
		if own || slices.Contains(ids, row.ID) {
			row.Required = true
			fields = append(fields, row)
		}
	}
	return fields
}

// CheckPageField reports whether a payer's value of a field is good. The country decides what a state
// may be, and is unused elsewhere. A sealed field's value can't be known here and is refused.
func CheckPageField(id, value, country string) bool {
	i := slices.IndexFunc(PageFields, func(f PageField) bool { return f.ID == id })
	if i < 0 || PageFields[i].Sealed {
		return false
	}
	row := PageFields[i]
	if HasControl(value) || strings.TrimSpace(value) == "" {
		return false
	}
	if row.Kind == FieldState && HasStates(country) {
		return IsState(country, value)
	}
	return LengthFault(value, row.Min, row.Max) == "" && checkKind(row.Kind, value)
}

// PageRule is what CheckPageField wants of a field, in a sentence.
func PageRule(id string) string {
	i := slices.IndexFunc(PageFields, func(f PageField) bool { return f.ID == id })
	if i < 0 {
		return RuleText
	}
	switch row := PageFields[i]; row.Kind {
	case FieldCardName:
		return "It should have two words of letters or more, and at most 32 characters."
	case FieldEmail:
		return RuleEmail
	case FieldCountry:
		return "It should be a country's alpha-2 code."
	case FieldState:
		return "It should be a state of the country."
	case FieldPhone:
		return RulePhone
	default:
		return fmt.Sprintf("It should have at most %d characters, and no control characters.", row.Max)
	}
}

func checkKind(kind, value string) bool {
	switch kind {
	case FieldCardName:
		return checkCardName(value)
	case FieldEmail:
		return CheckEmail(value)
	case FieldCountry:
		return IsCountry(value)
	case FieldPhone:
		return CheckPhone(value)
	}
	return true
}

// PlainPhone drops the spaces, dots and slashes that people write into phone numbers.
func PlainPhone(text string) string {
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

// checkCardName reports whether a text is two or more words of letters, diacritics, hyphens and
// apostrophes, each with a letter.
func checkCardName(text string) bool {
	words := strings.Fields(text)
	for _, word := range words {
		if !strings.ContainsFunc(word, unicode.IsLetter) {
			return false
		}
		for _, c := range word {
			if !unicode.IsLetter(c) && !unicode.Is(unicode.M, c) && !strings.ContainsRune("-'’", c) {
				return false
			}
		}
	}
	return len(words) >= 2
}

// CheckCardNumber reports whether a text is 14 to 19 digits with a good Luhn check digit.
func CheckCardNumber(number string) bool {
	if len(number) < 14 || len(number) > 19 || !only(number, isDigit) {
		return false
	}
	sum := 0
	for i := range len(number) {
		digit := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			digit *= 2
		}
		sum += digit/10 + digit%10
	}
	return sum%10 == 0 && strings.Trim(number, "0") != ""
}

// CheckSecurityCode reports whether a text is 3 or 4 digits.
func CheckSecurityCode(code string) bool {
	return len(code) >= 3 && len(code) <= 4 && only(code, isDigit)
}

// CheckExpiry reports whether a card with this month (1 to 12) and year (four digits) is good at now:
// up to the end of its month everywhere on earth, and not more than 50 years ahead.
func CheckExpiry(month, year int, now time.Time) bool {
	if month < 1 || month > 12 || year > now.Year()+50 {
		return false
	}
	return now.Before(CardEnds(month, year))
}

// CardEnds is when the month of a card's expiry date has ended everywhere on earth.
func CardEnds(month, year int) time.Time {
	return time.Date(year, time.Month(month)+1, 1, 12, 0, 0, 0, time.UTC) // UTC-12 is the last to leave the month
}
