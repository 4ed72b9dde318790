package request

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/request/requesttest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// testMerchant is a merchant with these methods, schedules and forms.
type testMerchant struct{ methods, schedules, forms []string }

func (m testMerchant) HasMethod(id string) bool { return slices.Contains(m.methods, id) }
func (m testMerchant) HasPreset(_, row string) bool {
	return row == "branch_identifier" && len(m.methods) > 1
}

func (m testMerchant) HasSchedule(id string) bool { return slices.Contains(m.schedules, id) }
func (m testMerchant) HasForm(id string) bool {
	return slices.ContainsFunc(m.forms, func(form string) bool { return strings.EqualFold(form, id) })
}

var shop = testMerchant{[]string{"card"}, []string{"monthly", "5"}, []string{testForm}}

const testForm = "0f8fad5b-d9cb-469f-a165-70867728950e"

var testNow = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// readUnder reads a session by some rules, and returns its faults.
func readUnder(t testing.TB, body string, rules Rules) (Session, []fault.Fault) {
	t.Helper()
	in := mustFields(t, body)
	in.Required("merchant_key")
	d := ReadSession(in, shop, testNow)
	faults, _ := d.found.under(rules)
	if err := d.Apply(rules); (err == nil) != (len(faults) == 0) {
		t.Fatalf("%v, but the faults are %v", err, faults)
	}
	return d.Session, faults
}

// checkFaults returns the session that was read, and its faults as texts.
func checkFaults(t testing.TB, body string, rules Rules) (Session, []string) {
	t.Helper()
	r, faults := readUnder(t, body, rules)
	return r, faultTexts(faults)
}

func quoted(n int, s string) string { return `"` + strings.Repeat(s, n) + `"` }

const (
	blank    = "This value should not be blank."
	notValid = "This value is not valid."
	choice   = "The value you selected is not a valid choice."
	badURL   = "This value is not a valid URL."
	notAbove = "This value should be greater than 0."
)

