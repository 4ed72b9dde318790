package story

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// Each story is a kind of shop that uses the protocol (protocol.md, Plugins as they are): its request, the payment, and
// how it reads callbacks and errors.

// kind sets the preset of the mapping.
func kind(preset string) func(*settings.Merchant) {
	return func(m *settings.Merchant) {
		m.Mappings[0].Compatibility = settings.Compatibility{"preset": preset}
	}
}

// requires makes the page ask for fields that the shop did not send.
func requires(ids ...string) func(*settings.Merchant) {
	return func(m *settings.Merchant) { m.Mappings[0].RequiredFields = ids }
}

// hashOver is the hash of a client that has this function for upper case.
func hashOver(upper func(string) string, parts ...string) string {
	return client.Merchant{Password: password}.HashOver(upper, parts...)
}

// pythonUpper is str.upper() of Python for the texts of these stories.
func pythonUpper(text string) string { return strings.ToUpper(strings.ReplaceAll(text, "ß", "SS")) }

// asciiUpper is strtoupper() of PHP 8.
func asciiUpper(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' {
			return c - 'a' + 'A'
		}
		return c
	}, text)
}

// reads checks every callback as a client with this function for upper case, and returns the order's states there: the
// words for fail and success, in the order of the callbacks.
func (s *Shop) reads(upper func(string) string, words map[string]string) string {
	s.w.t.Helper()
	var becomes []string
	for _, r := range s.Taken() {
		f := r.Fields
		if f.Get("hash") != hashOver(upper, r.Signed()...) {
			s.w.t.Errorf("the shop refuses the hash of %s", r.Event())
		}
		becomes = append(becomes, words[f.Get("status")])
	}
	return strings.Join(becomes, ", ")
}

// A. A plugin like WooCommerce's sends what customers typed.
func TestShopPlugin(t *testing.T) {
	w := open(t, kind("shop plugin"), requires("payer_address", "payer_city", "payer_phone"))
	body := func(number, amount, currency string) string {
		description := "Payment Order # " + number + " in the store"
		return `{"merchant_key":"test-key","operation":"purchase","methods":["card","sofort","giropay"],
			"order":{"number":"` + number + `","amount":"` + amount + `","currency":"` + currency + `",
				"description":"` + description + `"},
			"customer":{"name":"Žofie Müllerová","email":"zofie@example.org"},
			"billing_address":{"country":"US","state":"California","city":"San Francisco",
				"address":"1355 Market Street, Building West, Suite 900, left",
				"zip":"94103","phone":"(212) 555-0100","district":"N/A"},
			"success_url":"https://shop.example/?wc-api=ok&order=1","cancel_url":"https://shop.example/cart","hash":"` +
			hashOver(asciiUpper, number, amount, currency, description) + `"}`
	}
	code, explained := w.post("//api/v1/session/explain", body("1041", "18.00", "USD"))
	left, _ := json.Marshal(explained["left_out"])
	if code != http.StatusOK || strings.Contains(string(left), "customer.name") ||
		strings.Contains(string(left), "address") ||
		!strings.Contains(string(left), `"methods[1]: `) || strings.Contains(string(left), "city") {
		t.Errorf("explain: %d %s", code, left)
	}
	// The shop's base URL ends with a slash.
	payer := w.shop.opens("//api/v1/session", "1042", body("1042", "18.00", "USD"))
	log := w.log.String()
	if !strings.Contains(log, `"left_out":["methods[1]: `) || strings.Contains(log, "Market Street") {
		t.Error("the log does not name what was left out, or names what was sent")
	}
	for i, expiry := range []string{"02/38", "01/38"} {
		form := payer.screen()
		if got := fieldIDs(form); got != "payer_card payer_expiryDate payer_cvv" {
			t.Errorf("try %d: the page asks for %s", i, got)
		}
		payer.send(payer.Fill(form, paymentCard(t, expiry)))
		w.work()
	}
	if got := w.shop.reads(asciiUpper, map[string]string{"fail": "failed", "success": "paid"}); got != "failed, paid" {
		t.Errorf("the order becomes %s", got)
	}
	f := w.shop.Taken()[1].Fields
	got := f.Get("customer_state") + " " + f.Get("customer_phone") + " " + f.Get("customer_address")
	if got != "CA (212)555-0100 1355 Market Street, Building" {
		t.Errorf("the callback has %s", got)
	}
	for amount, currency := range map[string]string{"1000": "JPY", "1.500": "KWD"} {
		w.shop.opens("//api/v1/session", "o-"+currency, body("o-"+currency, amount, currency))
	}
	// It shows the customer only error_message.
	code, refused := w.post("//api/v1/session", body("1043", "18.001", "USD"))
	want := "order.amount: This value is not valid. It should be a number such as 10.00: USD has 2 decimals."
	if code != 400 || refused["error_message"] != want {
		t.Errorf("%d %v", code, refused)
	}
	if got := w.shop.refunds(payer.paymentID(), "99.00"); !strings.HasPrefix(got, "400 208006 amount: ") {
		t.Error(got)
	}
	_, refused = w.post("/api/v1/payment/refund", w.shop.AmountBody(payer.paymentID(), "99.00"))
	if text, _ := refused["error_message"].(string); !strings.HasPrefix(text, "amount: ") {
		t.Errorf("a refund's error_message %q", text)
	}
}

