package merchant

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/request"
	"checkout/internal/request/requesttest"
	"checkout/internal/routing"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// readOnly is a store with Get alone: every other method panics.
type readOnly struct {
	store.Store
	records map[store.Key]store.Record
}

func (s readOnly) Get(_ context.Context, _ time.Time, keys ...store.Key) ([]store.Record, error) {
	records := make([]store.Record, len(keys))
	for i, key := range keys {
		records[i] = s.records[key]
	}
	return records, nil
}

// noSecrets is for settings without encrypted secrets.
type noSecrets struct{ settings.Secrets }

func (noSecrets) Uses() []settings.SecretUse { return nil }

// connectors declares a connector with all capabilities.
var connectors = settings.Declarations{
	"": {Operations: method.Operations, Capture: true, SavedCards: true, Recurring: true, AnyAmount: true, CardName: true},
}

// explainer returns a creator with one merchant and a saved card of it, whose store is read-only.
func explainer(m *settings.Merchant) *Creator {
	owner := fault.Owner{Merchant: m.ID}
	saved := card.Saved{
		Token: token, Owner: owner, Holder: "Al Doe",
		View: card.View{Mask: "411111******1111", ExpiryMonth: 1, ExpiryYear: 2038},
	}
	documents := readOnly{records: map[store.Key]store.Record{}}
	for _, r := range []store.Record{
		store.Encode(store.SettingsKey(m.ID), 0, m),
		store.Encode(store.AccessKey(m.LiveKey), 0, settings.Key{Owner: owner}),
		saved.Record(),
	} {
		r.Version = 1
		documents.records[r.Key] = r
	}
	return NewCreator(&checkout.Core{
		Declarations: connectors, Store: documents, Secrets: noSecrets{},
		Now: func() time.Time { return explainedAt },
	}, nil, nil, "")
}

var update = flag.Bool("update", false, "rewrite golden files")

var explainedAt = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

var token = strings.Repeat("ab", 32)

// authentic returns requesttest.ValidSession with changes and the right hash.
func authentic(t testing.TB, m *settings.Merchant, changes ...string) string {
	t.Helper()
	body := requesttest.SessionWith(t, changes...)
	in, err := request.Read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	order := in.Inside("order")
	hash := settings.SignHash(m,
		order.Text("number"), order.Text("amount"), order.Text("currency"), order.Text("description"))
	return strings.Replace(body, strings.Repeat("0", 40), hash, 1)
}

// explainedMerchant returns a merchant with a MID for most reasons of an explanation.
func explainedMerchant() *settings.Merchant {
	m := &settings.Merchant{
		ID: "shop", LiveKey: "11111111-2222-3333-4444-555555555555", Password: "abc123Pass", Connectors: connectors,
	}
	m.Mappings = []settings.Mapping{
		{Name: "closed", Disabled: true, MIDs: []settings.MID{{Name: "old", Methods: []string{"card"}}}},
		{
			Name: "main", RequiredFields: []string{"payer_email", "payer_country"},
			PreRouting: []settings.PreRoute{
				{Currencies: []string{"EUR"}, Methods: []string{"card"}},
				{Currencies: []string{"USD"}, Methods: []string{"crypto", "card"}},
			},
			MIDs: []settings.MID{
				{Name: "spare", Methods: []string{"card"}, Operations: method.Operations},
				{
					Name: "small", ChannelID: "s", Methods: []string{"card", "crypto"}, Weight: 1,
					Limits: []settings.Limit{{Currency: "USD", Max: "1000"}},
				},
				{
					Name: "large", ChannelID: "l", Methods: []string{"card"}, Weight: 3,
					Limits:     []settings.Limit{{Currency: "USD", Min: "1000"}},
					Currencies: []string{"USD"},
				},
			},
		},
		{Name: "next", MIDs: []settings.MID{
			{Name: "last", Methods: []string{"card"}, Operations: []method.Operation{"debit"}},
		}},
	}
	return m
}