// TestSessionFields has valid values of every field of the tables of protocol.md, Session request, and the faults of
// others.
func TestSessionFields(t *testing.T) {
	for _, row := range []struct {
		path string
		good []string
		bad  map[string]string // value to text; an empty value is a member that is not sent
	}{
		{"merchant_key", []string{`"any"`, `5`}, map[string]string{
			``: blank, `null`: blank, `""`: blank, `"  "`: blank, `[]`: blank, `{}`: notValid, `true`: notValid,
			`"a\u0000b"`: notValid, quoted(256, "x"): notValid + " It should have at most 255 characters."}},
		{"operation", []string{`"purchase"`, `"debit"`}, map[string]string{
			``: blank, `""`: blank, `"Purchase"`: choice, `"sale"`: choice, `["purchase"]`: notValid}},
		{"success_url", goodURLs, badURLs(map[string]string{``: blank, `null`: blank, `""`: blank})},
		{"cancel_url", append([]string{``, `null`, `""`, `[]`}, goodURLs...), badURLs(nil)},
		{"expiry_url", append([]string{``, `null`, `""`, `[]`}, goodURLs...), badURLs(nil)},
		{"error_url", append([]string{``, `null`, `""`, `[]`}, goodURLs...), badURLs(nil)},
		{"url_target", []string{``, `null`, `""`, `"_self"`, `"_parent"`, `"_top"`},
			map[string]string{`"_blank"`: choice, `"self"`: choice, `1`: choice}},
		{"session_expiry", []string{``, `null`, `""`, `1`, `720`, `"15"`, `60.0`}, map[string]string{
			`0`: notValid, `721`: notValid, `-5`: notValid, `"x"`: notValid, `1.5`: notValid, `true`: notValid}},
		{"channel_id", []string{``, `null`, `"mid-1"`, `12`, quoted(16, "é")}, map[string]string{
			quoted(17, "x"): notValid + " It should have at most 16 characters.", `{"a":1}`: notValid}},
		{"hash", []string{`"anything, it is compared later"`},
			map[string]string{``: blank, `null`: blank, `""`: blank, `true`: notValid}},
		{"custom_data", []string{``, `null`, `[]`, `{}`, `""`, `{"a":1}`, `{"a":{"b":[1,null,{"c":true}]}}`},
			map[string]string{
				`"text"`: notValid, `[1]`: notValid, `5`: notValid, `false`: notValid}},
		{"order.number", []string{`"A-1"`, `1234`, `"azAZ09-!\"#$%&'()*+,./:;@"`, quoted(255, "x")}, map[string]string{
			``: blank, `""`: blank, `"a b"`: notValid, `"a_b"`: notValid, `"é"`: notValid, `"a=b"`: notValid, `"a<b"`: notValid,
			`"a\nb"`:         notValid,
			quoted(256, "x"): notValid + " It should have at most 255 characters."}},
		{"order.amount", []string{`"100.99"`, `"10"`, `"10.5"`, `10.5`, `10`, `0.01`, `"0.01"`, `"999999999999999.99"`},
			map[string]string{
				``: blank, `null`: blank, `""`: blank, `"0"`: notAbove, `"0.00"`: notAbove, `0`: notAbove, `"-1"`: notAbove,
				`-1`:       notAbove,
				`"10.999"`: notValid, `"10,99"`: notValid, `"1 000"`: notValid, `"abc"`: notValid, `1e2`: notValid,
				`1e999999999`: notValid,
				`"١٠"`:        notValid, `".5"`: notValid, `"+1"`: notValid, `true`: notValid, `{"a":1}`: notValid,
				quoted(100000, "9"): notValid}},
		{"order.currency", []string{`"USD"`, `"EUR"`, `"GBP"`}, map[string]string{
			``: blank, `null`: blank, `"usd"`: choice, `"XXX"`: choice, `"US"`: choice, `840`: choice, `"DOLLARS"`: choice,
			`[1]`: notValid}},
		{"order.description", []string{`"ab"`, `"Käse\nund Brot"`, quoted(1024, "é"), `15`}, map[string]string{
			``: blank, `""`: blank, `"   "`: blank, `"a"`: notValid + " It should have 2 to 1024 characters.",
			quoted(1025, "é"): notValid + " It should have 2 to 1024 characters.", `"ab\u0000"`: notValid,
			`"ab\u001b[0m"`: notValid}},
		{"order", nil, map[string]string{`"x"`: notValid, `[1]`: notValid, `true`: notValid}},
		{"customer", []string{``, `null`, `[]`, `{}`, `""`}, map[string]string{`"x"`: notValid, `[{}]`: notValid}},
		{"customer.name", []string{``, `null`, `""`, `"John Doe"`, `"J. O'Neil-Smith"`, `"Al"`, quoted(200, "x")},
			map[string]string{
				`"J"`:            notValid + " It should have 2 to 200 characters.",
				quoted(201, "x"): notValid + " It should have 2 to 200 characters.",
				`"José"`:         notValid, `"John 2"`: notValid, `"Иван"`: notValid, `". '"`: notValid, `42`: notValid,
				`"<b>John</b>"`: notValid}},
		{"customer.email", []string{``, `null`, `"a@b.co"`},
			map[string]string{`"a"`: notValid, `"a@b"`: notValid, `"a@b.co\r\nx"`: notValid, `1`: notValid}},
		{"customer.birth_date", []string{``, `null`, `"1970-02-17"`, `"2024-02-29"`, `"2026-03-15"`, `"2026-03-16"`},
			map[string]string{
				`"2023-02-29"`: notValid, `"17.02.1970"`: notValid, `"1970-2-7"`: notValid, `"2026-03-17"`: notValid,
				`"1970-02-17T00:00:00Z"`: notValid}},
		{"billing_address", []string{``, `null`, `[]`, `{}`}, map[string]string{`"x"`: notValid, `[1]`: notValid}},
		{"billing_address.country", []string{``, `null`, `"US"`, `"DE"`},
			map[string]string{`"us"`: choice, `"USA"`: choice, `"XX"`: choice, `840`: choice}},
		{"billing_address.state", []string{``, `"anything, without a country"`, `{"even":"this"}`}, nil},
		{"billing_address.city", []string{``, `null`, `"Ås"`, quoted(40, "é")}, lengths(2, 40)},
		{"billing_address.address", []string{``, `"1a"`, quoted(32, "é")}, lengths(2, 32)},
		{"billing_address.house_number", []string{``, `305`, `"1"`, `"12/3 b"`, quoted(9, "x")},
			map[string]string{quoted(10, "x"): notValid + " It should have at most 9 characters."}},
		{"billing_address.zip", []string{``, `12`, `"SW1A 1AA"`, quoted(10, "x")}, lengths(2, 10)},
		{"billing_address.phone", []string{``, `1`, `"+1(555)123-4567"`, quoted(32, "1")}, map[string]string{
			`"+1_555"`: notValid, `". /"`: notValid, `"phone"`: notValid, `"+-"`: notValid, `"1x"`: notValid,
			quoted(33, "1"): notValid + " It should have at most 32 characters."}},
		{"billing_address.phone_country_code", []string{``, `"+1"`, `"+380"`, `"+1684"`},
			map[string]string{`"1"`: notValid, `44`: notValid, `"+"`: notValid, `"+1a"`: notValid, `"+12345"`: notValid}},
		{"billing_address.district", []string{``, `"ab"`, quoted(32, "x")}, lengths(2, 32)},
		{"billing_address.language", []string{``, `"en"`, `"EN"`, `"En"`, `"pt-BR"`, `"zh_Hant"`, `"deu"`}, map[string]string{
			`"e"`: notValid, `"12"`: notValid, `"en-"`: notValid, `"-en"`: notValid, `"english language"`: notValid,
			`"<en>"`: notValid, `"abcdefghi"`: notValid}},
		{"methods", []string{``, `null`, `[]`, `""`, `["card"]`, `["card","card"]`, `{"1":"card"}`},
			map[string]string{`"card"`: notValid, `5`: notValid, `{"a":"card"}`: notValid}},
		{"req_token", goodFlags, badFlags},
		{"card_token", []string{``, `null`, `[]`, `[` + quoted(64, "a") + `]`}, map[string]string{`"x"`: notValid}},
		{"auth", goodFlags, badFlags},
		{"recurring_init", goodFlags, badFlags},
		{"schedule_id", []string{``, `null`, `"abc"`, `{}`}, nil}, // without recurring_init
		{"vat_calc", goodFlags, badFlags},
		{"crypto", []string{``, `null`, `[]`}, map[string]string{`"ERC20"`: notValid}},
		{"crypto.network", []string{``, `"ERC20"`, quoted(50, "x")},
			map[string]string{quoted(51, "x"): notValid + " It should have at most 50 characters."}},
		{"payer_ip", []string{``, `null`, `"203.0.113.9"`, `"2001:db8::1"`},
			map[string]string{`"x"`: notValid, `"203.0.113.256"`: notValid, `"203.0.113.9:80"`: notValid, `{}`: notValid}},
		{"form_id", []string{``, `null`, `"0f8fad5b-d9cb-469f-a165-70867728950e"`, `"0F8FAD5B-D9CB-469F-A165-70867728950E"`},
			map[string]string{
				`"x"`: notValid, `"1f8fad5b-d9cb-469f-a165-70867728950e"`: choice, `"0f8fad5bd9cb469fa16570867728950e"`: notValid,
				`"0f8fad5b-d9cb-469f-a165-70867728950g"`: notValid}},
		{"unknown", []string{`"x"`, `{"deep":[1]}`, `null`}, nil},
		{"merchant_pass", []string{`"secret"`}, nil},
	} {
		for _, value := range row.good {
			if _, got := checkFaults(t, requesttest.SessionWith(t, row.path, value), Rules{}); len(got) != 0 {
				t.Errorf("%s %.60s is refused: %q", row.path, value, got)
			}
		}
		for value, text := range row.bad {
			_, got := checkFaults(t, requesttest.SessionWith(t, row.path, value), Rules{})
			if want := []string{row.path + ": " + text}; !reflect.DeepEqual(got, want) {
				t.Errorf("%s %.60s: %q, want %q", row.path, value, got, want)
			}
		}
	}
}

