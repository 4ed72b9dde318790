package method

import (
	"encoding/base64"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The catalogue shows every change of the tables in review.
func TestCatalogue(t *testing.T) {
	golden(t, "../../infra/methods.json", catalogue())
	golden(t, "testdata/page_fields.golden.json", map[string]any{"page_fields": PageFields})
}

func everyRow(rows []Param, visit func(Param)) {
	for _, row := range rows {
		visit(row)
		everyRow(row.Rows, visit)
	}
}

// Every row accepts some value, so its type code is known, and rejects control characters.
func TestEveryRowHasGoodValues(t *testing.T) {
	values := []string{"12", "abc", "AB", "US", "USA", "2001-02-03", "https://example.com/", "1.5",
		"ada@example.org", "DEUTDEFF", "20055361682", "HEGG560427MVZRRL04", "GODE561231GR8", "52998224725", "125319092",
		"1020304050", "EUR", "success@upi", "2019-08-24T14:15:22Z", "+14155552671", "+22890112345", "20123456",
		"1714307103", "2850590940090418135201", "mi.cuenta.sueldo", "SBIN0000300", "01136600010003254221", "2000"}
	for _, m := range Methods {
		for _, set := range m.Sets {
			everyRow(set.Rows, func(row Param) {
				if row.Type == TypeObject || row.Type == TypeList {
					if len(row.Rows) == 0 {
						t.Errorf("%s %s has no rows", set.Name, row.Name)
					}
					return
				}
				if row.Type == TypeBool {
					return
				}
				good := func(value string) bool { return row.Fault(value) == "" }
				if !slices.ContainsFunc(slices.Concat(row.Values, values, checkValues[row.Check].Good), good) {
					t.Errorf("%s %s: no value is good for type %q", set.Name, row.Name, row.Type)
				}
				if row.Fault("a\x00") == "" {
					t.Errorf("%s %s accepts a control character", set.Name, row.Name)
				}
			})
		}
	}
}

// identifiers is how many methods have a label.
var identifiers = map[string]int{"M6": 2, "M8": 2, "M10": 3, "M13": 2, "M18": 2, "BRAND": 2, "CASH": 3}

// Every label has its methods.
func TestEveryLabelHasItsMethods(t *testing.T) {
	labels := []string{"CARD", "W1", "W2", "MOBILE", "BRAND", "CASH", "WALLETAPP", "VOUCHER", "BJTG"}
	for prefix, most := range map[string]int{"M": 25, "WD": 7, "COL": 9} {
		for n := range most {
			labels = append(labels, fmt.Sprint(prefix, n+1))
		}
	}
	found, ids := map[string]int{}, map[string]bool{}
	for _, m := range Methods {
		found[m.Label]++
		if ids[m.ID] || m.Behaviour < CardForm || m.Behaviour > ConfirmOnPhone || m.Family == "" || m.Name == "" {
			t.Errorf("%s is not unique, or lacks its behaviour, family or name", m.ID)
		}
		ids[m.ID] = true
	}
	for _, label := range labels {
		if want := max(1, identifiers[label]); found[label] != want {
			t.Errorf("%s has %d methods, want %d", label, found[label], want)
		}
		delete(found, label)
	}
	if len(found) > 0 {
		t.Errorf("labels of no specification: %v", found)
	}
}

// An unfinished method is in the catalogue, but nobody can choose it.
func TestUnfinishedMethodsAreNotOffered(t *testing.T) {
	all := Methods
	Methods = append(slices.Clone(all), Method{ID: "half", Unfinished: true})
	t.Cleanup(func() { Methods = all })
	if _, ok := Find("half"); ok {
		t.Error("it is offered")
	}
	if !slices.ContainsFunc(catalogue(), func(m catalogueMethod) bool { return m.ID == "half" && !m.Offered }) {
		t.Error("it is not in the catalogue as not offered")
	}
}

// The wallets take payments of purchases and debits, also in two steps, and have a button instead of a form.
func TestWallets(t *testing.T) {
	for _, id := range []string{ApplePay, GooglePay} {
		m, ok := Find(id)
		if !ok || !IsWallet(id) || m.Action != ActionWallet || !m.TwoStep || m.Card {
			t.Errorf("%s is %+v", id, m)
		}
		for _, operation := range Operations {
			if payin := operation == Purchase || operation == Debit; m.For(operation) != payin {
				t.Errorf("%s: %s is %v", id, operation, !payin)
			}
		}
	}
	for _, m := range Methods {
		if IsWallet(m.ID) != (m.Action == ActionWallet) {
			t.Errorf("%s has the action %q", m.ID, m.Action)
		}
	}
}

func TestParamFault(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, test := range []struct {
		code, value, want string
	}{
		{"AN100", long, ""},
		{"AN100", long + "x", TextNotValid + " It should have at most 100 characters."},
		{"AN", strings.Repeat("x", 2048), ""},
		{"AN", strings.Repeat("x", 2049), TextNotValid + " It should have at most 2048 characters."},
		{"AN100", "a\x07", TextNotValid},
		{"A3", "EUR", ""},
		{"A3", "EU", TextNotValid},
		{"A3", "EU1", TextNotValid},
		{"A3", "ÉUR", TextNotValid},
		{"N5", "12345", ""},
		{"N5", "1", ""},
		{"N5", "123456", TextNotValid},
		{"N5", "1.5", TextNotValid},
		{"N5", "-1", TextNotValid},
		{"N5", "١٢", TextNotValid},
		{"N13", "1234567890.123", ""},
		{"N13", "1234567890123", ""},
		{"N13", "12345678901234", TextNotValid},
		{"N13", "12345678901.234", TextNotValid},
		{"N13", "1.", TextNotValid},
		{"N13", ".5", TextNotValid},
		{"N13", "1e3", TextNotValid},
		{"N10.N2", "1234567890.12", ""},
		{"N10.N2", "12345678901", TextNotValid},
		{"N10.N2", "1.234", TextNotValid},
		{"N10.N2", "1.2", ""},
		{"NN", "03", ""},
		{"NN", "3", TextNotValid},
		{"NN", "003", TextNotValid},
		{TypeString, "any text", ""},
		{TypeString, strings.Repeat("x", 256), TextNotValid + " It should have at most 255 characters."},
		{TypeDate, "2024-02-29", ""},
		{TypeDate, "2023-02-29", TextNotValid},
		{TypeDate, "2023-2-9", TextNotValid},
		{TypeCountry, "DE", ""},
		{TypeCountry, "de", TextNotChoice},
		{TypeCountry, "XX", TextNotChoice},
		{TypeCountry3, "DEU", ""},
		{TypeCountry3, "276", ""},
		{TypeCountry3, "DE", TextNotChoice},
		{TypeCountryOrN3, "DE", ""},
		{TypeCountryOrN3, "276", ""},
		{TypeCountryOrN3, "DEU", TextNotValid},
		{TypeCountryOrN3, "999", TextNotValid},
		{TypeNumber, "12.50", ""},
		{TypeNumber, "-1", TextNotValid},
		{TypeBase64, "SGVsbG8=", ""},
		{TypeBase64, "SGVs bG8", ""},
		{TypeBase64, "SGVsbG8*", TextNotValid},
		{TypeBase64, base64.StdEncoding.EncodeToString(make([]byte, 64<<10)), ""},
		{TypeBase64, base64.StdEncoding.EncodeToString(make([]byte, 64<<10+1)), TextNotValid},
		{TypeURL, "https://example.com/a?b=c", ""},
		{TypeURL, "javascript:alert(1)", TextNotURL},
		{"mistyped", "x", TextNotValid},
		{"Z9", "x", TextNotValid},
	} {
		got := (Param{Type: test.code}).Fault(test.value)
		if test.want == TextNotValid && test.code != "mistyped" && test.code != "Z9" { // the rule follows
			test.want += " It should"
			got = got[:min(len(got), len(test.want))]
		}
		if got != test.want {
			t.Errorf("%s %q: %q, want %q", test.code, test.value, got, test.want)
		}
	}
	choice := Param{Type: "AN8", Values: []string{"return", "shipment"}}
	if choice.Fault("return") != "" || choice.Fault("Return") != TextNotChoice {
		t.Error("a value must be exactly one of the list")
	}
}

func TestFind(t *testing.T) {
	if m, ok := Find("card"); !ok || !m.Card {
		t.Errorf("card: %v %v", m, ok)
	}
	if _, ok := Find("Card"); ok {
		t.Error("an id is found in another case")
	}
	debit := cardSets[4]
	if debit.For("purchase") || !debit.For("debit") || !cardSets[0].For("purchase") {
		t.Error("C5 is not for debit only, or C1 is not for all operations")
	}
}

func TestCrypto(t *testing.T) {
	crypto, _ := Find(Crypto)
	card, _ := Find(Card)
	for _, operation := range Operations {
		if crypto.For(operation) != (operation == Purchase) || !card.For(operation) {
			t.Errorf("%s: crypto %v, card %v", operation, crypto.For(operation), card.For(operation))
		}
	}
	if TakesCard(Crypto) || !crypto.AmountElsewhere || crypto.TwoStep {
		t.Error("a crypto payment has no card, may have no amount and is not authorised first")
	}
	if !TakesCard(Card) || card.AmountElsewhere || !card.TwoStep {
		t.Error("a card payment has a card and an amount, and may be authorised first")
	}
	if got := requiredRows(crypto, "purchase"); !slices.Equal(got, []string{"crypto_type"}) {
		t.Errorf("crypto requires %v", got)
	}
	if got := requiredRows(card, "debit"); len(got) != 0 {
		t.Errorf("a card requires %v, want none: those of C1 and C2 are required only with others of their set", got)
	}
	for _, test := range []struct {
		sent map[string]any
		row  string
	}{
		{map[string]any{}, ""},
		{map[string]any{"crypto_type": "BTC"}, ""},
		{map[string]any{"crypto_type": "USDT", "network_type": "tron"}, ""},
		{map[string]any{"crypto_type": "usdt", "network_type": "eth"}, ""},
		{map[string]any{"network_type": "eth"}, ""}, // another check reports the missing crypto_type
		{map[string]any{"crypto_type": "BTC", "network_type": "eth"}, "network_type"},
	} {
		if row, text := networkOfUSDT(test.sent); row != test.row || (text != "") != (row != "") {
			t.Errorf("%v: %q %q", test.sent, row, text)
		}
	}
}

func TestCountriesAndStates(t *testing.T) {
	if n := len(countryCodes().alpha2); n != 249 {
		t.Errorf("%d countries, ISO 3166-1 has 249", n)
	}
	if n := len(countryCodes().code3); n != 2*249 {
		t.Errorf("%d codes of three characters, want two for each country", n)
	}
	for _, country := range []string{"US", "CA", "AU", "JP", "IN"} {
		if !HasStates(country) {
			t.Errorf("%s has no states", country)
		}
		for _, s := range statesOf(country) {
			if !isState(country, s[0]) || s[1] == "" || len(s[0]) < 2 || len(s[0]) > 3 {
				t.Errorf("%s %v", country, s)
			}
		}
	}
	if HasStates("DE") || HasStates("") || isState("DE", "BY") {
		t.Error("other countries have no list")
	}
	if isState("US", "ca") || isState("US", "XX") || !isState("IN", "CT") || !isState("US", "AE") {
		t.Error("states are found in another case, or without former codes")
	}
}

func TestFindState(t *testing.T) {
	for _, test := range []struct{ country, text, want string }{
		{"US", "CA", "CA"},
		{"US", "California", "CA"},
		{"US", "california ", "CA"},
		{"US", "US-CA", "CA"},
		{"US", "USCA", "CA"},
		{"US", "AE", "AE"},
		{"US", "Washington", "WA"},
		{"US", "Washington DC", "DC"},
		{"US", "New  York", "NY"},
		{"US", "Virgin Islands, U.S.", "VI"},
		{"AU", "New South Wales", "NSW"},
		{"AU", "AU-NSW", "NSW"},
		{"AU", "NS", "NS"},
		{"CA", "Québec", "QC"},
		{"CA", "quebec", "QC"},
		{"CA", "CA-ON", "ON"},
		{"CA", "Nouvelle-Écosse", "NS"},
		{"JP", "Tokyo", "13"},
		{"JP", "Tōkyō", "13"},
		{"JP", "JP13", "13"},
		{"JP", "JP-13", "13"},
		{"JP", "13", "13"},
		{"IN", "Maharashtra", "MH"},
		{"IN", "IN-MH", "MH"},
		{"IN", "Jammu & Kashmir", "JK"},
		{"IN", "Dadra and Nagar Haveli and Daman and Diu", "DH"},
		{"IN", "Lakshadeep", "LD"},
		{"IN", "Pondicherry (Puducherry)", "PY"},
		{"IN", "IN", ""},
		{"IN", "Armed Forces (AA)", ""},
		{"US", "Armed Forces (AA)", "AA"},
		{"US", "Armed Forces (AE)", "AE"},
		{"US", "Armed Forces (AP)", "AP"},
		{"US", "Armed Forces (XX)", ""},
		{"US", "ca", ""},
		{"US", "CA-CA", ""},
		{"US", "AU-CA", ""},
		{"US", "XX", ""},
		{"US", "Ontario", ""},
		{"US", "", ""},
		{"US", "US", ""},
		{"DE", "BY", ""},
	} {
		if code, found := FindState(test.country, test.text); code != test.want || found != (test.want != "") {
			t.Errorf("%s %q: %q %v, want %q", test.country, test.text, code, found, test.want)
		}
	}
	for _, country := range []string{"US", "CA", "AU", "JP", "IN"} { // no name is that of two states
		for _, state := range statesOf(country) {
			for _, name := range state {
				if code, _ := FindState(country, name); code != state[0] {
					t.Errorf("%s %q: %s, want %s", country, name, code, state[0])
				}
			}
		}
	}
}

func TestCheckEmail(t *testing.T) {
	for _, good := range []string{
		"a@b.co", "first.last+tag@mail.example.com", "jürgen@müller.de", "o'neil@example.museum",
		strings.Repeat("x", 64) + "@example.com",
	} {
		if !CheckEmail(good) {
			t.Errorf("%q is rejected", good)
		}
	}
	for _, bad := range []string{
		"", "a", "a@", "@b.co", "a@b", "a@b..co", "a@-b.co", "a@b-.co", "a b@c.co", "a@b@c.co", "a@b.co ", "a@b_c.co",
		"a<b@c.co", "a@[127.0.0.1]", "a\n@b.co", "a@b.co\r\nBcc: x@y.z",
		strings.Repeat("x", 65) + "@example.com", "a@" + strings.Repeat("x.", 127) + "co",
	} {
		if CheckEmail(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// requiredRows are the names of the parameters without which a method can't be used for an operation.
func requiredRows(m Method, operation Operation) (names []string) {
	for _, set := range m.Sets {
		for _, row := range set.Rows {
			if row.MustBeSent() && !set.Extra && set.For(operation) {
				names = append(names, row.Name)
			}
		}
	}
	return names
}
