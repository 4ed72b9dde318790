package checkout

import (
	"errors"
	"slices"
	"strings"
	"time"

	"checkout/internal/method"
	"checkout/internal/money"
)

// check finds a fault in a text that is not empty and answers its words (decisions.md 4), "" if there is none.
type check func(text string) string

func length(least, most int) check {
	return func(text string) string { return method.LengthFault(text, least, most) }
}

func upTo(most int) check { return length(1, most) }

func oneOf(values ...string) check {
	return orElse(method.TextNotChoice, func(text string) bool { return slices.Contains(values, text) })
}

// valid is a check whose fault has no words of its own.
func valid(ok func(string) bool) check { return orElse(method.TextNotValid, ok) }

func orElse(fault string, ok func(string) bool) check {
	return func(text string) string {
		if ok(text) {
			return ""
		}
		return fault
	}
}

// only is the check that a text has no other characters than these.
func only(characters string) check {
	return valid(func(text string) bool { return onlyOf(text, characters) })
}

func onlyOf(text, characters string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return !strings.ContainsRune(characters, c) })
}

const (
	digits       = "0123456789"
	letters      = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	orderNumber  = letters + digits + "-!\"#$%&'()*+,./:;@" // core.md, order.number
	customerName = letters + " .'-"
)

func isCustomerName(text string) bool {
	return strings.ContainsAny(text, letters) && onlyOf(text, customerName)
}

func isCallingCode(text string) bool {
	code, plus := strings.CutPrefix(text, "+")
	return plus && code != "" && len(code) <= 4 && onlyOf(code, digits)
}

// isLanguageTag takes a language of 2 to 8 letters, with or without further parts: en, EN, pt-BR, zh_Hant.
func isLanguageTag(text string) bool {
	for i, part := range strings.FieldsFunc(text, func(c rune) bool { return c == '-' || c == '_' }) {
		if len(part) > 8 || i == 0 && (len(part) < 2 || !onlyOf(part, letters)) || !onlyOf(part, letters+digits) {
			return false
		}
	}
	return text != "" && strings.ContainsAny(text[:1], letters) && strings.ContainsAny(text[len(text)-1:], letters+digits)
}

func isCurrency(code string) bool {
	_, ok := money.Find(code)
	return ok
}

// pastDay takes a day of the calendar that has begun somewhere on earth.
func pastDay(now time.Time) check {
	return valid(func(text string) bool {
		return method.CheckDate(text) && text <= now.UTC().Add(14*time.Hour).Format(time.DateOnly)
	})
}

// notPastDay takes a day of the calendar that is not over everywhere on earth.
func notPastDay(now time.Time) check {
	return valid(func(text string) bool {
		return method.CheckDate(text) && text >= now.UTC().Add(-12*time.Hour).Format(time.DateOnly)
	})
}

// amountIn takes an amount of a currency, greater than 0.
func amountIn(currency money.Currency) check {
	return func(text string) string {
		_, err := money.Parse(text, currency)
		switch {
		case errors.Is(err, money.ErrNotPositive):
			return "This value should be greater than 0."
		case err != nil:
			return method.TextNotValid
		}
		return ""
	}
}

// isUUID takes the 36 characters of a UUID, of any version.
func isUUID(text string) bool {
	return len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' &&
		len(strings.ReplaceAll(text, "-", "")) == 32 && onlyOf(text, "0123456789abcdefABCDEF-")
}
