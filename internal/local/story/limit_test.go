package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
)

func TestRateLimitOfAMerchant(t *testing.T) {
	w := open(t, func(m *settings.Merchant) { m.RateLimit = 2 })
	post := func(number string) (int, string) {
		code, body := w.call("POST", "/api/v1/session", w.shop.Sign(w.shop.Order(number)))
		return code, string(body)
	}
	for _, number := range []string{"one", "two"} {
		if code, body := post(number); code != 200 {
			t.Fatalf("%s: %d %s", number, code, body)
		}
	}
	if code, body := post("three"); code != 429 || !strings.Contains(body, `"error_message":"Too many requests."`) {
		t.Errorf("over the limit: %d %s", code, body)
	}
	for i, want := range []int{200, 200, 429} { // the function of statuses counts by itself
		if code, _ := w.shop.status("order_id", "one"); code != want {
			t.Errorf("status %d: %d, want %d", i+1, code, want)
		}
	}
	w.skip(500 * time.Millisecond)
	if code, body := post("three"); code != 200 {
		t.Errorf("half a second later: %d %s", code, body)
	}
}

// The payers of one merchant who pay in the same second are as many as its rate limit, whatever its server sends.
func TestRateLimitOfPayers(t *testing.T) {
	w := open(t, func(m *settings.Merchant) { m.RateLimit = 2 })
	var pays []func() int
	for _, number := range []string{"one", "two", "three"} {
		v := w.shop.visits(number)
		attempt := v.attempt("01/38")
		pays = append(pays, func() int {
			code, _ := w.call("POST", v.Path("pay"), attempt)
			return code
		})
		w.skip(time.Second)
	}
	for i, want := range []int{200, 200, 429} {
		if code := pays[i](); code != want {
			t.Errorf("payer %d of a second: %d, want %d", i+1, code, want)
		}
	}
	w.skip(500 * time.Millisecond)
	if code := pays[2](); code != 200 {
		t.Errorf("half a second later: %d", code)
	}
}
