package story

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// typed is an order as a shop's customer and its merchant have typed it.
type typed struct {
	Number, Amount, Currency, Description string
	Methods                               []string
	Name, Email, Phone                    string
	Country, State, City, Address, Zip    string
}

// customersOrders reads orders of customers all over the world.
func customersOrders(t *testing.T) (orders []typed) {
	t.Helper()
	text, err := os.ReadFile("testdata/customers_orders.json")
	if err == nil {
		err = store.ReadExactly(text, &orders)
	}
	if err != nil || len(orders) != 28 {
		t.Fatalf("%d orders: %v", len(orders), err)
	}
	return orders
}

// pluginFamily is a kind of public client: how it writes an order, and its upper case.
type pluginFamily struct {
	name  string
	upper func(string) string
	write func(o *typed, body map[string]any)
}

// pluginFamilies are the kinds of protocol.md, Plugins as they are.
var pluginFamilies = []pluginFamily{
	{"shop plugin", asciiUpper, func(o *typed, body map[string]any) {
		billing(body)["district"] = "NA"
		body["cancel_url"] = "https://shop.example/cart?a=1&b=2"
		if o.Methods == nil {
			body["methods"] = []string{"card", "ideal"}
		}
	}},
	{"erp module", pythonUpper, func(o *typed, body map[string]any) {
		o.Number = "SO/" + o.Number
		body["auth"], body["req_token"] = "Y", true
	}},
	{"cart add-on", asciiUpper, func(o *typed, body map[string]any) {
		o.Number = base64.StdEncoding.EncodeToString([]byte(o.Number))
	}},
	{"framework driver", asciiUpper, func(_ *typed, body map[string]any) {
		body["customer"], body["methods"] = []any{}, []any{}
	}},
	{"hosted shop app", strings.ToUpper, func(o *typed, body map[string]any) {
		o.Number = "gid://cart/" + o.Number
		order := body["order"].(map[string]any)
		order["amount"] = json.Number(o.Amount)
		billing(body)["address"], billing(body)["state"] = "undefined", "undefined"
	}},
	{"mobile sdk", strings.ToUpper, func(_ *typed, body map[string]any) {
		body["success_url"], body["cancel_url"], body["custom_data"] = "myapp://paid", "myapp://cancelled", nil
		billing(body)["zip"] = nil
	}},
	{"server sdk", asciiUpper, func(_ *typed, body map[string]any) { body["url_target"] = "_parent" }},
	{"form builder", dotNetUpper, func(_ *typed, body map[string]any) {
		billing(body)["house_number"] = 12
		body["merchant_pass"], body["addedFrom"] = "x", "form"
		body["server_callback_url"] = "https://forms.example/callback"
	}},
	{"billing system", strings.ToUpper, func(_ *typed, body map[string]any) {
		body["notification_url"], body["session_expiry"] = "https://billing.example/ipn", "60"
	}},
}

func billing(body map[string]any) map[string]any { return body["billing_address"].(map[string]any) }

// dotNetUpper is ToUpperInvariant of .NET for the texts of these stories.
func dotNetUpper(text string) string {
	return strings.ReplaceAll(strings.ToUpper(strings.ReplaceAll(text, "ı", "\x00")), "\x00", "ı")
}

// request is the family's request for an order, with its hash.
func (f pluginFamily) request(t *testing.T, o typed) (number, body string) {
	t.Helper()
	fields := map[string]any{
		"merchant_key": "test-key", "operation": "purchase", "success_url": "https://shop.example/ok?order=1",
		"customer": map[string]any{"name": o.Name, "email": o.Email},
		"billing_address": map[string]any{"country": o.Country, "state": o.State, "city": o.City, "address": o.Address,
			"zip": o.Zip, "phone": o.Phone},
		"order": map[string]any{"amount": o.Amount},
	}
	if o.Methods != nil {
		fields["methods"] = o.Methods
	}
	f.write(&o, fields)
	order := fields["order"].(map[string]any)
	order["number"], order["currency"], order["description"] = o.Number, o.Currency, o.Description
	fields["hash"] = hashOver(f.upper, o.Number, o.Amount, o.Currency, o.Description)
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return o.Number, strings.ReplaceAll(string(text), "/", `\/`) // as PHP writes it
}

