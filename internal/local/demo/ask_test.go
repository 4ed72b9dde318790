package demo

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// service plays the service: status returns the payment, all other requests response. It stores the last other request.
type service struct {
	status   int
	response string
	path     string
	body     map[string]any
}

func (f *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/v1/payment/status" {
		_, _ = io.WriteString(w, `{"payment_id":"id-1","status":"settled"}`)
		return
	}
	f.path, f.body = r.URL.Path, nil
	_ = json.NewDecoder(r.Body).Decode(&f.body)
	w.WriteHeader(f.status)
	_, _ = io.WriteString(w, f.response)
}

func newService(t *testing.T, status int, response string) (*Shop, *service) {
	t.Helper()
	f := &service{status: status, response: response}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	shop := newShop(t, "abc123Pass")
	shop.config.BaseURL = server.URL
	shop.orders.add("1", order{Key: "test", Number: "1"})
	return shop, f
}

// press posts a form, follows a redirect and returns the page.
func press(shop *Shop, path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := do(shop, r)
	if to := w.Header().Get("Location"); strings.HasPrefix(to, "/demo/") {
		return do(shop, httptest.NewRequest(http.MethodGet, to, nil))
	}
	return w
}

func TestAsk(t *testing.T) {
	// The hashes were computed with openssl.
	const all, part = "58dcfe5c98a62f6dcc84597fcdddae6c1bb3861b", "f67c310648ce9e3ad5383f35bfb21fea3bc57112"
	tests := []struct {
		name, action, amount string
		status               int
		response             string
		path, sent, hash     string
		shown                string
	}{
		{"refund of all", "refund", "", 200, `{"result":"accepted"}`, "/api/v1/payment/refund", "", all, "accepted"},
		{"refund of a part", "refund", " 1.50 ", 200, `{"result":"accepted"}`, "/api/v1/payment/refund", "1.50", part,
			"accepted"},
		{"capture of a part", "capture", "1.50", 200, `{"trans_status":"SUCCESS"}`, "/api/v1/payment/capture", "1.50", part,
			"SUCCESS"},
		{"void is of all", "void", "1.50", 200, `{"trans_status":"SUCCESS"}`, "/api/v1/payment/void", "", all, "SUCCESS"},
		{"refused", "refund", "9", 400,
			`{"error_message":"Request data is invalid.","errors":[{"error_message":"amount: too much"}]}`,
			"/api/v1/payment/refund", "9", "", "amount: too much"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			shop, f := newService(t, test.status, test.response)
			do(shop, sent(t, "application/x-www-form-urlencoded", "order_number=1", noon)) // of the payment
			w := press(shop, "/demo/ask", url.Values{"order": {"1"}, "action": {test.action}, "amount": {test.amount}})
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "The response to: "+test.action) ||
				!strings.Contains(w.Body.String(), test.shown) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if waits := strings.Contains(w.Body.String(), `http-equiv="refresh"`); waits != (test.status == 200) {
				t.Errorf("waits for a callback: %v", waits)
			}
			want := map[string]any{"merchant_key": "test", "payment_id": "id-1", "hash": f.body["hash"]}
			if test.sent != "" {
				want["amount"] = test.sent
			}
			if test.hash != "" {
				want["hash"] = test.hash
			}
			if f.path != test.path || !maps.Equal(f.body, want) {
				t.Errorf("asked %s %v, want %v", f.path, f.body, want)
			}
		})
	}
}

func TestOnlyTheRequest(t *testing.T) {
	shop, f := newService(t, 200, "{}")
	w := press(shop, "/demo/buy", url.Values{"show": {"yes"}, "method": {"personal_id_br"}, "customer": {"yes"}})
	for _, text := range []string{"&#34;99.00&#34;", "&#34;BRL&#34;", "&#34;Brasilia&#34;", "&#34;52998224725&#34;"} {
		if !strings.Contains(w.Body.String(), text) || f.path != "" {
			t.Errorf("no %s, or a request to %q:\n%s", text, f.path, w.Body)
		}
	}
}

func TestAskForNothingKnown(t *testing.T) {
	for _, form := range []url.Values{
		{"order": {"2"}, "action": {"refund"}}, {"order": {"1"}, "action": {"status"}}, {"order": {"1"}}, {},
	} {
		shop, f := newService(t, 200, "{}")
		if w := press(shop, "/demo/ask", form); w.Code != http.StatusNotFound || f.path != "" {
			t.Errorf("%v: %d, asked %q", form, w.Code, f.path)
		}
	}
}

func TestButtonsOfAStatus(t *testing.T) {
	for status, want := range map[string]string{"settled": "refund void", "pending": "capture void", "decline": "",
		"refund": ""} {
		body := visitResult(t, `{"status":"`+status+`"}`, "/demo/return/order?order=1").Body.String()
		var got []string
		for _, action := range []string{"refund", "capture", "void"} {
			if strings.Contains(body, `<button id="`+action+`" name="action" value="`+action+`">`) {
				got = append(got, action)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", status, got)
		}
	}
}

// What the buyer chooses becomes fields of the session. Saved cards are those of the key that buys, from signed
// callbacks.
func TestChoices(t *testing.T) {
	shop, f := newService(t, 200, `{"redirect_url":"https://pay.example/"}`)
	shop.orders.add("2", order{Key: "live", Number: "2"})
	for _, told := range []string{"1&card_token=token-test", "2&card_token=token-live",
		"1&card_token=token-old&type=card_removed", "1&card_token=token-old"} {
		number, _, _ := strings.Cut(told, "&")
		hash := shop.config.hash(upperASCII, "", number)
		do(shop, sent(t, "application/x-www-form-urlencoded", "order_number="+told+"&hash="+hash, noon))
	}
	do(shop, sent(t, "application/x-www-form-urlencoded", "order_number=1&card_token=forged&hash=x", noon))
	for choice, want := range map[string]string{
		"": `{}`, "save=yes": `{"req_token":true}`, "auth=yes": `{"auth":true}`,
		"saved=yes": `{"card_token":["token-test"]}`, "language=de": `{"checkout_language":"de"}`,
		"frame=yes":                    `{"url_target":"_parent"}`,
		"outcome=declined@example.com": `{"customer":{"email":"declined@example.com"}}`,
		"schedule=0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10": `{"recurring_consent_required":true,"recurring_init":true,` +
			`"schedule_id":"0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10"}`,
		"method=crypto": `{"methods":["crypto"],"parameters":{"crypto":{"crypto_type":"USDT","network_type":"tron"}}}`,
		"method=personal_id_br": `{"methods":["personal_id_br"],` +
			`"parameters":{"personal_id_br":{"personal_id":"52998224725"}}}`,
		"method=personal_id_br&ask=yes": `{"methods":["personal_id_br"]}`,
	} {
		form, err := url.ParseQuery(choice)
		if err != nil {
			t.Fatal(err)
		}
		if w := press(shop, "/demo/buy", form); w.Code != http.StatusSeeOther && !strings.Contains(choice, "frame") {
			t.Errorf("%s: %d %s", choice, w.Code, w.Body)
		}
		for _, usual := range []string{"merchant_key", "operation", "order", "success_url", "cancel_url", "expiry_url",
			"error_url", "custom_data", "hash"} {
			if f.body[usual] == nil {
				t.Errorf("%s: no %s", choice, usual)
			}
			delete(f.body, usual)
		}
		if got, err := json.Marshal(f.body); err != nil || string(got) != want {
			t.Errorf("%s: sent %s, want %s", choice, got, want)
		}
	}
}
