package story

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/method"
	"checkout/internal/settings"
)

// mids gives the shop one MID for each setting of the sandbox, tried in this order.
func mids(texts ...string) func(*settings.Merchant) {
	return func(m *settings.Merchant) {
		operations(m)
		first := m.Mappings[0].MIDs[0]
		m.Mappings[0].MIDs = nil
		for i, setting := range texts {
			mid := first
			mid.Name, mid.Credentials = fmt.Sprintf("mid-%d", i+1), map[string]string{"sandbox": setting}
			m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, mid)
		}
	}
}

// After a definite soft decline the next MID is tried, each once. After any other result none is. The shop is told of
// the last outcome only.
func TestCascade(t *testing.T) {
	const soft, hard, silent = "declines softly", "declines", "never answers"
	for _, test := range []struct {
		name, card string
		mids       []string
		status     string
		outcomes   []string // outcomes by MID, in the sandbox's ledger
		told       []string
	}{
		{
			"first one approves", "01/38", []string{"", ""},
			"settled", []string{"approved"}, []string{"sale success settled"},
		},
		{
			"second one approves", "01/38", []string{soft, ""},
			"settled", []string{"declined", "approved"}, []string{"sale success settled"},
		},
		{
			"third one approves", "01/38", []string{soft, soft, ""},
			"settled", []string{"declined", "declined", "approved"}, []string{"sale success settled"},
		},
		{
			"none approves", "01/38", []string{soft, soft},
			"decline (The provider has a problem, try again later.)", []string{"declined", "declined"},
			[]string{"sale fail decline"},
		},
		{
			"hard decline", "01/38", []string{hard, ""},
			"decline (Declined by processing.)", []string{"declined"}, []string{"sale fail decline"},
		},
		{
			"no response", "01/38", []string{silent, ""},
			"settled", []string{"approved"}, []string{"sale undefined prepare", "sale success settled"},
		},
		{
			"soft, then no response", "01/38", []string{soft, silent, ""},
			"settled", []string{"declined", "approved"}, []string{"sale undefined prepare", "sale success settled"},
		},
		{
			"soft, then 3-D Secure", "05/38", []string{soft, ""},
			"settled", []string{"declined", "approved"}, []string{"3ds success 3ds", "sale success settled"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, mids(test.mids...))
			payer := w.shop.visits("pen-1")
			payer.pays(test.card)
			if payer.status() == "3ds" {
				payer.presses("confirm")
			}
			w.pass(10 * time.Minute)
			payer.is(test.status)
			var want []string
			for _, end := range test.outcomes {
				want = append(want, "1 x 10.00 USD "+end)
			}
			w.ledgerIs(want...)
			w.shop.told(test.told...)
			if p := payer.payment(); p.MID != fmt.Sprintf("mid-%d", len(test.outcomes)) {
				t.Errorf("the payment has the MID %s", p.MID)
			}
		})
	}
}

// The function dies after it stored the move to the next MID. That MID is not tried, because the security code was only
// in the function's memory.
func TestDeadInCascade(t *testing.T) {
	w := open(t, mids("declines softly", ""))
	payer := w.shop.visits("pen-1")
	w.queue.lose = loseAll
	payer.send(payer.attempt("01/38"))
	w.store.next("ok", "ok", "after") // the request, the sandbox's ledger, the move to the second MID
	_ = payer.runs()
	w.store.next()
	w.queue.lose = nil
	w.pass(10 * time.Minute)
	w.ledgerIs("1 x 10.00 USD declined")
	payer.is("decline (The payment was not carried out.)")
	payer.sees("form: declined (not_sent)")
}

// Weights distribute first tries among MIDs.
func TestWeights(t *testing.T) {
	w := open(t, mids("", "", ""), func(m *settings.Merchant) {
		m.Mappings[0].MIDs[1].Weight, m.Mappings[0].MIDs[2].Weight = 3, 1
	})
	taken := map[string]int{}
	for i := range 80 {
		payer := w.shop.visits(fmt.Sprintf("pen-%d", i))
		payer.pays("01/38")
		taken[payer.payment().MID]++
	}
	if taken["mid-1"] != 0 || taken["mid-2"] < 40 || taken["mid-3"] < 5 {
		t.Errorf("taken %v", taken)
	}
}

