package story

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"checkout/internal/local/client"
	"checkout/internal/operator/grant"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// tries asks for a trial, or what it would be offered, and returns the response.
func (w *World) tries(want int, a apiCall) (out map[string]any) {
	w.t.Helper()
	response := w.admin(a)
	if err := json.Unmarshal(response.Body.Bytes(), &out); err != nil || response.Code != want {
		w.t.Fatalf("%s: %d %s, want %d", a.path, response.Code, response.Body, want)
	}
	return out
}

// Somebody who knows no password of a merchant tries its settings: the session is one of its test key, and its callback
// comes as every other one does.
func TestTrial(t *testing.T) {
	w := open(t)
	w.grants(grant.Grant{Who: "dev", Role: grant.Developer, Mode: grant.Both, Merchants: []string{w.shop.merchant.ID}})
	body := because("amount", "10.00", "currency", "USD", "country", "DE",
		"return_url", "https://admin.example/#/merchants/shop?section=Start")
	body["merchant"] = w.shop.merchant.ID
	try := apiCall{who: "dev", method: "POST", path: "/admin/v1/try", body: body, key: "try-1"}
	address, _ := w.tries(200, try)["redirect_url"].(string)
	if again := w.tries(200, try)["redirect_url"]; again != address {
		t.Errorf("a repeat has started %v, not %s", again, address)
	}
	audit := w.admin(apiCall{who: "dev", method: "GET", path: "/admin/v1/audit"}).Body.String()
	if strings.Count(audit, "session of 10.00 USD is started") != 1 {
		t.Errorf("audit log: %s", audit)
	}
	session, err := client.SessionOf(fmt.Appendf(nil, `{"redirect_url":%q}`, address), w.server.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	visit := w.shop.Visit(session, "")
	if shown := visit.screen(); shown.Kind != screen.KindForm || !shown.Test {
		t.Errorf("the payer sees %s, test %v", words(shown), shown.Test)
	}
	visit.pays("01/38")
	paid := w.Stored(t)
	if len(paid) != 1 || !paid[0].Test || paid[0].Order.Currency != "USD" {
		t.Fatalf("stored %+v", paid)
	}
	back := "https://admin.example/#/merchants/shop?section=Start&payment_id=" + paid[0].ID
	if shown := visit.screen(); shown.Kind != screen.KindGo || !strings.HasPrefix(shown.Go.URL, back) {
		t.Errorf("the payer is sent to %+v, not %q", shown.Go, back)
	}
	if told := w.shop.last("sale"); told.Status != http.StatusOK || told.Fields.Get("id") != paid[0].ID {
		t.Errorf("the shop was told %+v", told)
	}
}

func TestRefusedTrials(t *testing.T) {
	w := open(t)
	id := w.shop.merchant.ID
	w.grants(grant.Grant{Who: "dev", Role: grant.Developer, Mode: grant.Both, Merchants: []string{grant.AllMerchants}})
	for _, test := range []struct {
		merchant, amount, currency, back string
		want                             int
		text                             string
	}{
		{"none", "10.00", "USD", "https://admin.example/", http.StatusNotFound, "Merchant does not exist"},
		{id, "10.001", "USD", "https://admin.example/", http.StatusBadRequest, "order.amount"},
		{id, "10.00", "UUU", "https://admin.example/", http.StatusBadRequest, "order.currency"},
		{id, "10.00", "USD", "javascript://x", http.StatusBadRequest, "success_url"},
	} {
		body := because("amount", test.amount, "currency", test.currency, "return_url", test.back)
		body["merchant"] = test.merchant
		out := w.tries(test.want, apiCall{who: "dev", method: "POST", path: "/admin/v1/try", body: body})
		if text := fmt.Sprint(out); !strings.Contains(text, test.text) {
			t.Errorf("%+v: %s", test, text)
		}
	}
	if stored := len(w.Stored(t)); stored != 0 {
		t.Errorf("%d payments", stored)
	}
}

// What a payer would be offered is told for both modes, with the reasons where it is nothing.
func TestOffer(t *testing.T) {
	w := open(t, func(m *settings.Merchant) { m.Mappings[0].MIDs[0].Currencies = []string{"USD"} })
	w.grants(grant.Grant{Who: "dev", Role: grant.Developer, Mode: grant.Both, Merchants: []string{w.shop.merchant.ID}})
	for query, want := range map[string]string{
		"&amount=10.00&currency=USD":           `"methods":[{"id":"`,
		"&amount=10.00&currency=EUR&mode=test": `"code":"currency"`,
	} {
		path := "/admin/v1/offer?merchant=" + w.shop.merchant.ID + query
		response := w.admin(apiCall{who: "dev", method: "GET", path: path})
		if text := response.Body.String(); response.Code != http.StatusOK || !strings.Contains(text, want) ||
			!strings.Contains(text, `"base_url":"`+w.server.URL) || strings.Contains(text, `"hint"`) {
			t.Errorf("%s: %d %s", query, response.Code, text)
		}
	}
}
