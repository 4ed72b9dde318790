package demo

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// visitResult is the page after the return, with that response of the service about the order "1".
func visitResult(t *testing.T, response, address string) *httptest.ResponseRecorder {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(response))
	}))
	t.Cleanup(service.Close)
	shop := newShop(t, "p")
	shop.config.BaseURL = service.URL
	shop.orders.add("1", order{Number: "1"})
	return do(shop, httptest.NewRequest(http.MethodGet, address, nil))
}

func TestResultOfASessionWithoutAttempt(t *testing.T) {
	const again, promise, none = `http-equiv="refresh"`, "None so far.", "None: there was no attempt to pay"
	tests := []struct {
		response   string
		yes, never []string
	}{
		{`{"status":"decline","reason_code":"session_cancelled"}`, []string{none}, []string{again, promise}},
		{`{"status":"decline","reason_code":"session_expired"}`, []string{none}, []string{again, promise}},
		{`{"status":"decline","reason":"Declined by processing."}`, []string{again, promise}, []string{none}},
		{`{"status":"prepare"}`, []string{again, promise}, []string{none}},
	}
	for _, test := range tests {
		body := visitResult(t, test.response, "/demo/return/cancel?order=1").Body.String()
		for _, text := range test.yes {
			if !strings.Contains(body, text) {
				t.Errorf("%s: no %q in\n%s", test.response, text, body)
			}
		}
		for _, text := range test.never {
			if strings.Contains(body, text) {
				t.Errorf("%s: %q in\n%s", test.response, text, body)
			}
		}
	}
}

func TestResultWithoutOrder(t *testing.T) {
	for _, address := range []string{"/demo/return/success", "/demo/return/none?order=1", "/demo/return/cancel?order=2"} {
		w := visitResult(t, "{}", address)
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), `<a href="/demo">Back to the shop</a>`) {
			t.Errorf("%s: %d %s", address, w.Code, w.Body)
		}
	}
}
