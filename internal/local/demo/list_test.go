package demo

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// visitAs is a GET with an Accept header.
func visitAs(shop *Shop, accept, address string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	r.Header.Set("Accept", accept)
	return do(shop, r)
}

func TestListOfCallbacks(t *testing.T) {
	shop := newShop(t, "abc123Pass")
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	if body := visitAs(shop, browser, "/demo/callbacks").Body.String(); !strings.Contains(body, "None so far.") {
		t.Error(body)
	}
	for _, form := range []string{
		"order_number=1&type=sale&status=success", "order_number=2&type=refund&status=fail&reason=<b>",
	} {
		do(shop, sent(t, "application/x-www-form-urlencoded", form, noon))
	}
	forged := sent(t, "application/x-www-form-urlencoded", "order_number=2&type=void", noon)
	forged.Header.Set("webhook-id", "msg_2")
	do(shop, forged)
	tests := []struct {
		address string
		events  string // in the order of the rows
		last    string
	}{
		{"/demo/callbacks", "void refund sale", "3"},
		{"/demo/callbacks?order=2", "void refund", "3"},
		{"/demo/callbacks?order=1", "sale", "1"},
		{"/demo/callbacks/rows?after=0&order=", "void refund sale", "3"},
		{"/demo/callbacks/rows?after=1&order=2", "void refund", "3"},
		{"/demo/callbacks/rows?after=2&order=", "void", "3"},
	}
	for _, test := range tests {
		w := visitAs(shop, browser, test.address)
		var events []string
		for _, part := range strings.Split(w.Body.String(), `<th scope="row">`)[1:] {
			event, _, _ := strings.Cut(part, "<")
			events = append(events, event)
		}
		if w.Code != http.StatusOK || strings.Join(events, " ") != test.events ||
			!strings.Contains(w.Body.String(), `data-last="`+test.last+`"`) {
			t.Errorf("%s: %d %v\n%s", test.address, w.Code, events, w.Body)
		}
	}
	body := visitAs(shop, browser, "/demo/callbacks?order=2").Body.String()
	for text, times := range map[string]int{"signature verified": 1, "signature wrong": 1, "hash wrong": 2, "&lt;b&gt;": 2,
		"<b>": 0, "webhook-signature": 2} {
		if got := strings.Count(body, text); got != times {
			t.Errorf("%q is there %d times, not %d", text, got, times)
		}
	}
	for address, status := range map[string]int{
		"/demo/callbacks/rows?after=3": http.StatusNoContent, "/demo/callbacks/rows?after=1&order=1": http.StatusNoContent,
		"/demo/callbacks/rows?after=x": http.StatusBadRequest, "/demo/frame?order=none": http.StatusNotFound,
	} {
		if w := visitAs(shop, browser, address); w.Code != status {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
}

// The shop is for a service on this machine alone.
func TestOtherMachines(t *testing.T) {
	config := newShop(t, "p").config
	for address, local := range map[string]bool{
		"http://localhost:3000": true, "http://127.0.0.1:3000": true, "http://[::1]:3000": true,
		"https://pay.example": false, "http://10.0.0.1:3000": false, "http://localhost.example": false, "": false,
	} {
		config.BaseURL = address
		if _, err := New(config); (err == nil) != local {
			t.Errorf("%q: %v", address, err)
		}
	}
	config.BaseURL, config.Infra = "http://localhost:3000", "none"
	if _, err := New(config); err == nil {
		t.Error("a shop without a catalogue")
	}
}

// The playground never shows the key, also if the service's response has it, and tells what was refused.
func TestPlaygroundKeepsTheKey(t *testing.T) {
	shop, f := newService(t, http.StatusBadRequest, `{"error_message":"no demo-key-1"}`)
	shop.config.TestKey = "demo-key-1"
	w := press(shop, "/demo/playground", url.Values{"request": {`{"merchant_key":"{key}"}`}, "action": {"create"}})
	if f.body["merchant_key"] != "demo-key-1" || f.path != "/api/v1/session" {
		t.Errorf("sent %v to %s", f.body, f.path)
	}
	if body := w.Body.String(); strings.Contains(body, "demo-key-1") || !strings.Contains(body, "HTTP 400: no {key}") {
		t.Error(body)
	}
	w = press(shop, "/demo/playground", url.Values{"request": {"{\n]"}, "action": {"create"}})
	if !strings.Contains(w.Body.String(), "line 2 is no JSON") {
		t.Error(w.Body)
	}
}