// TestExplain compares a whole response with a golden file.
func TestExplain(t *testing.T) {
	m := explainedMerchant()
	body := authentic(t, m,
		"parameters.crypto.crypto_type", `"USDT"`, "order.amount", `"1000.00"`, "customer.email", `"a@b.co"`)
	s := explainer(m)
	var texts []string
	for range 2 {
		got, err := s.Explain(t.Context(), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text)+"\n")
	}
	if texts[0] != texts[1] {
		t.Errorf("two requests return\n%s\nand\n%s", texts[0], texts[1])
	}
	const name = "testdata/explain.golden.json"
	if *update {
		if err := os.WriteFile(name, []byte(texts[0]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if texts[0] != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", texts[0], want)
	}
}

// A session can be created if and only if the explanation has a method, and its page shows the same methods and fields.
func TestExplainAgreesWithTheSession(t *testing.T) {
	const payer = "payer_card payer_expiryDate payer_cvv payer_name payer_email payer_country"
	tokens := []string{"card_token", `["` + token + `"]`}
	for _, test := range []struct {
		name    string
		changes []string
		want    string // as explanation formats it
	}{
		{"a purchase", nil, "main: card (" + payer + ") > small spare"},
		{
			"a purchase by crypto",
			[]string{"methods", `["crypto"]`, "parameters.crypto.crypto_type", `"BTC"`},
			"main: crypto (payer_email payer_country) > small",
		},
		{
			"without an amount",
			[]string{"order.amount", ``, "order.currency", `"BTC"`, "parameters.crypto.crypto_type", `"BTC"`},
			"main: crypto (payer_email payer_country) > small",
		},
		{"a large purchase", []string{"order.amount", `"5000"`}, "main: card (" + payer + ") > large spare"},
		{"with a saved card", tokens, "main: card (" + payer + ") > small spare; 411111******1111 01/2038"},
		{
			"a credit",
			[]string{"operation", `"credit"`, "payee.name", `"Al"`},
			"main: card (payer_card payer_expiryDate payer_email payer_country) > spare",
		},
		{
			"a credit with a saved card",
			append(tokens, "operation", `"credit"`),
			"main: card () > spare; 411111******1111 01/2038",
		},
		{
			"a transfer",
			[]string{"operation", `"transfer"`, "payee.name", `"Al"`, "order.amount", `"-1"`},
			"main: card (order_amount payer_card payer_expiryDate payer_cvv payer_name payee_card " +
				"payer_email payer_country) > spare",
		},
		{"an unknown channel", []string{"channel_id", `"x"`}, ": "},
		{
			"a channel without the method",
			[]string{"channel_id", `"l"`, "methods", `["card","crypto"]`, "parameters.crypto.crypto_type", `"BTC"`},
			": ",
		},
		{"crypto for a debit", []string{"operation", `"debit"`, "methods", `["crypto"]`}, ": "},
	} {
		m := explainedMerchant()
		s := explainer(m)
		body := []byte(authentic(t, m, test.changes...))
		response, err := s.Explain(t.Context(), body)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		e := response.(explainResponse).Explanation
		if got := explanation(e); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
		req, err := s.readSession(t.Context(), explainedAt, body)
		if err != nil {
			t.Fatal(err)
		}
		sess, err := s.newSession(t.Context(), explainedAt, req)
		if (err == nil) != (len(e.Methods) > 0) {
			t.Errorf("%s: the session itself returns %v", test.name, err)
		}
		if err != nil || sess.Request.Operation == "credit" && len(sess.Saved) > 0 {
			continue
		}
		r, err := routing.FindRoute(m, &sess.Request)
		if err != nil || sess.Mapping != e.Mapping {
			t.Fatalf("%s: mapping %s %v", test.name, sess.Mapping, err)
		}
		for i, name := range r.Methods() {
			var fields []routing.ExplainedField
			for _, f := range form.Method(r, name, &sess.Request, sess.Saved).Fields {
				fields = append(fields, routing.ExplainedField{ID: f.ID, Kind: f.Kind, Required: f.Required})
			}
			if e.Methods[i].ID != name || !reflect.DeepEqual(fields, e.Methods[i].Fields) {
				t.Errorf("%s: the page shows %s %v", test.name, name, fields)
			}
		}
	}
}

// A method that the page offers to other payers only is no method of its MID, and the reason is told.
func TestExplainTellsWhatIsForOtherPayers(t *testing.T) {
	m := explainedMerchant()
	main := &m.Mappings[1]
	main.PreRouting = nil
	for i := range main.MIDs {
		main.MIDs[i].Methods = append(main.MIDs[i].Methods, "cash_mx", "upi_collect")
	}
	response, err := explainer(m).Explain(t.Context(), []byte(authentic(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	e, told := response.(explainResponse).Explanation, 0
	reasons := map[string]string{"cash_mx": "method_currency", "upi_collect": "method_market"}
	for _, mid := range e.MIDs {
		for _, left := range mid.NotOffered {
			code := left.Reasons[len(left.Reasons)-1].Code
			if mid.Takes && reasons[left.Method] == code && !slices.Contains(mid.Methods, left.Method) {
				told++
			}
		}
	}
	if len(e.Methods) != 1 || e.Methods[0].ID != "card" || told != 4 {
		t.Errorf("it tells %d MIDs of it: %s, %+v", told, explanation(e), e.MIDs)
	}
}

// explanation formats an explanation: "mapping: method (fields) > MIDs; saved card".
func explanation(e routing.Explanation) string {
	text := e.Mapping + ": "
	for _, m := range e.Methods {
		var fields, mids []string
		for _, f := range m.Fields {
			fields = append(fields, f.ID)
		}
		for _, mid := range m.MIDs {
			mids = append(mids, mid.MID)
		}
		text += m.ID + " (" + strings.Join(fields, " ") + ") > " + strings.Join(mids, " ")
	}
	for _, c := range e.SavedCards {
		text += "; " + c.Mask + " " + c.Expiry
	}
	return text
}

// A request that is invalid or not authentic returns the same errors as for a session.
func TestExplainErrors(t *testing.T) {
	m := explainedMerchant()
	m.RateLimit = 1
	disabled := explainedMerchant()
	disabled.Disabled = true
	unknown := strings.Repeat("c", 64)
	for _, test := range []struct {
		name     string
		merchant *settings.Merchant
		body     string
		want     fault.Code
		fault    string
	}{
		{"no object", m, `[]`, fault.CodeInvalid, "Request data is invalid."},
		{
			"a bad field", m, authentic(t, m, "order.currency", `"x"`),
			fault.CodeInvalid, "order.currency: The value you selected is not a valid choice.",
		},
		{"a wrong hash", m, requesttest.ValidSession, fault.CodeHash, "hash: Hash is not valid."},
		{"a disabled merchant", disabled, authentic(t, m), fault.CodeDenied, "Access denied."},
		{
			"an unknown card", m, authentic(t, m, "card_token", `["`+unknown+`"]`),
			fault.CodeInvalid, "card_token[0]: Card token is not found.",
		},
		{
			"two cards for a credit", m,
			authentic(t, m, "operation", `"credit"`, "card_token", `["`+token+`","`+unknown+`"]`),
			fault.CodeInvalid, "card_token: This value is not valid. A credit takes one card.",
		},
	} {
		response, err := explainer(test.merchant).Explain(t.Context(), []byte(test.body))
		if err == nil || fault.CodeOf(err) != test.want || err.Error() != test.fault || response != nil {
			t.Errorf("%s: %v %v", test.name, response, err)
		}
	}
	s := explainer(m)
	if _, err := s.Explain(t.Context(), []byte(authentic(t, m))); err != nil {
		t.Error(err)
	}
	if _, err := s.Explain(t.Context(), []byte(authentic(t, m))); fault.CodeOf(err) != fault.CodeTooMany {
		t.Errorf("over the rate limit: %v", err)
	}
}
