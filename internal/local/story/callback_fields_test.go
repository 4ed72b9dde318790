package story

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"checkout/internal/settings"
)

func asJSON(m *settings.Merchant) { m.CallbackJSON = new(true) }

func withSHA256(m *settings.Merchant) { m.SHA256 = true }

func extended(m *settings.Merchant) { m.Mappings[0].ExtendedData = true }

func withReturns(m *settings.Merchant) { m.Mappings[0].ReturnParameters = true }

func liveSandbox(m *settings.Merchant) { m.Mappings[0].MIDs[0].Connector = settings.SandboxConnector }

func customer(body map[string]any) {
	with("customer", map[string]any{"name": "Ada Lovelace", "email": "ada@example.org"})(body)
}

func customData(data any) func(map[string]any) { return with("custom_data", data) }

// Every field of protocol.md, Callback fields, that applies to a card payment.
func TestFieldsOfACallback(t *testing.T) {
	w := open(t, extended)
	address := map[string]any{
		"country": "US", "state": "NY", "city": "New York", "address": "5th Avenue 1", "phone": "+1(212)5550100",
	}
	payer := w.shop.visits("pen-1", customer, customData(map[string]any{"cart": "c-1"}), with("billing_address", address))
	payer.pays("01/38")
	id := payer.paymentID()
	want := map[string]string{
		"id": id, "order_number": "pen-1", "order_amount": "10.00", "order_currency": "USD", "order_description": "A pen",
		"order_status": "settled", "type": "sale", "status": "success", "customer_ip": "127.0.0.1",
		"date":          "2030-03-04 10:00:00",
		"hash":          w.shop.Hash(id, "pen-1", "10.00", "USD", "A pen"),
		"customer_name": "Ada Lovelace", "customer_email": "ada@example.org", "customer_phone": "+1(212)5550100",
		"customer_country": "US", "customer_state": "NY", "customer_city": "New York", "customer_address": "5th Avenue 1",
		"card": "411111******1111", "card_expiration_date": "01/2038",
		"connector_name": "sandbox", "gateway_id": "sandbox-" + id, "merchant_name": "The Pen Shop", "mid_name": "mid-1",
		"custom_data[cart]": "c-1",
	}
	r := w.shop.Taken()[0]
	for name := range r.Fields {
		if name != "rrn" && name != "approval_code" && r.Fields.Get(name) != want[name] {
			t.Errorf("%s is %q, want %q", name, r.Fields.Get(name), want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", slices.Sorted(maps.Keys(want)))
	}
	if rrn, code := r.Fields.Get("rrn"), r.Fields.Get("approval_code"); len(rrn) != 12 || len(code) != 6 {
		t.Errorf("rrn %q, approval_code %q", rrn, code)
	}
	if got := r.Header.Get("Content-Type"); got != "application/x-www-form-urlencoded" {
		t.Errorf("Content-Type %q", got)
	}
}

// The merchant's setting for SHA-256 applies to requests, callbacks and returns.
func TestSHA256Merchant(t *testing.T) {
	w := open(t, withSHA256, withReturns)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("settled")
	w.shop.told("sale success settled")
	id := payer.paymentID()
	payer.sees("go https://shop.example/paid?payment_id=" + id + "&trans_id=" + id + "&order_id=pen-1&hash=" +
		w.shop.Hash(id, "pen-1", "10.00", "USD", "A pen"))

	m := &w.shop.merchant
	m.SHA256 = false // only in this test, so that the hash of the next request is a wrong one
	if code, _ := w.shop.status("payment_id", id); code != http.StatusUnauthorized {
		t.Errorf("an MD5 hash returned %d", code)
	}
	m.SHA256 = true
}

// A payment with the live key goes to the mapping's connector, one with the test key always to the sandbox. Each has
// its own notification_url.
func TestLiveAndTestKey(t *testing.T) {
	w := open(t, liveSandbox)
	tests := []struct {
		key  string
		test bool
	}{{"live-key", false}, {"test-key", true}}
	for _, test := range tests {
		payer := w.shop.visits("pen-"+test.key, with("merchant_key", test.key))
		if got := payer.screen().Test; got != test.test {
			t.Errorf("%s: the screen says test %v", test.key, got)
		}
		payer.send(payer.attempt("01/38"))
		w.work()
		payer.sees("go https://shop.example/paid")
	}
	w.shop.told("sale success settled", "sale success settled")

	w = open(t) // the mapping's connector doesn't exist
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("settled")
}

func TestURLTarget(t *testing.T) {
	for target, want := range map[any]string{nil: "_self", "_parent": "_parent", "_top": "_top"} {
		w := open(t)
		payer := w.shop.visits("pen-1", with("url_target", target))
		payer.pays("01/38")
		if got := payer.screen().Go.Target; got != want {
			t.Errorf("url_target %v: %q", target, got)
		}
	}
}
