package story

import (
	"bytes"
	"encoding/json"
	"flag"
	"regexp"
	"strings"
	"testing"

	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/settings"
)

var update = flag.Bool("update", false, "write the golden responses again")

// Each kind of error, with the body of the response (testdata/errors/<name>.json, which `go test -update` writes).
// The package request has a table of what can be wrong with each field.
func TestErrorBodies(t *testing.T) {
	const session, status = "/api/v1/session", "/api/v1/payment/status"
	tests := []struct {
		name   string
		path   string
		change func(map[string]any) // of a valid session request, before it is signed
		body   string               // instead of a session request
		code   int
	}{
		{"no_json", session, nil, `{"merchant_key"`, 400},
		{"no_object", session, nil, `[]`, 400},
		{"too_large", session, nil, `{"a":"` + strings.Repeat("x", 256<<10) + `"}`, 400},
		{"too_deep", session, nil, strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33), 400},
		{"everything_missing", session, nil, `{}`, 400},
		{"blank", session, with("success_url", " "), "", 400},
		{"not_in_the_list", session, with("operation", "steal"), "", 400},
		{"many_at_once", session, func(body map[string]any) {
			delete(body, "success_url")
			body["order"] = map[string]any{"number": "a b", "amount": "-1", "currency": "USD", "description": "x"}
		}, "", 400},
		{"no_mapping", session, with("channel_id", "elsewhere"), "", 400},
		{"operation_not_supported", session, func(body map[string]any) {
			body["operation"] = "transfer"
			payee(body)
		}, "", 400},
		{"unknown_merchant", session, with("merchant_key", "nobody"), "", 401},
		{"wrong_hash", session, nil, `{"merchant_key":"test-key","operation":"purchase","success_url":"https://shop.example/",
			"order":{"number":"1","amount":"1.00","currency":"USD","description":"A pen"},"hash":"x"}`, 401},
		{"status_without_id", status, nil, `{"merchant_key":"test-key","hash":"x"}`, 400},
		{"status_wrong_hash", status, nil, `{"merchant_key":"test-key","order_id":"1","hash":"x"}`, 401},
		{"notice_of_nobody", "/api/v1/notify/nobody", nil, `{}`, 404},
		{"unknown_path", "/api/v1/nothing", nil, `{}`, 404},
	}
	w := open(t, func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Operations = []method.Operation{"purchase", "credit"}
	})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body := any(test.body)
			if test.change != nil {
				signed := w.shop.Order("pen-1", test.change)
				w.shop.Sign(signed)
				body = signed
			}
			code, response := w.call("POST", test.path, body)
			golden(t, test.name, code, test.code, response)
		})
	}
}

// The rows that need other requests first.
func TestErrorBodiesOfStories(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	post := func(name, path string, body any, want int) {
		t.Helper()
		code, response := w.call("POST", path, body)
		golden(t, name, code, want, response)
	}
	order := func(key string) map[string]any {
		return w.shop.Sign(w.shop.Order("pen-2", with("merchant_key", key)))
	}
	post("duplicate", "/api/v1/session", w.shop.Sign(w.shop.Order("pen-1")), 400)
	post("order_unknown", "/api/v1/payment/status", w.shop.Body(map[string]any{"order_id": "x"}, "x"), 404)
	post("payment_unknown", "/api/v1/payment/status", w.shop.Body(map[string]any{"payment_id": "x"}, "x"), 404)
	post("session_unknown", "/page/v1/x/cancel", nil, 404)
	pay := form.Request{Attempt: "d9b9f3a0-0000-4000-8000-000000000000", Method: "card"}
	post("page_fields", payer.Path("pay"), pay, 400)
	w.newShop("-2", disabled)
	post("merchant_disabled", "/api/v1/session", order("test-key-2"), 403)
	w.newShop("-3", mappingDisabled)
	post("mapping_disabled", "/api/v1/session", order("test-key-3"), 403)
}

var requestID = regexp.MustCompile(`"request_id":"[0-9a-f]{16}"`)

// golden compares a response with the file of that name.
func golden(t *testing.T, name string, code, want int, response []byte) {
	t.Helper()
	if code != want {
		t.Errorf("%s: HTTP %d, want %d: %s", name, code, want, response)
	}
	if !json.Valid(response) {
		t.Errorf("%s: no JSON: %s", name, response)
	}
	response = requestID.ReplaceAll(response, []byte(`"request_id":"..."`))
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, response, "", "  "); err != nil {
		t.Fatal(err)
	}
	goldenText(t, "errors/"+name+".json", pretty.String())
}

// An unforeseen error or panic returns a 500 with a request id and nothing else. The log has the cause with that id.
func TestUnforeseenFailures(t *testing.T) {
	for _, failure := range []string{"error", "panic"} {
		t.Run(failure, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1")
			click := payer.attempt("01/38")
			if failure == "panic" {
				w.app.Core.Store = panics{}
			} else {
				w.store.down = true
			}
			const unknown = "0aa0a0a0-0000-8000-8000-000000000000"
			for _, request := range []struct {
				method, path string
				body         any
			}{
				{"POST", "/api/v1/session", w.shop.Sign(w.shop.Order("pen-2"))},
				{"POST", "/api/v1/payment/status", w.shop.Body(map[string]any{"payment_id": unknown}, unknown)},
				{"GET", payer.Path(""), nil},
				{"POST", payer.Path("pay"), click},
				{"POST", payer.Path("cancel"), nil},
				{"GET", payer.ReturnPath(), nil},
			} {
				code, response := w.call(request.method, request.path, request.body)
				golden(t, "internal", code, 500, response)
				id := strings.Trim(strings.TrimPrefix(string(requestID.Find(response)), `"request_id":`), `"`)
				if id == "" || !strings.Contains(w.log.String(), id) {
					t.Errorf("%s: the request id %q is not in the log", request.path, id)
				}
			}
			cause := map[string]string{"error": "detail-of-the-store", "panic": "panics.Get"}[failure]
			if !strings.Contains(w.log.String(), cause) {
				t.Errorf("the cause is not in the log")
			}
		})
	}
}
