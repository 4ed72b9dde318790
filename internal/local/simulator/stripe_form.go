package simulator

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"checkout/internal/money"
)

// metadataOf reads metadata[name] of a request into a map. An empty value removes the name.
func metadataOf(form url.Values, into map[string]string) {
	for name := range form {
		if key, is := strings.CutPrefix(name, "metadata["); is {
			key = strings.TrimSuffix(key, "]")
			into[key] = form.Get(name)
			if into[key] == "" {
				delete(into, key)
			}
		}
	}
}

// nested returns parameters as JSON: a[b]=c is {"a": {"b": "c"}}, a[0]=c is {"a": ["c"]}, and an empty value null.
func nested(form url.Values, names ...string) object {
	all := object{}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		top, rest, _ := strings.Cut(name, "[")
		if !slices.Contains(names, top) {
			continue
		}
		var value any = form.Get(name)
		switch value {
		case "":
			value = nil
		case "true", "false":
			value = value == "true"
		}
		if rest == "" {
			all[top] = value
			continue
		}
		path := strings.Split(strings.TrimSuffix(rest, "]"), "][")
		if _, err := strconv.Atoi(path[0]); err == nil || path[0] == "" {
			list, _ := all[top].([]any)
			all[top] = append(list, value)
			continue
		}
		at := all.child(top)
		for _, part := range path[:len(path)-1] {
			at = at.child(part)
		}
		at[path[len(path)-1]] = value
	}
	return all
}

// child returns the object that is a member, which is made if it is none yet.
func (o object) child(name string) object {
	child, is := o[name].(object)
	if !is {
		child = object{}
		o[name] = child
	}
	return child
}

// stripeDecimals are the decimals with which Stripe counts a currency, where ISO 4217 has others.
var stripeDecimals = map[string]int{"ISK": 2, "UGX": 2, "MGA": 0}

// stripeMinimums are the least amounts of charges, in Stripe's units (docs.stripe.com/currencies). The others have none
// here.
var stripeMinimums = map[string]int64{
	"USD": 50, "AED": 200, "AUD": 50, "BGN": 100, "BRL": 50, "CAD": 50, "CHF": 50, "CZK": 1500, "DKK": 250, "EUR": 50,
	"GBP": 30, "HKD": 400, "HUF": 17500, "INR": 50, "JPY": 50, "MXN": 1000, "MYR": 200, "NOK": 300, "NZD": 50, "PLN": 200,
	"RON": 200, "SEK": 300, "SGD": 50, "THB": 1000,
}

// stripeAmount reads an amount in Stripe's units.
func stripeAmount(text, code, parameter string) (money.Amount, int64, *stripeError) {
	currency, found := money.Find(strings.ToUpper(code))
	units, err := strconv.ParseInt(text, 10, 64)
	if !found || code != strings.ToLower(code) || len(code) != 3 {
		return money.Amount{}, 0, wrong("", "currency", "Invalid currency: "+code+".")
	}
	if err != nil {
		return money.Amount{}, 0, wrong("parameter_invalid_integer", parameter, "Invalid integer: "+text)
	}
	if units <= 0 {
		return money.Amount{}, 0, wrong("parameter_invalid_integer", parameter,
			"This value must be greater than or equal to 1.")
	}
	if units > 99_999_999_999_999 {
		return money.Amount{}, 0, wrong("amount_too_large", parameter, "Amount must be no more than 99999999999999.")
	}
	ours := text
	if decimals, other := stripeDecimals[currency.Code]; other && decimals > currency.Exponent {
		ours, other = strings.CutSuffix(text, "00")
		if !other {
			return money.Amount{}, 0, wrong("invalid_charge_amount", parameter, "It must be a multiple of 100.")
		}
	} else if other {
		ours += "00"
	}
	if currency.Exponent == 3 && !strings.HasSuffix(text, "0") {
		return money.Amount{}, 0, wrong("invalid_charge_amount", parameter, "It must be a multiple of 10.")
	}
	amount, err := money.ParseMinor(ours, currency)
	if err != nil {
		return money.Amount{}, 0, wrong("amount_too_large", parameter, "Invalid amount.")
	}
	return amount, units, nil
}

// stripeCharge reads the amount of a charge, which has a minimum.
func stripeCharge(text, code string) (money.Amount, int64, *stripeError) {
	amount, units, e := stripeAmount(text, code, "amount")
	if e == nil && units < stripeMinimums[amount.Currency().Code] {
		e = wrong("amount_too_small", "amount", "The amount must be at least "+
			strconv.FormatInt(stripeMinimums[amount.Currency().Code], 10)+" of the smallest units of "+code+".")
	}
	return amount, units, e
}

// stripeUnits is an amount as Stripe counts it.
func stripeUnits(a money.Amount) int64 {
	minor := a.Minor()
	if decimals, other := stripeDecimals[a.Currency().Code]; other {
		if decimals > a.Currency().Exponent {
			minor += "00"
		} else {
			minor = strings.TrimSuffix(minor, "00")
		}
	}
	n, _ := strconv.ParseInt(minor, 10, 64)
	return n
}

func stripeCurrency(a money.Amount) string { return strings.ToLower(a.Currency().Code) }

// readAccount is the account itself.
func readAccount(r stripeRequest) (any, *stripeError) {
	return object{
		"id": "acct_simulated", "object": "account", "country": "US", "default_currency": "usd", "type": "standard",
		"charges_enabled": true, "payouts_enabled": true, "details_submitted": true, "email": nil, "metadata": object{},
	}, nil
}