// The number of pay attempts of one session is limited, so that nobody can try out cards.
func TestPayAttemptsAreLimited(t *testing.T) {
	w := open(t, func(m *settings.Merchant) { m.Mappings[0].MaxDeclines, m.Mappings[0].PayLimit = 100, 3 })
	payer := w.shop.visits("pen-1")
	for range 3 {
		payer.pays("02/38")
	}
	click := payer.attempt("02/38")
	code, body := w.call("POST", "/page/v1/"+payer.session+"/pay", click)
	if code != 429 {
		t.Errorf("a fourth attempt: %d %s", code, body)
	}
	w.skip(time.Minute)
	payer.send(click)
	w.work()
	if got := len(w.ledger()); got != 4 {
		t.Errorf("%d charges", got)
	}
}

// Explain shows what a session would offer, and stores nothing.
func TestExplain(t *testing.T) {
	w := open(t, mids("", ""), func(m *settings.Merchant) { m.Mappings[0].MIDs[1].Currencies = []string{"EUR"} })
	before := len(w.app.Store.Dump())
	body := w.shop.Sign(w.shop.Order("pen-1"))
	code, response := w.post("/api/v1/session/explain", body)
	methods, _ := response["methods"].([]any)
	if code != 200 || len(methods) != 1 || methods[0].(map[string]any)["id"] != "card" {
		t.Fatalf("%d %v", code, response)
	}
	var eligible []string
	for _, mid := range response["mids"].([]any) {
		m := mid.(map[string]any)
		text := fmt.Sprint(m["mid"], " ", m["takes"])
		if reasons, _ := m["reasons"].([]any); len(reasons) > 0 {
			text += " " + fmt.Sprint(reasons[0].(map[string]any)["code"])
		}
		eligible = append(eligible, text)
	}
	if !slices.Equal(eligible, []string{"mid-1 true", "mid-2 false currency"}) {
		t.Errorf("MIDs %q", eligible)
	}
	if after := len(w.app.Store.Dump()); after != before {
		t.Errorf("%d documents were stored", after-before)
	}
	w.shop.visits("pen-1") // the explained order is no duplicate
	bad := w.shop.Order("pen-2", with("success_url", nil))
	code, response = w.post("/api/v1/session/explain", w.shop.Sign(bad))
	if inWords(code, response) != "400 100000 success_url: This value should not be blank." {
		t.Errorf("%d %v", code, response)
	}
}