var goodFlags = []string{``, `null`, `""`, `true`, `false`, `1`, `0`, `"true"`, `"false"`, `"Y"`, `"N"`, `"1"`}

var badFlags = map[string]string{`"maybe"`: notValid, `2`: notValid, `{}`: notValid, `["Y"]`: notValid}

func lengths(least, most int) map[string]string {
	text := map[int]string{40: "2 to 40", 32: "2 to 32", 10: "2 to 10"}[most]
	text = notValid + " It should have " + text + " characters."
	return map[string]string{quoted(least-1, "é"): text, quoted(most+1, "é"): text, `{"a":1}`: notValid,
		`"ab\u0000"`: notValid}
}

var goodURLs = []string{
	`"https://example.com"`, `"http://localhost:8080/return"`, `"https://example.com/a?b=c&d=%20#e"`,
	`"HTTPS://Example.com/"`,
	`"https://müller.example/straße"`, `"https://[2001:db8::1]/x"`,
	`"https://example.com:1/"`, `"https://example.com:65535/"`, `"http://[2001:db8::1]:8080/"`,
	`"https://example.com/@me"`,
	`"https://example.com/{id}"`,
	`"myapp://checkout/done?x=1"`, `"com.example.app://done"`, `"myapp://"`, `"msteller://x"`, `"gitbook+pay://done"`,
	`"a1.b-c+d://done"`, `"https://example.com/` + strings.Repeat("x", 1004) + `"`,
}

