package request

import (
	"encoding/json"
	"reflect"
	"testing"

	"checkout/internal/method"
)

func readTestParameters(t *testing.T, body, operation string) (string, []string) {
	t.Helper()
	in := mustFields(t, body)
	d := Draft{known: testMerchant{}, found: in.found}
	d.Operation = method.Operation(operation)
	d.readParameters(in, &d.Session)
	return string(d.Parameters), faultTexts(faultsOf(in))
}

func TestParameters(t *testing.T) {
	const shipping = `{"card":{"shipping":{"city":"Paris","street1":"1, rue"}}}`
	const item = `{"card":{"cart":{"items":[{"name":"Book","price":"1.50"},{"name":"Pen"}]}}}`
	for _, test := range []struct {
		name, body, want string
		faults           []string
	}{
		{"absent", `{}`, ``, nil},
		{"null", `{"parameters":null}`, ``, nil},
		{"empty list", `{"parameters":[]}`, ``, nil},
		{"empty card", `{"parameters":{"card":{}}}`, ``, nil},
		{"empty list as card", `{"parameters":{"card":[]}}`, ``, nil},
		{"text", `{"parameters":"x"}`, ``, []string{"parameters: " + notValid}},
		{"text as card", `{"parameters":{"card":"x"}}`, ``, []string{"parameters.card: " + notValid}},
		{"what no row has is not kept",
			`{"parameters":{"merchant_pass":"secret","cheque":{"a":1},"card":{"merchant_pass":"secret","descriptor":"SHOP",` +
				`"shipping":{"pin":"1"}}}}`,
			`{"card":{"descriptor":"SHOP","shipping":{}}}`, nil},

		{"C1", `{"parameters":{"card":{"bnrg_installm_def":"01","bnrg_installm_months":"12","bnrg_installm_plan":"03"}}}`,
			`{"card":{"bnrg_installm_def":"01","bnrg_installm_months":"12","bnrg_installm_plan":"03"}}`, nil},
		{"codes as numbers", `{"parameters":{"card":{"bnrg_installm_def":"01","bnrg_installm_months":12,` +
			`"bnrg_installm_plan":"03","shipping_country":840,"cart":{"items":[{"recipient":{"country":840}}]}}}}`, ``,
			[]string{"parameters.card.bnrg_installm_months: " + notValid, "parameters.card.shipping_country: " + notValid,
				"parameters.card.cart.items[0].recipient.country: " + notValid}},
		{"C1 begun", `{"parameters":{"card":{"bnrg_installm_plan":"04"}}}`, ``, []string{
			"parameters.card.bnrg_installm_def: " + blank, "parameters.card.bnrg_installm_months: " +
				blank, "parameters.card.bnrg_installm_plan: " + choice}},
		{"C1 of empty texts is absent", `{"parameters":{"card":{"bnrg_installm_plan":"","bnrg_installm_def":null}}}`, ``,
			nil},
		{"C2",
			`{"parameters":{"card":{"document_type":"cpf","document_number":12345678909,"social_name":"Ana",` +
				`"fiscal_country":"BR"}}}`,
			`{"card":{"document_number":"12345678909","document_type":"cpf","fiscal_country":"BR","social_name":"Ana"}}`, nil},
		{"C2, written in groups",
			`{"parameters":{"card":{"document_type":"cpf","document_number":"529.982.247-25","social_name":"Ana",` +
				`"fiscal_country":"BR"}}}`,
			`{"card":{"document_number":"52998224725","document_type":"cpf","fiscal_country":"BR","social_name":"Ana"}}`, nil},
		{"C2, wrong digit",
			`{"parameters":{"card":{"document_type":"cpf","document_number":"52998224726","social_name":"Ana",` +
				`"fiscal_country":"BR"}}}`,
			``, []string{"parameters.card.document_number: " +
				notValid + " It should be a CPF: 11 digits with correct check digits."}},
		{"C2 begun", `{"parameters":{"card":{"social_name":"Ana","fiscal_country":"BRA"}}}`, ``, []string{
			"parameters.card.document_type: " + blank, "parameters.card.document_number: " +
				blank, "parameters.card.fiscal_country: " + choice}},
		{"C3", `{"parameters":{"card":{"descriptor":"longer than 20 characters"}}}`, ``, []string{
			"parameters.card.descriptor: " + notValid + " It should have at most 20 characters."}},
		{"C4", `{"parameters":{"card":{"shipping_country":"840","shipping_postcode":"123456789","customer_telnocc":"+1"}}}`,
			`{"card":{"customer_telnocc":"+1","shipping_country":"840","shipping_postcode":"123456789"}}`, nil},
		{"C4, wrong", `{"parameters":{"card":{"shipping_country":"US","shipping_postcode":"1234567890"}}}`, ``, []string{
			"parameters.card.shipping_postcode: " + notValid, "parameters.card.shipping_country: " + choice}},
		{"C5 is for debit alone", `{"parameters":{"card":{"payee_birth_date":"x"}}}`, ``, nil},
		{"C6", `{"parameters":{"card":{"shipping":{"street1":"1, rue","city":"Paris"}}}}`, shipping, nil},
		{"C6 items", `{"parameters":{"card":{"cart":{"items":[{"name":"Book","price":1.50},{"name":"Pen"}]}}}}`, item, nil},
		{"C6 items, wrong", `{"parameters":{"card":{"cart":{"items":[{},{"price":"x","productUrl":"x"},"y"]}}}}`, ``,
			[]string{
				"parameters.card.cart.items[1].price: " + notValid, "parameters.card.cart.items[1].productUrl: " +
					badURL, "parameters.card.cart.items[2]: " + notValid}},
		{"C6 items, no list", `{"parameters":{"card":{"cart":{"items":{"name":"x"}}}}}`, ``,
			[]string{"parameters.card.cart.items: " + notValid}},
		{"C6 booleans", `{"parameters":{"card":{"cart":{"payments":[{"primary":"Y"},{"primary":false}]}}}}`,
			`{"card":{"cart":{"payments":[{"primary":true},{"primary":false}]}}}`, nil},
		{"C6 sellers", `{"parameters":{"card":{"marketPlace":{"sellers":[{"id":7,"amount":"1.5"}]}}}}`,
			`{"card":{"marketPlace":{"sellers":[{"amount":"1.5","id":"7"}]}}}`, nil},

		{"brackets in the body",
			`{"parameters[card][shipping][street1]":"1, rue","parameters[card][shipping][city]":"Paris"}`, shipping, nil},
		{"brackets in the body without card",
			`{"parameters[shipping][street1]":"1, rue","parameters[shipping][city]":"Paris"}`, shipping, nil},
		{"brackets in parameters", `{"parameters":{"card[shipping][street1]":"1, rue","shipping[city]":"Paris"}}`, shipping,
			nil},
		{"brackets in card", `{"parameters":{"card":{"shipping[street1]":"1, rue","parameters[shipping][city]":"Paris"}}}`,
			shipping, nil},
		{"brackets beside what is nested",
			`{"parameters":{"card":{"shipping":{"street1":"1, rue"},"shipping[city]":"Paris","shipping[street1]":` +
				`"2, rue"}}}`, shipping, nil},
		{"brackets of items",
			`{"parameters[cart][items][0][name]":"Book","parameters[cart][items][0][price]":1.50,` +
				`"parameters[cart][items][1][name]":"Pen"}`, item, nil},
		{"brackets, wrong", `{"parameters[cart][items][0][price]":"x"}`, ``,
			[]string{"parameters.card.cart.items[0].price: " + notValid}},
		{"brackets that are none",
			`{"parameters[":1,"parameters[]":1,"parameters[a":1,"parameters[shipping][]":1,"[a]":1,"parameters[a][][b]":1}`,
			``, nil},
		{"brackets into a text", `{"parameters":{"card":{"shipping":"x","shipping[city]":"Paris"}}}`, ``,
			[]string{"parameters.card.shipping: " + notValid}},

		{"crypto",
			`{"parameters":{"crypto":{"crypto_type":"BTC","bech32":"Y","accountId":7,"pin":"1"}},"methods":["crypto"]}`,
			`{"crypto":{"accountId":"7","bech32":true,"crypto_type":"BTC"}}`, nil},
		{"crypto with a network", `{"parameters":{"crypto":{"crypto_type":"USDT","network_type":"tron"}}}`,
			`{"crypto":{"crypto_type":"USDT","network_type":"tron"}}`, nil},
		{"USDT without a network is on eth", `{"parameters":{"crypto":{"crypto_type":"USDT"}}}`,
			`{"crypto":{"crypto_type":"USDT","network_type":"eth"}}`, nil},
		{"a file without its name", `{"parameters":{"mobile_account":{"NarrativeFileBase64":"SGVsbG8=",` +
			`"AccountProviderCode":"7"}}}`, `{"mobile_account":{"AccountProviderCode":"7"}}`, nil},
		{"a card number of a payee", `{"parameters":{"open_banking":{"payee_identifications":[{"type":"PAN",` +
			`"identification":"4111111111111111"}]}}}`, ``,
			[]string{"parameters.open_banking.payee_identifications[0].type: " + choice}},
		{"a network of another asset", `{"parameters":{"crypto":{"crypto_type":"BTC","network_type":"eth"}}}`, ``,
			[]string{"parameters.crypto.network_type: " + notValid}},
		{"an unknown network", `{"parameters":{"crypto":{"crypto_type":"USDT","network_type":"bsc"}}}`, ``,
			[]string{"parameters.crypto.network_type: " + choice}},
		{"crypto without its asset, named", `{"parameters":{"crypto":{"accountId":"7"}},"methods":["card","crypto"]}`, ``,
			[]string{"parameters.crypto.crypto_type: " + blank}},
		{"crypto without anything, named", `{"methods":["crypto"]}`, ``, []string{"parameters.crypto.crypto_type: " + blank}},
		{"crypto without its asset, not named", `{"parameters":{"crypto":{"accountId":"7","network_type":"eth"}}}`,
			`{"crypto":{"accountId":"7","network_type":"eth"}}`, nil},
		{"crypto without its asset, another one named", `{"parameters":{"crypto":{"accountId":"7"}},"methods":["card"]}`,
			`{"crypto":{"accountId":"7"}}`, nil},
	} {
		got, faults := readTestParameters(t, test.body, "purchase")
		if !reflect.DeepEqual(faults, test.faults) || len(faults) == 0 && got != test.want {
			t.Errorf("%s: %s %q", test.name, got, faults)
		}
	}
	got, faults := readTestParameters(t,
		`{"parameters":{"card":{"payee_birth_date":"1970-02-17","payer_last_name":"Doe"}}}`, "debit")
	if got != `{"card":{"payee_birth_date":"1970-02-17","payer_last_name":"Doe"}}` || len(faults) != 0 {
		t.Errorf("C5: %s %q", got, faults)
	}
	if got, faults = readTestParameters(t, `{"methods":["crypto"]}`, "debit"); len(faults) != 0 {
		t.Errorf("a method that can't carry the operation out requires nothing: %s %q", got, faults)
	}
}