// Each payment goes to the first MID that takes its operation, currency, amount, steps and channel_id.
func TestWhichMIDCharges(t *testing.T) {
	limit := func(currency, least, most string) func(*settings.MID) {
		return func(m *settings.MID) {
			m.Currencies, m.Limits = []string{currency}, []settings.Limit{{Currency: currency, Min: least, Max: most}}
		}
	}
	type request = map[string]any
	amount := func(amount, currency string) func(request) {
		return func(body request) {
			order := body["order"].(request)
			order["amount"], order["currency"] = amount, currency
		}
	}
	w := open(t, func(m *settings.Merchant) {
		m.Mappings[0].ExtendedData, m.Mappings[0].MIDs = true, nil
		for _, mid := range []struct {
			name   string
			change func(*settings.MID)
		}{
			{"channel", func(m *settings.MID) { m.ChannelID, m.Currencies = "vip", []string{"GBP"} }},
			{"off", func(m *settings.MID) { m.Disabled = true }},
			{"debit", func(m *settings.MID) { m.Operations = []method.Operation{"debit"} }},
			{"small", limit("USD", "", "50.00")},
			{"large", limit("USD", "50.01", "1000.00")},
			{"yen", limit("JPY", "100", "")},
			{"two steps", func(m *settings.MID) { m.Currencies, m.CaptureType = []string{"USD"}, settings.CaptureDMS }},
		} {
			one := settings.MID{Name: mid.name, Connector: realBank, Methods: []string{"card"}}
			one.CaptureType = settings.CaptureSMS
			mid.change(&one)
			m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, one)
		}
	})
	const noMapping = "400 204002 Protocol mapping not found."
	vip := with("channel_id", "vip")
	for i, test := range []struct {
		name    string
		changes []func(request)
		want    string // the MID that charges, or the response in words
	}{
		{"most of the first", []func(request){amount("50.00", "USD")}, "small"},
		{"least of the second", []func(request){amount("50.01", "USD")}, "large"},
		{"more than any takes", []func(request){amount("1000.01", "USD")}, noMapping},
		{"no decimals", []func(request){amount("100", "JPY")}, "yen"},
		{"less than it takes", []func(request){amount("99", "JPY")}, noMapping},
		{"channel", []func(request){amount("10.00", "GBP"), vip}, "channel"},
		{"any channel", []func(request){amount("10.00", "GBP")}, "channel"},
		{"channel of another currency", []func(request){amount("10.00", "USD"), vip}, noMapping},
		{"unknown channel", []func(request){amount("10.00", "GBP"), with("channel_id", "x")}, noMapping},
		{
			"channel without a method",
			[]func(request){amount("10.00", "GBP"), vip, with("methods", []string{"card", "crypto"}), cryptoBTC},
			"400 100000 methods[1]: The value you selected is not a valid choice.",
		},
		{"two steps", []func(request){with("auth", true)}, "two steps"},
		{"operation of one", []func(request){with("operation", "debit")}, "debit"},
		{"operation of none", []func(request){with("operation", "transfer"), payee},
			"400 204003 operation: This operation is not supported."},
		{"currency of none", []func(request){amount("10.00", "EUR")}, noMapping},
	} {
		number := fmt.Sprint("pen-", i)
		got := ""
		if strings.HasPrefix(test.want, "400") {
			got = inWords(w.post("/api/v1/session", w.shop.Sign(w.shop.Order(number, test.changes...))))
		} else {
			w.shop.visits(number, test.changes...).pays("01/38")
			taken := w.shop.Taken()
			got = taken[len(taken)-1].Fields.Get("mid_name")
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// The methods that the payer can choose from, and their order, if the request names none: the first rule that matches
// decides.
func TestPreRouting(t *testing.T) {
	w := open(t, operations, coins, func(m *settings.Merchant) {
		m.Mappings[0].PreRouting = []settings.PreRoute{
			{Currencies: []string{"USD"}, MinAmount: "100.00", MaxAmount: "200.00", Methods: []string{"crypto", "card"}},
			{Countries: []string{"DE"}, Methods: []string{"crypto"}},
			{Operations: []method.Operation{"purchase"}, Methods: []string{"card"}},
		}
	})
	asks := func(amount, country string) func(map[string]any) {
		return func(body map[string]any) {
			body["order"].(map[string]any)["amount"] = amount
			body["billing_address"] = map[string]any{"country": country}
			cryptoBTC(body)
		}
	}
	for i, test := range []struct {
		request func(map[string]any)
		more    func(map[string]any)
		want    []string
		rule    any // that explain names
	}{
		{asks("100.00", "DE"), nil, []string{"crypto", "card"}, 0.0},
		{asks("200.00", "FR"), nil, []string{"crypto", "card"}, 0.0},
		{asks("200.01", "DE"), nil, []string{"crypto"}, 1.0},
		{asks("99.99", "FR"), nil, []string{"card"}, 2.0},
		{asks("99.99", "FR"), with("methods", []string{"crypto", "card"}), []string{"crypto", "card"}, nil},
	} {
		changes := []func(map[string]any){test.request}
		if test.more != nil {
			changes = append(changes, test.more)
		}
		var shown []string
		for _, m := range w.shop.visits(fmt.Sprint("pen-", i), changes...).screen().Methods {
			shown = append(shown, m.ID)
		}
		if !slices.Equal(shown, test.want) {
			t.Errorf("%d: shown %q, want %q", i, shown, test.want)
		}
		_, response := w.post("/api/v1/session/explain", w.shop.Sign(w.shop.Order("pen-x", changes...)))
		decided, _ := response["pre_routing"].(map[string]any)
		if decided["rule"] != test.rule {
			t.Errorf("%d: explained by %v, want %v", i, decided, test.rule)
		}
	}
}

// A custom form shows optional fields, in an order and with labels of its own. What the method needs stays required.
func TestFieldsOfACustomForm(t *testing.T) {
	label := map[string]string{"en": "Phone for the courier", "de": "Telefon für den Boten"}
	w := open(t, func(m *settings.Merchant) {
		m.Forms = []settings.Form{{
			ID: clubForm, Name: "Courier", RequiredFields: []string{"payer_phone"},
			OptionalFields: []string{"payer_city", "payer_name", "payer_state", "payer_country"},
			Order:          []string{"payer_phone", "payer_card", "payer_city", "payer_zip"},
			Labels:         map[string]map[string]string{"payer_phone": label},
		}}
	})
	payer := w.shop.visits("pen-1", with("form_id", clubForm))
	var got []string
	for _, f := range payer.screen().Methods[0].Fields {
		got = append(got, fmt.Sprint(f.ID, " ", f.Required, " ", f.Ordered))
		if f.ID == "payer_phone" && !maps.Equal(f.LabelTexts, label) || f.ID != "payer_phone" && f.LabelTexts != nil {
			t.Errorf("%s has the label %v", f.ID, f.LabelTexts)
		}
	}
	want := []string{
		"payer_phone true true", "payer_card true true", "payer_city false true", "payer_expiryDate true false",
		"payer_cvv true false", "payer_name true false", "payer_country false false", "payer_state false false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("fields %q, want %q", got, want)
	}
	pay := payer.attempt("01/38")
	pay.Fields["payer_phone"], pay.Fields["payer_city"] = "+493012345", "Berlin"
	delete(pay.Fields, "payer_country")
	payer.send(pay)
	w.work()
	sale := w.shop.last("sale").Fields
	if sale.Get("customer_phone") != "+493012345" || sale.Get("customer_city") != "Berlin" ||
		sale.Get("customer_country") != "" {
		t.Errorf("the callback has %v", sale)
	}
}

// A custom form requires more fields than the mapping. An unknown form is refused.
func TestCustomForm(t *testing.T) {
	const id = "0b9c7a34-58c5-4f6e-9d0a-2f1f6f0f3b11"
	w := open(t, func(m *settings.Merchant) {
		m.Forms = []settings.Form{{ID: id, Name: "With a phone", RequiredFields: []string{"payer_phone"}}}
	})
	payer := w.shop.visits("pen-1", with("form_id", strings.ToUpper(id)))
	if got := fieldIDs(payer.screen()); got != "payer_card payer_expiryDate payer_cvv payer_name payer_phone" {
		t.Errorf("the page asks for %s", got)
	}
	pay := payer.attempt("01/38")
	pay.Fields["payer_phone"] = "+49 (30) 123.456"
	payer.send(pay)
	w.work()
	if got := w.shop.last("sale").Fields.Get("customer_phone"); got != "+49(30)123456" {
		t.Errorf("customer_phone %q", got)
	}
	for form, want := range map[string]string{
		"0b9c7a34-58c5-4f6e-9d0a-2f1f6f0f3b12": "form_id: The value you selected is not a valid choice.",
		"another":                              "form_id: This value is not valid. It should be a UUID.",
	} {
		body := w.shop.Sign(w.shop.Order("pen-2", with("form_id", form)))
		if got := inWords(w.post("/api/v1/session", body)); got != "400 100000 "+want {
			t.Errorf("%s: %s", form, got)
		}
	}
}