// badURLs adds to bad the URLs that no payer may be redirected to.
func badURLs(bad map[string]string) map[string]string {
	all := map[string]string{}
	for _, url := range []string{
		`"example.com"`, `"/relative"`, `"//example.com"`, `"https:example.com"`, `"https:/example.com"`, `"https://"`,
		`"https:///path"`, `"https://?x=1"`,
		`"https://user@example.com/"`, `"https://user:word@example.com/"`, `"https://@example.com/"`,
		`"https://shop.example:443@evil.example/"`, `"https://example.com:0/"`, `"https://example.com:65536/"`,
		`"https://example.com:99999999999999999999/"`, `"https://example.com:-1/"`, `"https://[2001:db8::1]:0/"`,
		`"https://:443/"`, `"https://."`, `"http://example.com:port/"`, `"https://exa mple.com"`, `" https://example.com"`,
		`"https://example.com/a b"`,
		`"https://example.com/\n"`, `"https://example.com/a\tb"`, `"https://example.com/\u0000"`,
		`"https://example.com/\u00a0"`, `"https://example.com\\@evil.example"`,
		`"https://example.com/%zz"`, `"https://example.com/\"onload="`, `"https://example.com/<script>"`,
		`"https://example.com/\u202e"`, `"https://example.com/\ud800"`,
		`"javascript:alert(1)"`, `"JavaScript://example.com/%0aalert(1)"`, `"java\nscript://x"`, `"data:text/html,x"`,
		`"data://text/html,x"`, `"DATA://x"`,
		`"ms-msdt://x"`, `"jnlp://x"`, `"MS-Settings://x"`, `"search-ms://query=x"`, `"shell://downloads"`,
		`"chrome://settings"`, `"chrome-extension://abc/x"`,
		`"moz-extension://abc/x"`, `"resource://gre/x"`, `"devtools://x"`, `"intent://scan/#Intent;end"`,
		`"itms-services://?action=download-manifest"`,
		`"x-apple.systempreferences://x"`, `"smb://host/x"`, `"ldap://host/x"`, `"ssh://host"`, `"c://windows"`, `"-app://x"`,
		`"my app://x"`, `"ws://x"`, `"wss://x"`,
		`"vbscript://x"`, `"file:///etc/passwd"`, `"blob:https://example.com/x"`, `"blob://example.com"`, `"view-source://x"`,
		`"about://blank"`,
		`"mailto:a@b.co"`, `"tel:123"`, `"1app://x"`, `"my_app://x"`, `"://x"`, `5`,
	} {
		all[url] = badURL
	}
	for _, url := range []string{`"https://example.com/\u0000"`, `"https://example.com/\u0085"`} {
		all[url] = notValid
	}
	all[`"https://example.com/`+strings.Repeat("x", 1005)+`"`] = notValid + " It should have at most 1024 characters."
	all[`["https://example.com"]`] = notValid
	for value, text := range bad {
		all[value] = text
	}
	return all
}

func TestSessionLanguage(t *testing.T) {
	for _, l := range append([]string{""}, Languages...) {
		if r, got := checkFaults(t, requesttest.SessionWith(t, "checkout_language", `"`+l+`"`),
			Rules{}); len(got) != 0 || r.Language != l {
			t.Errorf("%q: %q", l, got)
		}
	}
	for _, value := range []string{`"it"`, `"EN"`, `"en-US"`, `5`, `["en"]`, `true`} {
		_, got := checkFaults(t, requesttest.SessionWith(t, "checkout_language", value), Rules{})
		if !reflect.DeepEqual(got, []string{"The checkout_language parameter is incorrect"}) {
			t.Errorf("%s: %q", value, got)
		}
	}
}

