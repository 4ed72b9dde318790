package stripe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// currencyRule is how Stripe counts a currency, where that is not in hundredths.
type currencyRule struct {
	decimals int    // of the amounts in requests
	ends     string // how every amount must end
}

// currencyRules are all currencies with a rule of their own (docs.stripe.com/currencies: zero-decimal currencies,
// three-decimal currencies, special cases). HUF and TWD have special cases for payouts to merchants only.
var currencyRules = map[string]currencyRule{
	"BIF": {}, "CLP": {}, "DJF": {}, "GNF": {}, "JPY": {}, "KMF": {}, "KRW": {}, "MGA": {}, "PYG": {}, "RWF": {},
	"VND": {}, "VUV": {}, "XAF": {}, "XOF": {}, "XPF": {},
	"ISK": {2, "00"}, "UGX": {2, "00"}, // have no decimals, but are sent with them
	"BHD": {3, "0"}, "JOD": {3, "0"}, "KWD": {3, "0"}, "OMR": {3, "0"}, "TND": {3, "0"},
}

// units returns an amount as Stripe counts it, or the reason why Stripe can't charge it.
func units(a money.Amount) (int64, reason.Code) {
	currency := a.Currency()
	rule, special := currencyRules[currency.Code]
	if !special {
		rule.decimals = 2
		if currency.Exponent != 2 {
			return 0, reason.CurrencyNotSupported
		}
	}
	digits, whole := a.Minor(), true
	if more := rule.decimals - currency.Exponent; more >= 0 {
		digits += strings.Repeat("0", more)
	} else {
		digits, whole = strings.CutSuffix(digits, strings.Repeat("0", -more))
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || !whole || !strings.HasSuffix(digits, rule.ends) {
		return 0, reason.AmountInvalid
	}
	return n, ""
}

// amountOf returns an amount that Stripe counts, of a currency that it names in lower case; zero if that can't be one.
func amountOf(n int64, code string) money.Amount {
	currency, found := money.Find(strings.ToUpper(code))
	if !found || n <= 0 {
		return money.Amount{}
	}
	decimals, digits := 2, strconv.FormatInt(n, 10)
	if rule, special := currencyRules[currency.Code]; special {
		decimals = rule.decimals
	}
	if more := decimals - currency.Exponent; more > 0 {
		if digits, found = strings.CutSuffix(digits, strings.Repeat("0", more)); !found {
			return money.Amount{}
		}
	} else {
		digits += strings.Repeat("0", -more)
	}
	amount, err := money.ParseMinor(digits, currency)
	if err != nil {
		return money.Amount{}
	}
	return amount
}

// otherAmount is the error that Stripe has moved another amount than was asked for, both in its units, with or without
// its approval.
func otherAmount(moved int64, requested string, code stripe.Currency, approved bool) error {
	n, err := strconv.ParseInt(requested, 10, 64)
	got, want := amountOf(moved, string(code)), amountOf(n, string(code))
	if !approved && (err != nil || got.IsZero() || want.IsZero()) {
		return errOtherAmount
	}
	return connector.OtherAmountError{Moved: got, Requested: want, Approved: approved}
}

var errOtherAmount = fmt.Errorf("Stripe says %w", connector.ErrOtherAmount)