func fieldIDs(s screen.Screen) string {
	var ids []string
	for _, f := range s.Methods[0].Fields {
		ids = append(ids, f.ID)
	}
	return strings.Join(ids, " ")
}

// B. An ERP module in Python reads only `status` of a response. It takes the first decline as final, and has upper case
// as Python has it.
func TestERPModule(t *testing.T) {
	const number, description = "SO/2030/0042", "Größe M – Café, Straße 5"
	body := `{"merchant_key":"test-key","operation":"purchase","methods":["card"],"auth":"Y","req_token":true,
		"order":{"number":"` + number + `","amount":"1.500","currency":"BHD","description":"` + description + `"},
		"success_url":"https://erp.example/ok","cancel_url":"https://erp.example/no",` +
		`"hash":"` + hashOver(pythonUpper, number, "1.500", "BHD", description) + `"}`
	becomes := map[string]string{"fail": "cancelled", "success": "done"}
	pays := func(p *Visit, cards ...string) {
		for _, card := range cards {
			p.pays(card)
		}
	}
	for _, test := range []struct {
		name  string
		story func(w *World, payer *Visit)
		want  string
	}{
		{"declined twice, then paid", func(_ *World, p *Visit) { pays(p, "02/38", "02/38", "01/38") }, "done"},
		{"declined too often", func(_ *World, p *Visit) { pays(p, "02/38", "02/38", "02/38") }, "cancelled"},
		{"declined and closed", func(w *World, p *Visit) {
			pays(p, "02/38", "02/38")
			p.closes()
			w.pass(2 * time.Minute)
		}, "cancelled"},
		{"declined and left", func(w *World, p *Visit) {
			p.pays("02/38")
			w.pass(62 * time.Minute)
		}, "cancelled"},
		{"declined, still open", func(w *World, p *Visit) {
			p.pays("02/38")
			w.pass(55 * time.Minute)
		}, ""},
		{"closed at once", func(w *World, p *Visit) {
			p.closes()
			w.pass(62 * time.Minute)
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, kind("erp module"), withReturns)
			payer := w.shop.opens("/api/v1/session", number, body)
			test.story(w, payer)
			w.pass(time.Minute)
			if got := w.shop.reads(pythonUpper, becomes); got != test.want {
				t.Errorf("the order becomes %q, want %q", got, test.want)
			}
			if test.want == "done" {
				w.pass(2 * time.Hour) // the declines before are not told, not even after the session's end
				if got := w.shop.reads(pythonUpper, becomes); got != test.want {
					t.Errorf("later the order becomes %q", got)
				}
				screen := payer.screen()
				hash := hashOver(pythonUpper, payer.paymentID(), number, "1.500", "BHD", description)
				if !strings.Contains(screen.Go.URL, "hash="+hash) {
					t.Errorf("the return's hash is another one: %s", screen.Go.URL)
				}
			}
		})
	}
	w := open(t, kind("erp module"))
	for _, wrong := range []string{
		`{}`,
		strings.ReplaceAll(body, "1.500", "1.5001"),
		strings.ReplaceAll(body, `"hash":"`, `"hash":"0`),
	} {
		if code, response := w.post("/api/v1/session", wrong); code < 400 || response["status"] != "error" {
			t.Errorf("%d %v", code, response)
		}
	}
}

// D. A framework's driver in PHP takes any callback with status=success as paid.
func TestFrameworkDriver(t *testing.T) {
	for card, want := range map[string]string{"05/38": "paid", "06/38": "open", "12/38": "paid", "01/39": "paid"} {
		w := open(t, kind("framework driver"))
		body := `{"merchant_key":"test-key","operation":"purchase",
			"methods":[],"customer":[],"billing_address":[],"custom_data":[],
			"order":{"number":"77","amount":"10.00","currency":"USD","description":"Order 77"},
			"success_url":"https://app.example/ok","hash":"` +
			hashOver(asciiUpper, "77", "10.00", "USD", "Order 77") + `"}`
		payer := w.shop.opens("/api/v1/session", "77", body)
		payer.pays(card)
		if got := w.shop.reads(asciiUpper, nil); got != "" {
			t.Errorf("%s: told before the outcome", card)
		}
		if card != "01/39" {
			payer.comesBack(payer.presses("confirm"))
		}
		w.pass(2 * time.Minute)
		if got := w.shop.reads(asciiUpper, map[string]string{"success": "paid", "fail": "open"}); got != want {
			t.Errorf("%s: the order becomes %q, want %q", card, got, want)
		}
	}
}
