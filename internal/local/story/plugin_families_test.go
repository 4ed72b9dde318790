package story

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"checkout/internal/settings"
)

// pluginFamily is a kind of public client (protocol.md, Plugins as they are).
type pluginFamily struct {
	name   string
	preset settings.Compatibility
	upper  func(string) string // of its hashes
	// write changes the request for an order as the family writes it. tokens are those that the shop has stored.
	write func(o *typed, body map[string]any, tokens []string)
	// check returns why the client does not take an order for paid, "" if it does.
	check    func(f pluginFamily, p *paidOrder) string
	responds int // to callbacks
}

// paidOrder is what a client gets to know of an order that its customer has paid.
type paidOrder struct {
	typed
	payer     *Visit
	callbacks []Received
}

var (
	pluginPreset = settings.Compatibility{settings.PresetName: settings.PluginPreset}
	erpPreset    = settings.Compatibility{settings.PresetName: settings.ERPPreset}
	// billingPreset is for receivers in Java, whose upper case is that of Unicode.
	billingPreset = settings.Compatibility{settings.PresetName: "billing system"}
)

// pluginFamilies are all kinds, each with the preset that its merchant has.
var pluginFamilies = []pluginFamily{
	{"shop plugin", pluginPreset, asciiUpper, func(o *typed, body map[string]any, _ []string) {
		billing(body)["district"] = "NA"
		body["cancel_url"] = "https://shop.example/cart?a=1&b=2"
		if o.Methods == nil {
			body["methods"] = []string{"card", "ideal"}
		}
	}, signedCallback, http.StatusOK},
	{"erp module", erpPreset, pythonUpper, func(o *typed, body map[string]any, _ []string) {
		o.Number = "SO/" + o.Number
		if !strings.Contains(o.Amount, ".") {
			o.Amount += ".00"
		}
		body["auth"], body["req_token"] = "Y", true
	}, signedCallback, http.StatusOK},
	{"cart add-on", pluginPreset, asciiUpper, func(o *typed, _ map[string]any, _ []string) {
		o.Number = base64.StdEncoding.EncodeToString([]byte(o.Number))
	}, signedCallback, http.StatusOK},
	{"framework driver", pluginPreset, asciiUpper, func(o *typed, body map[string]any, _ []string) {
		body["customer"], body["methods"] = []any{}, []any{}
		o.OnCard = "Ada Lovelace"
	}, anySuccess, http.StatusOK},
	{"hosted shop app", pluginPreset, strings.ToUpper, func(o *typed, body map[string]any, tokens []string) {
		o.Number = "gid://cart/" + o.Number
		o.Amount = strings.TrimRight(strings.TrimRight(o.Amount, "0"), ".") // as JavaScript writes numbers
		body["order"] = map[string]any{"amount": json.Number(o.Amount)}
		billing(body)["address"], billing(body)["state"] = "undefined", "undefined"
		body["req_token"], body["card_token"] = true, tokens
	}, statusAfterReturn, http.StatusFound},
	{"mobile sdk", pluginPreset, strings.ToUpper, func(_ *typed, body map[string]any, _ []string) {
		body["success_url"], body["cancel_url"], body["custom_data"] = "myapp://paid", "myapp://cancelled", nil
		billing(body)["zip"] = nil
	}, statusAfterReturn, http.StatusOK},
	{"server sdk", pluginPreset, asciiUpper, func(_ *typed, body map[string]any, _ []string) {
		body["url_target"] = "_parent"
	}, signedReturn, http.StatusOK},
	{"form builder", pluginPreset, dotNetUpper, func(_ *typed, body map[string]any, _ []string) {
		billing(body)["house_number"] = 12
		body["merchant_pass"], body["addedFrom"] = "x", "form"
		body["server_callback_url"] = "https://forms.example/callback"
	}, anySuccess, http.StatusOK},
	{"billing system", billingPreset, javaUpper, func(_ *typed, body map[string]any, _ []string) {
		body["notification_url"], body["session_expiry"] = "https://billing.example/ipn", "60"
	}, signedCallback, http.StatusOK},
}

func billing(body map[string]any) map[string]any { return body["billing_address"].(map[string]any) }

// dotNetUpper is ToUpperInvariant of .NET for the texts of these stories, javaUpper toUpperCase of Java.
func dotNetUpper(text string) string {
	return strings.ReplaceAll(strings.ToUpper(strings.ReplaceAll(text, "ı", "\x00")), "\x00", "ı")
}

func javaUpper(text string) string { return pythonUpper(text) }

