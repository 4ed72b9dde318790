package demo

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func newShop(t *testing.T, password string) *Shop {
	t.Helper()
	shop, err := New(Config{
		Schedules: []Schedule{{"0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10", "Every month"}},
		Methods:   []string{"card", "crypto", "personal_id_br"}, Infra: "../../../infra",
		BaseURL: "http://localhost:1", LiveKey: "live", TestKey: "test", Password: password, CallbackSecret: secret,
		Now: func() time.Time { return noon }, Random: func(n int) []byte { return make([]byte, n) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return shop
}

// sent is a callback, signed at a time with a secret.
func sent(t *testing.T, contentType, body string, at time.Time) *http.Request {
	t.Helper()
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := webhook.Sign("msg_1", at, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/demo/callback", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("webhook-id", "msg_1")
	r.Header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	r.Header.Set("webhook-signature", signature)
	return r
}

func do(shop *Shop, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	shop.ServeHTTP(w, r)
	return w
}

func TestCallback(t *testing.T) {
	// The hashes were computed with openssl from the specification's example and from one beyond ASCII.
	const ascii, beyond = "2eaec787497305b716feb9f244bf8d4a52c835c5", "b94de1fbf6883c02094770977d0294b01636a72a"
	const form, id = "application/x-www-form-urlencoded", "63c781cc-de3d-11eb-a1f1-0242ac130006"
	const order = "id=" + id + "&order_number=order-1234&order_amount=100.99&order_currency=USD&" +
		"order_description=Important+gift+-+%23+9"
	tests := []struct {
		name, contentType, body string
		at                      time.Time
		spoil                   func(*http.Request)
		hashOK, signatureOK     bool
	}{
		{"form", form, order + "&hash=" + ascii, noon, nil, true, true},
		{"upper-case hash", form, order + "&hash=" + strings.ToUpper(ascii), noon, nil, true, true},
		{"JSON beyond ASCII", "application/json",
			`{"id":"` + id + `","order_number":"order-1234","order_amount":"10.00","order_currency":"EUR",` +
				`"order_description":"Zahlung für Çay","custom_data":{"a":"b"},"hash":"` + beyond + `"}`, noon, nil, true, true},
		{"other amount", form, strings.Replace(order, "100.99", "1.00", 1) + "&hash=" + ascii, noon, nil, false, true},
		{"no hash", form, order, noon, nil, false, true},
		{"signed long ago", form, order + "&hash=" + ascii, noon.Add(-6 * time.Minute), nil, true, false},
		{"signed in the future", form, order + "&hash=" + ascii, noon.Add(6 * time.Minute), nil, true, false},
		{"other id", form, order + "&hash=" + ascii, noon, func(r *http.Request) { r.Header.Set("webhook-id", "msg_2") },
			true, false},
		{"no signature", form, order + "&hash=" + ascii, noon, func(r *http.Request) { r.Header.Del("webhook-signature") },
			true, false},
		{"neither form nor JSON", "text/plain", order + "&hash=" + ascii, noon, nil, false, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			shop := newShop(t, "abc123Pass")
			r := sent(t, test.contentType, test.body, test.at)
			if test.spoil != nil {
				test.spoil(r)
			}
			if w := do(shop, r); w.Code != http.StatusOK || w.Body.String() != "OK" {
				t.Errorf("answer %d %q", w.Code, w.Body)
			}
			got := shop.callbacksOf("")
			if len(got) != 1 || got[0].HashOK != test.hashOK || got[0].SignatureOK != test.signatureOK {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestCallbacksKeepsTheNewestInTheirOrder(t *testing.T) {
	shop := newShop(t, "abc123Pass")
	list := func(query string) string {
		return strings.TrimSpace(do(shop, httptest.NewRequest(http.MethodGet, "/demo/callbacks"+query, nil)).Body.String())
	}
	if got := list(""); got != "[]" {
		t.Errorf("none is %s", got)
	}
	for i := range maxRecent + 2 {
		do(shop, sent(t, "application/x-www-form-urlencoded", "order_number="+strconv.Itoa(i), noon))
	}
	all := shop.callbacksOf("")
	if len(all) != maxRecent || all[0].fields["order_number"] != "2" ||
		all[maxRecent-1].fields["order_number"] != strconv.Itoa(maxRecent+1) {
		t.Errorf("%d from %v to %v", len(all), all[0].fields, all[len(all)-1].fields)
	}
	want := `"body":{"order_number":"7"},"hash_ok":false,"signature_ok":true}]`
	if got := list("?order=7"); !strings.HasPrefix(got, `[{"received_at":"2030-01-02T12:00:00Z","headers":{`) ||
		!strings.HasSuffix(got, want) {
		t.Error(got)
	}
	if got := list("?order=1"); got != "[]" {
		t.Errorf("a forgotten one: %s", got)
	}
	large := httptest.NewRequest(http.MethodPost, "/demo/callback", strings.NewReader(strings.Repeat("x", mostBody+1)))
	if w := do(shop, large); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a large one: %d", w.Code)
	}
}

func TestOrdersAreForgottenToo(t *testing.T) {
	var orders recent[int]
	for i := range maxRecent + 2 {
		orders.add(strconv.Itoa(i), i)
	}
	if _, found := orders.values["1"]; found || len(orders.values) != maxRecent || len(orders.names) != maxRecent {
		t.Errorf("%d values, %d names", len(orders.values), len(orders.names))
	}
}

func TestWithoutTheService(t *testing.T) {
	w := do(newShop(t, "p"), httptest.NewRequest(http.MethodPost, "/demo/buy", nil))
	if w.Code != http.StatusBadGateway || !strings.Contains(w.Body.String(), "the service did not respond") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestCurlLineKeepsEveryCharacter(t *testing.T) {
	line := newShop(t, `it's $(x) "y"`).config.CurlLine()
	if !strings.Contains(line, `'it'\''s $(x) "y"'`) {
		t.Error(line)
	}
}