// What the payer fills in for a method is checked by the method's rules, together with what the merchant sent.
func TestJoinParameters(t *testing.T) {
	page := &method.Input{Kind: method.FieldText}
	m := method.Method{ID: "trial", Sets: []method.Set{
		{Name: "a", Rows: []method.Param{
			{Name: "number", Type: "N4", Need: method.Required, Page: page},
			{Name: "agreed", Type: method.TypeBool, Need: method.Optional, Page: page},
			{Name: "kind", Type: method.TypeString, Need: method.Optional, Values: []string{"A", "B"}, Page: page},
			{Name: "bank", Type: method.TypeObject, Need: method.Optional, Rows: []method.Param{
				{Name: "branch", Type: "A3", Need: method.Required, Page: page},
				{Name: "name", Type: method.TypeString, Need: method.Optional},
			}},
		}, Rules: []method.Rule{{Name: "no number beside B", Find: func(sent map[string]any) (string, string) {
			if sent["kind"] == "B" && sent["number"] != nil {
				return "number", method.NotValid("It does not go with B.")
			}
			return "", ""
		}}}},
		{Name: "b", Operations: []method.Operation{"debit"}, Rows: []method.Param{
			{Name: "of_debit", Type: method.TypeString, Page: page},
		}},
	}}
	for _, test := range []struct {
		sent  string
		typed map[string]string
		want  string
		fault string
	}{
		{``, map[string]string{"number": "12"}, `{"trial":{"number":"12"}}`, ""},
		{`{"card":{"descriptor":"SHOP"}}`, map[string]string{"agreed": "true", "bank.branch": "abc"},
			`{"card":{"descriptor":"SHOP"},"trial":{"agreed":true,"bank":{"branch":"abc"}}}`, ""},
		{`{"trial":{"bank":{"name":"Bank"},"kind":"A"}}`, map[string]string{"bank.branch": "abc", "number": "1"},
			`{"trial":{"bank":{"branch":"abc","name":"Bank"},"kind":"A","number":"1"}}`, ""},
		// The merchant's value wins: the page has no field for a parameter that was sent.
		{`{"trial":{"kind":"A"}}`, map[string]string{"kind": "B"}, `{"trial":{"kind":"A"}}`, ""},
		{``, map[string]string{"number": "12345"}, "",
			"number: " + method.NotValid("It should have at most 4 digits and nothing else.")},
		{``, map[string]string{"kind": "C"}, "", "kind: " + method.TextNotChoice},
		{``, map[string]string{"bank.branch": "1"}, "", "bank.branch: " + method.NotValid("It should have 3 letters.")},
		{`{"trial":{"kind":"B"}}`, map[string]string{"number": "1"}, "",
			"number: " + method.NotValid("It does not go with B.")},
		{``, map[string]string{"of_debit": "x"}, `{"trial":{}}`, ""},
	} {
		req := &Session{Details: Details{Operation: "purchase"}}
		if test.sent != "" {
			req.Parameters = json.RawMessage(test.sent)
		}
		got, faults := JoinParameters(m, req, test.typed)
		if test.fault != "" {
			if len(faults) != 1 || faults[0].String() != test.fault {
				t.Errorf("%v: %v, want %s", test.typed, faults, test.fault)
			}
			continue
		}
		if len(faults) > 0 || string(got) != test.want {
			t.Errorf("%s and %v: %s %v, want %s", test.sent, test.typed, got, faults, test.want)
		}
	}
}

