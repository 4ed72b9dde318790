package request

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"

	"checkout/internal/method"
	"checkout/internal/money"
)

// Check returns the text of the fault (protocol.md, Errors) of a text that is not empty, "" if it is valid.
type Check func(text string) string

// lengthBetween accepts texts by their number of characters.
func lengthBetween(least, most int) Check {
	return func(text string) string { return method.LengthFault(text, least, most) }
}

// UpTo accepts texts of at most so many characters.
func UpTo(most int) Check { return lengthBetween(1, most) }

// OneOf accepts these values.
func OneOf[T ~string](values ...T) Check {
	return OrElse(method.TextNotChoice, func(text string) bool { return slices.Contains(values, T(text)) })
}

// Valid returns a check whose fault says that the value is not valid, and states the rule in a sentence.
func Valid(rule string, ok func(string) bool) Check { return OrElse(method.NotValid(rule), ok) }

// OrElse returns a check with this text of its fault.
func OrElse(fault string, ok func(string) bool) Check {
	return func(text string) string {
		if ok(text) {
			return ""
		}
		return fault
	}
}

// isOrderNumber accepts the characters of protocol.md, Order.
var isOrderNumber = Valid("It should have letters, digits and "+orderMarks+" only.",
	func(text string) bool { return !strings.Contains(text, " ") && OnlyOf(text, Letters+Digits+orderMarks) })

// isAnyNumber accepts what `order_number: any` allows: printable characters and spaces.
var isAnyNumber = Valid("It should have printable characters only.",
	func(text string) bool {
		return !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
	})

// orderNumber returns the check of order.number, with the characters of protocol.md, Order, or any.
func orderNumber(any bool) Check {
	if any {
		return isAnyNumber
	}
	return isOrderNumber
}

// OnlyOf reports whether a text has no other characters than these.
func OnlyOf(text, characters string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return !strings.ContainsRune(characters, c) })
}

// Digits and Letters are the ASCII digits and letters, for OnlyOf.
const (
	Digits       = "0123456789"
	Letters      = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	orderMarks   = "- ! \" # $ % & ' ( ) * + , . / : ; @" // of order.number, with spaces so that a fault is readable
	customerName = Letters + " .'-"
)

var isCustomerName = Valid("It should have basic Latin letters, spaces and . ' - only.",
	func(text string) bool { return strings.ContainsAny(text, Letters) && OnlyOf(text, customerName) })

var isCallingCode = Valid("It should be a plus and 1 to 4 digits, such as +49.", func(text string) bool {
	code, plus := strings.CutPrefix(text, "+")
	return plus && code != "" && len(code) <= 4 && OnlyOf(code, Digits)
})

var (
	isMethod    = OrElse(method.TextNotChoice, func(id string) bool { _, ok := method.Find(id); return ok })
	isCountry   = OrElse(method.TextNotChoice, method.IsCountry)
	isCardToken = lengthBetween(64, 64)
	isPhone     = Valid(method.RulePhone, method.CheckPhone)
	isLanguage  = Valid("It should be a language tag, such as en or pt-BR.", isLanguageTag)
	// IsReceiver accepts an address of callbacks.
	IsReceiver = OrElse(method.TextNotURL, method.CheckReceiverURL)
	// IsEmail accepts an e-mail address.
	IsEmail = Valid(method.RuleEmail, method.CheckEmail)
	// IsUUID accepts a UUID of any version.
	IsUUID = Valid("It should be a UUID.", hasUUIDForm)
)

// isLanguageTag accepts a language of 2 to 8 letters, with or without further parts: en, EN, pt-BR, zh_Hant.
func isLanguageTag(text string) bool {
	for i, part := range strings.FieldsFunc(text, func(c rune) bool { return c == '-' || c == '_' }) {
		if len(part) > 8 || i == 0 && (len(part) < 2 || !OnlyOf(part, Letters)) || !OnlyOf(part, Letters+Digits) {
			return false
		}
	}
	return text != "" && strings.ContainsAny(text[:1], Letters) && strings.ContainsAny(text[len(text)-1:], Letters+Digits)
}

// IsCurrency reports whether there is a currency with this code.
func IsCurrency(code string) bool {
	_, ok := money.Find(code)
	return ok
}

// pastDay accepts a date that has begun in some time zone.
func pastDay(now time.Time) Check {
	return Valid("It should be a day that has begun, written yyyy-mm-dd.", func(text string) bool {
		return method.CheckDate(text) && text <= now.UTC().Add(14*time.Hour).Format(time.DateOnly)
	})
}

// notPastDay accepts a date that is not over in every time zone.
func notPastDay(now time.Time) Check {
	return Valid("It should be a day that is not over, written yyyy-mm-dd.", func(text string) bool {
		return method.CheckDate(text) && text >= now.UTC().Add(-12*time.Hour).Format(time.DateOnly)
	})
}

// AmountIn accepts an amount of a currency, greater than 0.
func AmountIn(currency money.Currency) Check {
	return func(text string) string {
		_, err := money.Parse(text, currency)
		switch {
		case errors.Is(err, money.ErrNotPositive):
			return "This value should be greater than 0."
		case err != nil:
			return AmountNotValid(currency)
		}
		return ""
	}
}

// AmountNotValid returns the fault of a text that is no amount of a currency.
func AmountNotValid(currency money.Currency) string {
	switch {
	case currency == anyCurrency:
		return method.NotValid("It should be a number such as 10.00.")
	case currency.Exponent == 0:
		return method.NotValid("It should be a number such as 10.00: " + currency.Code + " has no decimals but zeros.")
	}
	return method.NotValid(fmt.Sprintf("It should be a number such as 10.%0*d: %s has %d decimals.", currency.Exponent, 0,
		currency.Code, currency.Exponent))
}

// hasUUIDForm reports whether a text has the form of a UUID, of any version.
func hasUUIDForm(text string) bool {
	return len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' &&
		len(strings.ReplaceAll(text, "-", "")) == 32 && OnlyOf(text, "0123456789abcdefABCDEF-")
}

// anyCurrency is used to check amounts whose currency is not known yet. It accepts amounts of every currency.
var anyCurrency = money.Currency{Code: "unknown", Exponent: 18}

// isIP checks the address of a payer.
var isIP = Valid("It should be an IPv4 or IPv6 address.", func(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Zone() == ""
})
