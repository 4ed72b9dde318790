package payer

import (
	"slices"
	"testing"

	"checkout/internal/checkout"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/settings"
)

func TestExchangeRate(t *testing.T) {
	usd, _ := money.Find("USD")
	order, _ := money.Parse("100", usd)
	coins := func(value, currency string) screen.Shown {
		return screen.Shown{ID: "crypto_amount", Type: screen.ShownAmount, Value: value, Currency: currency}
	}
	address := screen.Shown{ID: "crypto_address", Type: screen.ShownCopy, Value: "bc1q"}
	own := screen.Shown{ID: exchangeRate, Type: screen.ShownText, Value: "about 50,000 dollars"}
	for name, test := range map[string]struct {
		rows  []screen.Shown
		order money.Amount
		want  string // of the row that is added
	}{
		"a coin":                  {[]screen.Shown{address, coins("0.002", "BTC"), address}, order, "50000.00"},
		"the provider's own":      {[]screen.Shown{coins("0.002", "BTC"), own}, order, ""},
		"a coin of no worth":      {[]screen.Shown{coins("101", "DOGE")}, order, ""},
		"a coin for a dollar":     {[]screen.Shown{coins("100", "USDT")}, order, "1.00"},
		"the order's currency":    {[]screen.Shown{coins("100", "USD")}, order, ""},
		"an amount in words":      {[]screen.Shown{coins("some", "BTC")}, order, ""},
		"an amount not known yet": {[]screen.Shown{coins("0.002", "BTC")}, money.Amount{}, ""},
		"no coins":                {[]screen.Shown{address}, order, ""},
	} {
		before := slices.Clone(test.rows)
		got := withRate(test.rows, test.order)
		want := test.rows
		if test.want != "" {
			at := slices.IndexFunc(want, func(row screen.Shown) bool { return row.ID == "crypto_amount" }) + 1
			want = slices.Insert(slices.Clone(want), at,
				screen.Shown{ID: exchangeRate, Type: screen.ShownAmount, Value: test.want, Currency: "USD"})
		}
		if !slices.Equal(got, want) || !slices.Equal(test.rows, before) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestReturnURLs(t *testing.T) {
	m := &settings.Merchant{Password: "secret"}
	with, without := &settings.Mapping{ReturnParameters: true}, &settings.Mapping{}
	every := &settings.Mapping{ReturnParameters: true, HashOnEveryReturn: true}
	fresh := &checkout.Session{FirstPaymentID: "p1"}
	second := checkout.LatestAttempt{PaymentID: "p2"}
	tried := &checkout.Session{FirstPaymentID: "p1", LatestAttempt: second}
	paid := &checkout.Session{FirstPaymentID: "p1", LatestAttempt: second, State: checkout.SessionComplete}
	for _, s := range []*checkout.Session{fresh, tried, paid} {
		s.Request.Order = request.Order{Number: "a&b", Currency: "USD", Description: "Pen"}
		s.Request.Order.Amount.Text = "10.00"
		s.Request.CancelURL = "https://shop.example/c"
	}
	parameters := func(id string) string { return "payment_id=" + id + "&trans_id=" + id + "&order_id=a%26b" }
	signed := func(id string) string {
		return parameters(id) + "&hash=" + settings.SignHash(m, id, "a&b", "10.00", "USD", "Pen")
	}
	const errorURL = "https://shop.example/e"
	for _, test := range []struct{ name, got, want string }{
		{"parameters off", returnURL("https://shop.example/?a=1", m, without, tried), "https://shop.example/?a=1"},
		{"no query", returnURL("https://shop.example/s", m, with, tried), "https://shop.example/s?" + parameters("p2")},
		{"a query", returnURL("https://shop.example/?a=1", m, with, tried), "https://shop.example/?a=1&" + parameters("p2")},
		{"an app", returnURL("myapp://done", m, with, tried), "myapp://done?" + parameters("p2")},
		{"before any attempt", returnURL(errorURL, m, with, fresh), errorURL + "?" + parameters("p1")},
		{"no URL", returnURL("", m, with, tried), ""},
		{"cancelled before any attempt", cancelURL(m, with, fresh), "https://shop.example/c"},
		{"cancelled after one", cancelURL(m, with, tried), "https://shop.example/c?" + parameters("p2")},
		{"paid", returnURL("https://shop.example/s", m, with, paid), "https://shop.example/s?" + signed("p2")},
		{"paid, without parameters", returnURL("https://shop.example/s", m, without, paid), "https://shop.example/s"},
		{"hash on every return", returnURL(errorURL, m, every, fresh), errorURL + "?" + signed("p1")},
		{"hash on every return, cancelled", cancelURL(m, every, tried), "https://shop.example/c?" + signed("p2")},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, test.got, test.want)
		}
	}
}