// Faults that depend on more than one field.
func TestSessionFieldsTogether(t *testing.T) {
	for _, test := range []struct {
		changes []string
		want    []string
	}{
		{[]string{"order", ``}, []string{"order.number: " + blank, "order.amount: " + blank, "order.currency: " + blank,
			"order.description: " + blank}},
		{[]string{"order", `[]`}, []string{"order.number: " + blank, "order.amount: " + blank, "order.currency: " + blank,
			"order.description: " + blank}},

		{[]string{"order.currency", `"JPY"`, "order.amount", `"100.00"`}, nil},
		{[]string{"order.currency", `"JPY"`, "order.amount", `"100.50"`}, []string{"order.amount: " + notValid}},
		{[]string{"order.currency", `"KWD"`, "order.amount", `"1.125"`}, nil},
		{[]string{"order.currency", `"KWD"`, "order.amount", `"1.1255"`}, []string{"order.amount: " + notValid}},
		{[]string{"order.currency", `"BTC"`, "order.amount", `"0.00000001"`}, nil},
		{[]string{"order.currency", `"USDT"`, "order.amount", ``}, nil},
		{[]string{"order.currency", `"USDT"`, "order.amount", `null`}, nil},
		{[]string{"order.currency", `"USDT"`, "order.amount", `"0"`}, []string{"order.amount: " + notAbove}},
		{[]string{"order.currency", `"USDT"`, "order.amount", ``, "operation", `"debit"`},
			[]string{"order.amount: " + blank}},
		{[]string{"order.currency", `"nope"`, "order.amount", `"1.125"`}, []string{"order.currency: " + choice}},
		{[]string{"order.currency", `"nope"`, "order.amount", `"0.0"`},
			[]string{"order.amount: " + notAbove, "order.currency: " + choice}},
		{[]string{"order.currency", ``, "order.amount", `"x"`},
			[]string{"order.amount: " + notValid, "order.currency: " + blank}},

		{[]string{"operation", `"transfer"`, "payee.name", `"Al"`, "order.amount", `"-1"`}, nil},
		{[]string{"operation", `"transfer"`, "payee.name", `"Al"`, "order.amount", `-1`}, nil},
		{[]string{"operation", `"debit"`, "order.amount", `"-1"`}, []string{"order.amount: " + notAbove}},
		{[]string{"operation", `"credit"`, "payee.name", `"Al"`, "order.amount", `"-1"`},
			[]string{"order.amount: " + notAbove}},
		{[]string{"operation", `"credit"`, "payee.name", `"Al"`, "order.currency", `"USDT"`, "order.amount", ``},
			[]string{"order.amount: " + blank}},
		{[]string{"operation", `"transfer"`, "payee.name", `"Al"`, "order.amount", `"-1.00"`},
			[]string{"order.amount: " + notAbove}},
		{[]string{"operation", `"transfer"`, "payee.name", `"Al"`, "order.amount", `"-2"`},
			[]string{"order.amount: " + notAbove}},
		{[]string{"operation", `"transfer"`, "payee.name", `"Al"`, "order.amount", ``}, []string{"order.amount: " + blank}},

		{[]string{"billing_address.country", `"US"`, "billing_address.state", `"CA"`}, nil},
		{[]string{"billing_address.country", `"US"`, "billing_address.state", `"Californica"`},
			[]string{"billing_address.state: " + choice}},
		{[]string{"billing_address.country", `"US"`, "billing_address.state", `"ca"`},
			[]string{"billing_address.state: " + choice}},
		{[]string{"billing_address.country", `"US"`, "billing_address.state", `"C"`},
			[]string{"billing_address.state: " + notValid + " It should have 2 to 32 characters."}},
		{[]string{"billing_address.country", `"JP"`, "billing_address.state", `13`}, nil},
		{[]string{"billing_address.country", `"DE"`, "billing_address.state", quoted(99, "x")}, nil},

		{[]string{"methods", `["card","sofort","",null,7]`},
			[]string{"methods[1]: " + choice, "methods[2]: " + blank, "methods[3]: " + blank, "methods[4]: " + choice}},
	} {
		_, got := checkFaults(t, requesttest.SessionWith(t, test.changes...), Rules{})
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: %q, want %q", test.changes, got, test.want)
		}
	}
}

