package callback

import (
	"strings"
	"testing"
)

// Of a response that is no success the beginning is shown, without what the payer and the shop would not want there.
func TestShownResponse(t *testing.T) {
	token := strings.Repeat("5e", 32)
	c := &Callback{Fields: Fields{
		{Name: "id", Value: "1"}, {Name: "card_token", Value: token}, {Name: "customer_email", Value: "ada@pens.example"},
		{Name: "order_number", Value: "no such order"}, {Name: "order_description", Value: "no such"},
		{Name: "customer_ip", Value: "192.0.2.123"},
	}}
	for text, want := range map[string]string{
		"": "", " no such\norder\x00 ": "no such order", strings.Repeat("x", 1000): strings.Repeat("x", 100), "\xff\xfe": "?",
	} {
		if got := c.shown([]byte(text)); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	for _, secret := range []string{"ada@pens.example", "192.0.2.123", "4111 1111 1111 1111", token} {
		for _, text := range []string{secret, "for " + secret + " no", "id=1&x=" + secret + "&y=2"} {
			if got := c.shown([]byte(text)); strings.Contains(got, secret[:6]) {
				t.Errorf("%q is shown as %q", text, got)
			}
		}
	}
}
