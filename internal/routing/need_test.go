package routing

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/routing/routingtest"
	"checkout/internal/settings"
)

// What a request lacks is said for every method of a MID, also for those that it does not name.
func TestNeeds(t *testing.T) {
	mid := settings.MID{Name: "a",
		Methods: strings.Fields("card crypto local_transfer installments_a member local_payout")}
	preset := mid
	preset.Presets = map[string]map[string]string{
		"local_payout": {"branch_identifier": "0001", "source_account_number": "123"},
	}
	for _, test := range []struct {
		mid        settings.MID
		operation  method.Operation
		parameters string
		want       string
	}{
		{mid, method.Purchase, ``, "crypto.crypto_type local_transfer.fine " + strings.TrimSpace(strings.ReplaceAll(
			" product_reference_id product_name product_quantity product_sku product_category product_url "+
				"product_image_url product_type", " product", " installments_a.product"))},
		{mid, method.Credit, `{"local_payout":{"key":"a@b.co"}}`,
			"local_payout.source_account_number local_payout.branch_identifier"},
		{preset, method.Credit, `{"local_payout":{"key":"a@b.co"}}`, ""},
		{preset, method.Credit, ``, "local_payout.key"},
	} {
		test.mid.Operations = method.Operations
		req := request.Session{Details: request.Details{Operation: test.operation}, Methods: []string{"card"}}
		if test.parameters != "" {
			req.Parameters = json.RawMessage(test.parameters)
		}
		var got []string
		for _, need := range Evaluate(routingtest.WithMIDs(test.mid), &req)[0].needs(&req) {
			got = append(got, strings.TrimPrefix(need.Parameter, "parameters."))
			if need.Text == "" || !strings.HasPrefix(need.Parameter, "parameters."+need.Method+".") {
				t.Errorf("%+v", need)
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s with %s: %s, want %s", test.operation, test.parameters, text, test.want)
		}
	}
}

// BenchmarkFindRoute is two MIDs with every method, as a session is created that names none.
func BenchmarkFindRoute(b *testing.B) {
	mid := settings.MID{Name: "a", Operations: method.Operations}
	for _, m := range method.Methods {
		mid.Methods = append(mid.Methods, m.ID)
	}
	m, req := routingtest.WithMIDs(mid, mid), &request.Session{}
	req.Operation, req.Order.Currency = method.Purchase, "USD"
	req.Order.Amount.Text = "10.00"
	req.Parameters = json.RawMessage(`{"crypto":{"crypto_type":"BTC"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if r, err := FindRoute(m, req); err != nil || len(r.MIDs[0].Methods) < 20 {
			b.Fatal("few methods are offered", err)
		}
	}
}

// A method with a list of countries or currencies is offered for no others. An unknown country may be any.
func TestCountriesAndCurrenciesOfMethods(t *testing.T) {
	all := method.Methods
	t.Cleanup(func() { method.Methods = all })
	trial := method.Method{ID: "trial", Market: method.Market{Currencies: []string{"EUR"}}}
	method.Methods = append(slices.Clone(all), trial)
	for _, test := range []struct{ id, country, currency, want string }{
		{"personal_id_br", "BR", "USD", ""},
		{"personal_id_br", "", "USD", ""},
		{"personal_id_br", "DE", "USD", "method_country"},
		{"trial", "DE", "EUR", ""},
		{"trial", "DE", "USD", "method_currency"},
	} {
		req := request.Session{Details: request.Details{Operation: method.Purchase}}
		req.BillingAddress.Country = test.country
		currency, _ := money.Find(test.currency)
		req.Order.Currency, req.Order.Amount = test.currency, request.ReadAmount("5", currency)
		if got := reasonsOf(routingtest.WithMIDs(settings.MID{Methods: []string{test.id}}), req); got != test.want {
			t.Errorf("%s in %q with %s: %q, want %q", test.id, test.country, test.currency, got, test.want)
		}
	}
}