func TestNameRules(t *testing.T) {
	for _, test := range []struct {
		rule  NameRule
		value string
		want  []string
	}{
		{NameChecked, ``, nil},
		{NameChecked, `"José"`, []string{"customer.name: " + notValid}},
		{NameRequired, ``, []string{"customer.name: " + blank}},
		{NameRequired, `""`, []string{"customer.name: " + blank}},
		{NameRequired, `"José"`, []string{"customer.name: " + notValid}},
		{NameRequired, `"John Doe"`, nil},
		{NameOff, ``, nil},
		{NameOff, `"Иван 2"`, nil},
		{NameOff, `"J"`, nil},
		{NameOff, `"a\u0000"`, []string{"customer.name: " + notValid}},
		{NameOff, quoted(201, "x"), []string{"customer.name: " + notValid + " It should have at most 200 characters."}},
	} {
		if _, got := checkFaults(t, requesttest.SessionWith(t, "customer.name", test.value),
			Rules{Name: test.rule}); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q %s: %q, want %q", test.rule, test.value, got, test.want)
		}
	}
}

// If every field is wrong, every fault is named, in the order of the tables of protocol.md, Session request.
func TestEverythingWrong(t *testing.T) {
	body, err := os.ReadFile("testdata/everything_wrong.json")
	if err != nil {
		t.Fatal(err)
	}
	_, faults := readUnder(t, string(body), Rules{})
	got := ""
	for _, fault := range faults {
		got += fault.String() + "\n"
	}
	const name = "testdata/everything_wrong.golden.txt"
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func dollars(text string) Amount {
	usd, _ := money.Find("USD")
	return ReadAmount(text, usd)
}

// What a careless client sends is read as it was meant.
func TestSessionIsReadTolerantly(t *testing.T) {
	body := requesttest.SessionWith(t,
		"order.amount", `10.5`, "order.number", `1234`, "session_expiry", `"15"`, "auth", `"Y"`, "customer", `[]`,
		"methods", `null`, "parameters", `[]`, "cancel_url", `null`, "channel_id", `""`,
		"billing_address.house_number", `305`, "billing_address.country", `"DE"`, "billing_address.state", `"Bayern"`,
		"merchant_pass", `"abc123Pass"`, "recurring_init", `"false"`,
		"custom_data", `{ "z" : 1.0, "a" : [ 1e2, null ], "m" : "<&>\u00e9" }`)
	r, faults := checkFaults(t, body, Rules{})
	want := Session{
		Details: Details{
			Operation: "purchase",
			Order:     Order{Number: "1234", Amount: dollars("10.5"), Currency: "USD", Description: "Important gift - # 9"},
			Parties:   Parties{BillingAddress: Address{Country: "DE", HouseNumber: "305"}},
		},
		Options:    Options{Auth: true},
		SuccessURL: "https://example.com/success", SessionExpiry: 15, Hash: strings.Repeat("0", 40),
	}
	data := string(r.CustomData)
	r.CustomData = nil
	if !reflect.DeepEqual(r, want) || len(faults) != 0 {
		t.Errorf("%+v\n%q", r, faults)
	}
	if data != `{"z":1.0,"a":[1e2,null],"m":"\u003c\u0026\u003e\u00e9"}` {
		t.Errorf("custom_data: %s", data)
	}
	if r, _ := checkFaults(t, requesttest.SessionWith(t, "auth", `true`, "operation", `"debit"`), Rules{}); r.Auth {
		t.Error("auth is for purchase alone")
	}
	if r, _ := checkFaults(t, requesttest.ValidSession, Rules{}); r.SessionExpiry != 60 {
		t.Errorf("session_expiry %d", r.SessionExpiry)
	}
}

// No input makes the reader panic, and every session that it accepts can be stored and read again.
func FuzzReadSession(f *testing.F) {
	f.Add([]byte(requesttest.ValidSession))
	wrong, err := os.ReadFile("testdata/everything_wrong.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(wrong)
	for _, seed := range []string{
		`{"parameters[card][cart][items][0][name]":"x","parameters":{"card":{"cart":{"items":[]}}}}`,
		`{"parameters":{"card":null,"card[shipping]":5,"shipping[a][b]":1}}`,
		`{"methods":{"0":{}},"order":{"amount":1e99999}}`, nested(32), "\xEF\xBB\xBF{}", `{"a":"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, rules := range allRules {
			in, err := Read(body)
			if err != nil {
				return
			}
			d := ReadSession(in, shop, testNow)
			if err := d.Apply(rules); err != nil {
				continue
			}
			text, err := json.Marshal(d.Session)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, new(Session)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// allRules are all combinations of rules.
var allRules = func() (all []Rules) {
	for _, name := range []NameRule{NameChecked, NameRequired, NameOff} {
		for bits := range 8 {
			all = append(all, Rules{Name: name, AskBilling: bits&1 > 0, OwnMethods: bits&2 > 0, AnyNumber: bits&4 > 0})
		}
	}
	return all
}()