func TestWithoutParameters(t *testing.T) {
	for _, test := range []struct{ sent, want string }{
		{``, ``},
		{`{"card":{"otp":"1"}}`, `{"card":{"otp":"1"}}`},
		{`{"pull":{"bank":"text","otp":"1"}}`, `{"pull":{"bank":"text"}}`},
		{`{"pull":{"bank":{"name":"Bank","otp":"1"}}}`, `{"pull":{"bank":{"name":"Bank"}}}`},
	} {
		got := WithoutParameters(json.RawMessage(test.sent), "pull", []string{"otp", "bank.otp"})
		if string(got) != test.want {
			t.Errorf("%s: %s, want %s", test.sent, got, test.want)
		}
	}
}

func TestSentParameter(t *testing.T) {
	sent, none := &Session{}, &Session{}
	sent.Parameters = json.RawMessage(`{"trial":{"number":"12","bank":{"branch":"abc"},"agreed":false}}`)
	for path, want := range map[string]string{
		"number": "12", "bank.branch": "abc", "agreed": "false", "bank.name": "", "number.x": "", "x": "",
	} {
		if got := sent.SentParameter("trial", path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if !sent.HasParameter("trial", "bank") || sent.HasParameter("trial", "x") || none.HasParameter("trial", "bank") {
		t.Error("HasParameter does not say what was sent")
	}
	if sent.SentParameter("card", "number") != "" || none.SentParameter("trial", "number") != "" {
		t.Error("a value is returned that was sent for another method, or not sent at all")
	}
}
