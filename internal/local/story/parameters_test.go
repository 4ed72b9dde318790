package story

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"checkout/internal/connector"
	"checkout/internal/page/form"
	"checkout/internal/settings"
)

// everyMethodOf lets the shop's first MID take methods.
func everyMethodOf(ids string) func(*settings.Merchant) {
	return func(m *settings.Merchant) { m.Mappings[0].MIDs[0].Methods = strings.Fields(ids) }
}

// What merchants send is checked, or reported as not known, at the session and when it is explained.
func TestParametersAreChecked(t *testing.T) {
	const ids = "card crypto local_transfer"
	cpf := func(number string) string {
		return `{"card":{"document_type":"cpf","document_number":"` + number + `","social_name":"Ana","fiscal_country":"BR"}}`
	}
	recipient := func(members string) string {
		return `{"card":{"cart":{"items":[{"recipient":` + members + `}]}}}`
	}
	for _, test := range []struct {
		parameters string
		refused    string // path of the fault
		leftOut    string
	}{
		{cpf("52998224725"), "", ""},
		{cpf("529.982.247-25"), "", ""},
		{cpf("52998224726"), "parameters.card.document_number", ""},
		{cpf("anything"), "parameters.card.document_number", ""},
		{`{"shipping":{"city":"Paris"}}`, "", ""},
		{`{"shipping":{"country":"ZZ"}}`, "parameters.card.shipping.country", ""},
		{`{"card":{"shipping[city]":"Paris"}}`, "", ""},
		{`{"shiping":{"city":"Paris"}}`, "", "parameters.shiping: It is not known."},
		{`{"card":{"descripto":"SHOP"}}`, "", "parameters.card.descripto: It is not known."},
		{`{"card":{"shipping_country":"999"}}`, "parameters.card.shipping_country", ""},
		{recipient(`{"country":"076"}`), "", ""},
		{recipient(`{"country":"999"}`), "parameters.card.cart.items[0].recipient.country", ""},
		{recipient(`{"middleName":"` + strings.Repeat("m", 50) + `"}`), "", ""},
		{recipient(`{"middleName":"` + strings.Repeat("m", 51) + `"}`),
			"parameters.card.cart.items[0].recipient.middleName", ""},
		{`{"card":{"shipping":{"middleName":"` + strings.Repeat("m", 256) + `"}}}`, "", ""},
	} {
		w := open(t, everyMethodOf(ids))
		var parameters any
		if err := json.Unmarshal([]byte(test.parameters), &parameters); err != nil {
			t.Fatal(err)
		}
		body := w.shop.Sign(w.shop.Order("pen-1", with("parameters", parameters)))
		code, explained := w.call("POST", "/api/v1/session/explain", body)
		sessionCode, created := w.call("POST", "/api/v1/session", body)
		if want := map[bool]int{true: 200, false: 400}[test.refused == ""]; code != want || sessionCode != want {
			t.Errorf("%s: %d and %d, want %d: %s", test.parameters, code, sessionCode, want, created)
		}
		if !strings.Contains(string(created), test.refused) || !strings.Contains(string(explained), test.leftOut) {
			t.Errorf("%s: %s, and %s", test.parameters, created, explained)
		}
		if logged := strings.Contains(w.log.String(), "It is not known."); logged != (test.leftOut != "") {
			t.Errorf("%s: the log of the session says that something is not known: %v", test.parameters, logged)
		}
	}
}

// USDT without a network is sent by eth, and both the provider and the payer are told so.
func TestUSDTWithoutANetwork(t *testing.T) {
	w := open(t, coins)
	payer := w.shop.visits("pen-1", with("parameters", map[string]any{"crypto": map[string]any{"crypto_type": "USDT"}}))
	payer.paysByCrypto()
	if got := rows(payer.screen())["crypto_network"]; got != "eth" {
		t.Errorf("the payer sees the network %q", got)
	}
}

// Both ways of writing the card set with objects reach the provider as the same.
func TestCardObjectsInBothWritings(t *testing.T) {
	const want = `{"cart":{"items":[{"name":"Pen"}]},"shipping":{"city":"Paris","street1":"1 rue"}}`
	for _, body := range []map[string]any{
		{"parameters": map[string]any{"card": map[string]any{
			"shipping": map[string]any{"street1": "1 rue", "city": "Paris"},
			"cart":     map[string]any{"items": []any{map[string]any{"name": "Pen"}}},
		}}},
		{"parameters": map[string]any{
			"shipping": map[string]any{"street1": "1 rue", "city": "Paris"},
			"cart":     map[string]any{"items": []any{map[string]any{"name": "Pen"}}},
		}},
		{"parameters[shipping][street1]": "1 rue", "parameters[card][shipping][city]": "Paris",
			"parameters[card][cart][items][0][name]": "Pen"},
		{"parameters": map[string]any{"shipping[street1]": "1 rue", "card[shipping][city]": "Paris",
			"cart[items][0][name]": "Pen"}},
	} {
		w, bank := open(t), &provider{}
		w.connects(settings.SandboxConnector, bank)
		payer := w.shop.visits("pen-1", func(order map[string]any) {
			for name, value := range body {
				order[name] = value
			}
		})
		payer.pays("01/38")
		if got := string(bank.charges[0].Parameters); got != want {
			t.Errorf("%v reaches the provider as %s", body, got)
		}
	}
}

// payer_ip reaches the provider beside the address that was measured.
func TestStatedAddressOfThePayer(t *testing.T) {
	w, bank := open(t), &provider{}
	w.connects(settings.SandboxConnector, bank)
	payer := w.shop.visits("pen-1", with("payer_ip", "203.0.113.9"))
	payer.pays("01/38")
	if c := bank.charges[0]; c.StatedIP != "203.0.113.9" || c.PayerIP == c.StatedIP || c.PayerIP == "" {
		t.Errorf("stated %q, measured %q", c.StatedIP, c.PayerIP)
	}
}

// The rows of M23 may stand in its object, directly in parameters, and fine at the top.
func TestFlatParameters(t *testing.T) {
	for name, change := range map[string]func(map[string]any){
		"in its object": with("parameters", map[string]any{"local_transfer": map[string]any{"fine": "2.50"}}),
		"flat":          with("parameters", map[string]any{"fine": "2.50"}),
		"at the top":    with("fine", "2.50"),
	} {
		t.Run(name, func(t *testing.T) {
			bank := &provider{charge: func(connector.Charge) (connector.Result, error) { return approved, nil }}
			w := open(t, everyMethodOf("local_transfer"))
			w.connects(settings.SandboxConnector, bank)
			payer := w.shop.visits("pen-1", change)
			fields := map[string]string{}
			for _, f := range payer.screen().Methods[0].Fields {
				if f.Required {
					fields[f.ID] = "52998224725"
				}
			}
			payer.send(form.Request{Attempt: uuid.NewString(), Method: "local_transfer", Fields: fields})
			w.work()
			if len(bank.charges) != 1 || !strings.Contains(fmt.Sprint(string(bank.charges[0].Parameters)), `"fine":`) {
				t.Errorf("charged %d times: %+v", len(bank.charges), bank.charges)
			}
		})
	}
}
