package words

import (
	"cmp"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
)

// Sentence returns a text that ends with a full stop.
func Sentence(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

// uncapital returns a sentence as the end of another one.
func uncapital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// RequestText returns what people call a request of an amount.
func RequestText(kind payment.EventType, amount money.Amount, p *payment.Payment) string {
	if amount.IsZero() {
		return nameOf(kind)
	}
	return nameOf(kind) + " of " + amountText(amount.String(), p.Order.Currency)
}

// nameOf returns what people call a request.
func nameOf(kind payment.EventType) string {
	switch kind {
	case payment.EventSale, payment.EventDebit, payment.EventRecurring:
		return "payment"
	case payment.EventCredit:
		return "payout"
	case payment.EventGiveBack:
		return "return"
	}
	return string(kind)
}

func amountText(amount, currency string) string {
	return cmp.Or(amount, "an amount that the payer enters") + " " + currency
}

// Clock returns a time in a sentence.
func Clock(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

func amount(a money.Amount) string { return connector.WithCurrency(a) }

// known returns an amount that is not zero as text, else "".
func known(a money.Amount) string {
	if a.IsZero() {
		return ""
	}
	return a.String()
}

const bankIsSlow = "It can take your bank several days to show it."