// With the preset "plugin" each family's orders are all taken, as the customers typed them; without it most are not.
func TestPluginsOrdersAreTaken(t *testing.T) {
	for _, family := range pluginFamilies {
		t.Run(family.name, func(t *testing.T) {
			w := open(t, kind(settings.PluginPreset))
			strict := w.newShop("-own")
			refused := 0
			orders := customersOrders(t)
			for i, o := range orders {
				number, body := family.request(t, o)
				code, _ := w.post("/api/v1/session/explain", strings.Replace(body, "test-key", strict.key(), 1))
				if code != http.StatusOK {
					refused++
				}
				code, response := w.post("//api/v1/session", body)
				url, _ := response["redirect_url"].(string)
				if code != http.StatusOK || url == "" {
					t.Errorf("%s %s: %d %v", o.Number, o.Country, code, response["errors"])
					continue
				}
				if i%9 > 0 {
					continue
				}
				payer := w.shop.Visit(url[strings.LastIndex(url, "=")+1:], number)
				payer.pays("01/38")
				payer.is(map[bool]string{false: "settled", true: "pending"}[family.name == "erp module"])
				got := w.shop.Taken()[len(w.shop.Taken())-1]
				if got.Fields.Get("order_number") != number ||
					family.name != "framework driver" && got.Fields.Get("customer_name") != o.Name {
					t.Errorf("callback of %q from %q", got.Fields.Get("order_number"), got.Fields.Get("customer_name"))
				}
			}
			if refused < len(orders)/4 {
				t.Errorf("an own integration is refused %d of these orders alone: the preset proves nothing", refused)
			}
		})
	}
}

// Callbacks of a plugin are forms, those of an own integration JSON; the merchant may set which.
func TestFormatOfCallbacks(t *testing.T) {
	const form, object = "application/x-www-form-urlencoded", "application/json"
	unset := func(m *settings.Merchant) { m.CallbackJSON = nil }
	for _, test := range []struct {
		changes []func(*settings.Merchant)
		want    string
	}{
		{[]func(*settings.Merchant){unset}, object},
		{[]func(*settings.Merchant){unset, kind("plugin")}, form},
		{[]func(*settings.Merchant){kind("plugin"), asJSON}, object},
		{nil, form}, // the stories' shop has set that
	} {
		w := open(t, test.changes...)
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		if got := w.shop.Taken(); len(got) != 1 || got[0].Header.Get("Content-Type") != test.want {
			t.Errorf("%d callbacks, not %s", len(got), test.want)
		}
	}
}

// Callbacks go to the address that a session names where the mapping says so. Explain says what nothing reads.
func TestSessionNamesItsReceiver(t *testing.T) {
	reads := func(m *settings.Merchant) {
		m.Mappings[0].Compatibility = settings.Compatibility{"notification_url": "read"}
	}
	for _, name := range []string{"notification_url", "callback_url", "server_callback_url"} {
		w := open(t, reads)
		other := w.newShop("-other")
		order := w.shop.Order("pen-1", with(name, other.server.URL+"/mine"), with("addedFrom", "form"))
		if ignored := fmt.Sprint(w.shop.explains(w.shop.Sign(order)).Ignored); ignored != "[addedFrom]" {
			t.Errorf("ignored %s", ignored)
		}
		w.shop.visits("pen-2", with(name, other.server.URL+"/mine")).pays("01/38")
		if len(w.shop.Received()) != 0 || len(other.Received()) != 1 {
			t.Errorf("%s: %d callbacks here, %d there", name, len(w.shop.Received()), len(other.Received()))
		}
		for _, bad := range []string{"nowhere", "ftp://x.example/", "https://"} {
			body := w.shop.Sign(w.shop.Order("pen-3", with(name, bad)))
			if code, response := w.post("/api/v1/session", body); code != 400 ||
				!strings.Contains(fmt.Sprint(response["errors"]), name+": ") {
				t.Errorf("%s %s: %d %v", name, bad, code, response)
			}
		}
		w.shop.set(func(m *settings.Merchant) { m.Mappings[0].Compatibility = nil })
		w.pass(2 * time.Minute)
		if ignored := fmt.Sprint(w.shop.explains(w.shop.Sign(order)).Ignored); ignored != "[addedFrom "+name+"]" {
			t.Errorf("ignored %s", ignored)
		}
		w.shop.visits("pen-4", with(name, "nowhere")).pays("01/38")
		if len(w.shop.Received()) != 1 || len(other.Received()) != 1 {
			t.Errorf("%s: %d callbacks here, %d there", name, len(w.shop.Received()), len(other.Received()))
		}
	}
}