// request is the family's request for an order, which it changes to what the family sends, with its hash.
func (f pluginFamily) request(t *testing.T, o *typed, tokens []string) (body string) {
	t.Helper()
	fields := map[string]any{
		"merchant_key": "test-key", "operation": "purchase", "success_url": "https://shop.example/ok?order=1",
		"customer": map[string]any{"name": o.Name, "email": o.Email},
		"billing_address": map[string]any{"country": o.Country, "state": o.State, "city": o.City, "address": o.Address,
			"zip": o.Zip, "phone": o.Phone},
	}
	if o.Methods != nil {
		fields["methods"] = o.Methods
	}
	f.write(o, fields, tokens)
	order, written := fields["order"].(map[string]any)
	if !written {
		order = map[string]any{"amount": o.Amount}
	}
	order["number"], order["currency"], order["description"] = o.Number, o.Currency, o.Description
	fields["order"] = order
	fields["hash"] = hashOver(f.upper, o.Number, o.Amount, o.Currency, o.Description)
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "/", `\/`) // as PHP writes it
}

// signedCallback is the check of a client that believes a callback by its hash, and compares it with the order.
func signedCallback(f pluginFamily, p *paidOrder) string {
	if len(p.callbacks) != 1 {
		return fmt.Sprintf("%d callbacks", len(p.callbacks))
	}
	c := p.callbacks[0]
	order := c.Fields.Get("order_number") + " " + c.Fields.Get("order_amount") + " " + c.Fields.Get("order_currency")
	switch {
	case c.Fields.Get("hash") != hashOver(f.upper, c.Signed()...):
		return "the hash is another one"
	case c.Fields.Get("status") != "success" || c.Fields.Get("type") != "sale":
		return "told of " + c.Event()
	case order != p.Number+" "+p.Amount+" "+p.Currency:
		return "told of " + order
	case c.Header.Get("Content-Type") != "application/x-www-form-urlencoded":
		return "not a form"
	}
	return ""
}

// anySuccess is the check of a client that takes any callback with status=success for paid.
func anySuccess(_ pluginFamily, p *paidOrder) string {
	for _, c := range p.callbacks {
		if c.Fields.Get("status") == "success" && c.Fields.Get("order_number") == p.Number {
			return ""
		}
	}
	return "no callback of a success"
}

// signedReturn also checks the hash of the address to which the payer returns.
func signedReturn(f pluginFamily, p *paidOrder) string {
	want := hashOver(f.upper, p.payer.paymentID(), p.Number, p.Amount, p.Currency, p.Description)
	if got := p.payer.screen().Go.URL; !strings.Contains(got, "hash="+want) {
		return "the hash of the return is another one: " + got
	}
	return signedCallback(f, p)
}

// statusAfterReturn is the check of a client that waits for its own address and requests the status then.
func statusAfterReturn(_ pluginFamily, p *paidOrder) string {
	shown := p.payer.screen()
	if shown.Go == nil || !strings.HasPrefix(shown.Go.URL, "myapp://paid") &&
		!strings.HasPrefix(shown.Go.URL, "https://shop.example/ok?order=1") {
		return "the payer does not return"
	}
	if code, response := p.payer.shop.status("payment_id", p.payer.paymentID()); code != http.StatusOK ||
		response["status"] != "settled" {
		return fmt.Sprint("the status is ", code, response)
	}
	return ""
}

// With the preset for it, each family's orders are all taken as the customers typed them, can be paid, and are paid for
// the client that sent them. Without a preset many are refused.
func TestPluginsOrdersArePaid(t *testing.T) {
	asks := requires("payer_address", "payer_city", "payer_email", "payer_phone")
	for _, family := range pluginFamilies {
		t.Run(family.name, func(t *testing.T) {
			preset := func(m *settings.Merchant) { m.Mappings[0].Compatibility = family.preset }
			w := open(t, preset, asks, withReturns)
			w.shop.responds(family.responds)
			strict := w.newShop("-own")
			orders, refused, accepted, tokens := customersOrders(t), 0, 0, []string(nil)
			for _, o := range orders {
				body := family.request(t, &o, tokens)
				code, _ := w.post("/api/v1/session/explain", strings.Replace(body, "test-key", strict.key(), 1))
				if code != http.StatusOK {
					refused++
				}
				before := len(w.shop.Received())
				payer := w.shop.opens("//api/v1/session", o.Number, body)
				payer.pays("01/38")
				p := &paidOrder{o, payer, w.shop.Received()[before:]}
				wrong := family.check(family, p)
				if wrong == "" {
					accepted++
				} else {
					t.Errorf("%s %s %s: %s", o.Number, o.Amount, o.Currency, wrong)
				}
				for _, c := range p.callbacks {
					if token := c.Fields.Get("card_token"); token != "" {
						tokens = append(tokens, token)
					}
					if name := c.Fields.Get("customer_name"); name != cmp.Or(o.OnCard, o.Name) {
						t.Errorf("%q is reported as %q", o.Name, name)
					}
				}
			}
			t.Logf("%s: %d of %d orders taken, paid and accepted", family.name, accepted, len(orders))
			if refused < len(orders)/4 {
				t.Errorf("an own integration is refused %d of these orders alone: the preset proves nothing", refused)
			}
		})
	}
}
