package merchant

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// What a request lacks is said for every method of a MID, also for those that it does not name.
func TestNeeds(t *testing.T) {
	mid := MID{Name: "a", Methods: strings.Fields("card crypto local_transfer installments_a member local_payout")}
	preset := mid
	preset.Presets = map[string]map[string]string{
		"local_payout": {"branch_identifier": "0001", "source_account_number": "123"},
	}
	for _, test := range []struct {
		mid        MID
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
		for _, need := range evaluate(withMIDs(test.mid), &req)[0].needs(&req) {
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

// BenchmarkEvaluate is two MIDs with every method, as a session is created.
func BenchmarkEvaluate(b *testing.B) {
	mid := MID{Name: "a", Operations: method.Operations}
	for _, m := range method.Methods {
		mid.Methods = append(mid.Methods, m.ID)
	}
	m, req := withMIDs(mid, mid), &request.Session{}
	req.Operation, req.Order.Currency = method.Purchase, "USD"
	req.Order.Amount.Text = "10.00"
	req.Parameters = json.RawMessage(`{"crypto":{"crypto_type":"BTC"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if len(evaluate(m, req)[0].MID.Methods) < 20 {
			b.Fatal("few methods are offered")
		}
	}
}

// A method with a list of countries or currencies is offered for no others. An unknown country may be any.
func TestCountriesAndCurrenciesOfMethods(t *testing.T) {
	all := method.Methods
	t.Cleanup(func() { method.Methods = all })
	method.Methods = append(slices.Clone(all), method.Method{ID: "trial", Currencies: []string{"EUR"}})
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
		if got := reasonsOf(withMIDs(MID{Methods: []string{test.id}}), req); got != test.want {
			t.Errorf("%s in %q with %s: %q, want %q", test.id, test.country, test.currency, got, test.want)
		}
	}
}

func TestPresetsAreChecked(t *testing.T) {
	for presets, want := range map[string]string{
		`{}`: "",
		`{"local_transfer":{"branch_identifier":"0001"}}`:  "",
		`{"local_transfer":{"branch_identifier":"12345"}}`: "presets.local_transfer.branch_identifier",
		`{"local_transfer":{"debtor_name":""}}`:            "presets.local_transfer.debtor_name",
		`{"local_transfer":{"fine":"1"}}`:                  "presets.local_transfer.fine",
		`{"local_payout":{"branch_identifier":"0001"}}`:    "presets.local_payout",

		`{"local_transfer":{"source_account_number":"******"}}`: "presets.local_transfer.source_account_number",
	} {
		text := strings.Replace(validMerchant, `"methods": ["card", "crypto"],`,
			`"methods": ["card", "local_transfer"], "presets": `+presets+`,`, 1)
		got := merchantFaults(t, text)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 ||
			!strings.HasPrefix(got[0], "mappings[0].mids[0]."+want+": ")) {
			t.Errorf("%s: %s, want %s", presets, fmt.Sprint(got), want)
		}
	}
}

// Operators see no sensitive preset, and can store the settings as they see them.
func TestPresetsAreMasked(t *testing.T) {
	m := withMIDs(MID{Name: "a", Methods: []string{"local_payout"}, Presets: map[string]map[string]string{
		"local_payout": {"branch_identifier": "0001", "source_account_number": "8675309"},
	}})
	shown := m.clone()
	shown.maskPresets()
	got := shown.Mappings[0].MIDs[0].Presets["local_payout"]
	if got["source_account_number"] != method.Masked || got["branch_identifier"] != "0001" {
		t.Errorf("shown are %v", got)
	}
	if m.Mappings[0].MIDs[0].Presets["local_payout"]["source_account_number"] != "8675309" {
		t.Error("the settings themselves were changed")
	}
	saved := shown.clone()
	saved.fillFrom(m)
	if got := saved.Mappings[0].MIDs[0].Presets["local_payout"]["source_account_number"]; got != "8675309" {
		t.Errorf("stored is %q", got)
	}
}
