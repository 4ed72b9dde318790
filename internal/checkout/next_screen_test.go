package checkout

import (
	"testing"

	"checkout/internal/merchant"
	"checkout/internal/request"
)

func TestReturnURLs(t *testing.T) {
	m := &merchant.Merchant{Password: "secret"}
	with, without := &merchant.Mapping{ReturnParameters: true}, &merchant.Mapping{}
	every := &merchant.Mapping{ReturnParameters: true, HashOnEveryReturn: true}
	fresh := &Session{FirstPaymentID: "p1"}
	tried := &Session{FirstPaymentID: "p1", PaymentID: "p2"}
	paid := &Session{FirstPaymentID: "p1", PaymentID: "p2", State: SessionComplete}
	for _, s := range []*Session{fresh, tried, paid} {
		s.Request.Order = request.Order{Number: "a&b", Amount: request.Amount{Text: "10.00"}, Currency: "USD", Description: "Pen"}
		s.Request.CancelURL = "https://shop.example/c"
	}
	of := func(id string) string { return "payment_id=" + id + "&trans_id=" + id + "&order_id=a%26b" }
	signedOf := func(id string) string {
		return of(id) + "&hash=" + merchant.SignHash(m, id, "a&b", "10.00", "USD", "Pen")
	}
	for _, c := range []struct{ name, got, want string }{
		{"off", returnURL("https://shop.example/?a=1", m, without, tried), "https://shop.example/?a=1"},
		{"no query", returnURL("https://shop.example/s", m, with, tried), "https://shop.example/s?" + of("p2")},
		{"a query", returnURL("https://shop.example/?a=1", m, with, tried), "https://shop.example/?a=1&" + of("p2")},
		{"an app", returnURL("myapp://done", m, with, tried), "myapp://done?" + of("p2")},
		{"before any attempt", returnURL("https://shop.example/e", m, with, fresh), "https://shop.example/e?" + of("p1")},
		{"none sent", returnURL("", m, with, tried), ""},
		{"cancelled before any attempt", cancelURL(m, with, fresh), "https://shop.example/c"},
		{"cancelled after one", cancelURL(m, with, tried), "https://shop.example/c?" + of("p2")},
		{"paid", returnURL("https://shop.example/s", m, with, paid), "https://shop.example/s?" + signedOf("p2")},
		{"paid, without parameters", returnURL("https://shop.example/s", m, without, paid), "https://shop.example/s"},
		{"hash on every return", returnURL("https://shop.example/e", m, every, fresh), "https://shop.example/e?" + signedOf("p1")},
		{"hash on every return, cancelled", cancelURL(m, every, tried), "https://shop.example/c?" + signedOf("p2")},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, c.got, c.want)
		}
	}
}
