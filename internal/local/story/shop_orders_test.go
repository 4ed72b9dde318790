package story

import (
	"fmt"
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
	OnCard                                string `json:"on_card"` // the name that is paid with; "": Name
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
