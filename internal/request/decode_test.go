package request

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"checkout/internal/fault"
	"checkout/internal/request/requesttest"

	"pgregory.net/rapid"
)

func nested(depth int) string {
	return strings.Repeat(`{"a":`, depth-1) + "{}" + strings.Repeat("}", depth-1)
}

func TestReadObject(t *testing.T) {
	padded := func(size int) string {
		return `{"a":"` + strings.Repeat("x", size-len(`{"a":""}`)) + `"}`
	}
	for _, test := range []struct {
		name, body string
		want       bool
	}{
		{"empty object", `{}`, true},
		{"white space around", " \r\n\t{ } \n", true},
		{"byte order mark", "\xEF\xBB\xBF{}", true},
		{"every type", `{"a":null,"b":true,"c":-0.5e-7,"d":"\u00e9","e":[1,[]],"f":{"g":{}}}`, true},
		{"huge exponent", `{"a":1e999999999999}`, true},
		{"half a surrogate pair", `{"a":"\ud83d"}`, true},
		{"escaped zero", `{"a":"\u0000"}`, true},
		{"32 levels", nested(32), true},
		{"256 KiB", padded(256 << 10), true},
		{"same name in two objects", `{"a":{"b":1},"b":2}`, true},

		{"nothing", ``, false},
		{"white space", `  `, false},
		{"null", `null`, false},
		{"list", `[]`, false},
		{"list of an object", `[{}]`, false},
		{"text", `"{}"`, false},
		{"number", `1`, false},
		{"two objects", `{}{}`, false},
		{"garbage behind", `{} x`, false},
		{"cut off", `{"a":"b"`, false},
		{"cut off in a list", `{"a":[1`, false},
		{"cut off behind a colon", `{"a":`, false},
		{"trailing comma", `{"a":1,}`, false},
		{"trailing comma in a list", `{"a":[1,]}`, false},
		{"wrong bracket", `{"a":[1}}`, false},
		{"single quotes", `{'a':1}`, false},
		{"comment", `{/**/}`, false},
		{"name that is no text", `{1:2}`, false},
		{"NaN", `{"a":NaN}`, false},
		{"leading zero", `{"a":01}`, false},
		{"form", `merchant_key=x&operation=purchase`, false},
		{"line break in a text", "{\"a\":\"b\nc\"}", false},
		{"not UTF-8", "{\"a\":\"\xff\"}", false},
		{"UTF-16", "\xff\xfe{\x00}\x00", false},
		{"duplicate name", `{"a":1,"a":2}`, false},
		{"duplicate name, escaped", `{"a":1,"\u0061":2}`, false},
		{"duplicate name inside", `{"x":[{"a":1,"a":1}]}`, false},
		{"33 levels", nested(33), false},
		{"33 levels of lists", `{"a":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`, false},
		{"100000 levels", strings.Repeat(`{"a":`, 50000), false},
		{"100000 open lists", `{"a":` + strings.Repeat("[", 100000), false},
		{"256 KiB and 1", padded(256<<10 + 1), false},
		{"257 KiB of white space", strings.Repeat(" ", 257<<10) + `{}`, false},
	} {
		if _, err := Read([]byte(test.body)); (err == nil) != test.want {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestReadObjectKeeps(t *testing.T) {
	o, err := ReadObject([]byte("\xEF\xBB\xBF" + `{"z":1,"a":{"y":1.0,"b":[1e2,"x"]},"m":"\ud800\u0000"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(o); !reflect.DeepEqual(got, []string{"z", "a", "m"}) {
		t.Errorf("order of names: %v", got)
	}
	inner := o.get("a")
	if inner.text != `{"y":1.0,"b":[1e2,"x"]}` {
		t.Errorf("text of an object: %s", inner.text)
	}
	numbers := inner.inside.get("b").inside.members
	if y := (value{kind: kindNumber, text: "1.0"}); inner.inside.get("y") != y || len(numbers) != 2 ||
		numbers[0].text != "1e2" || numbers[1].text != "x" {
		t.Errorf("values: %v", inner.inside)
	}
	if m := o.get("m").text; m != "\uFFFD\x00" {
		t.Errorf("surrogate: %q", m)
	}
}

func namesOf(o *Object) []string {
	var names []string
	for _, m := range o.members {
		names = append(names, m.name)
	}
	return names
}

// The reader accepts and refuses the same texts as encoding/json with the rules of protocol.md, Requests, and reads the
// same values.
func TestReadObjectIsEncodingJSONs(t *testing.T) {
	pieces := []string{`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"b"`, `"\u0061"`, `"\ud83d\ude00"`, `"\ud800"`, `"\u"`,
		`"\""`, `"\x"`, `"é"`, "\"\xff\"", `"`, `\`,
		`1`, `-0.5e+7`, `01`, `-`, `1e999`, `true`, `nul`, `null`, ` `, "\n", "\t", "\x00", "\xEF\xBB\xBF",
		`"` + strings.Repeat("k", 40) + `"`}
	rapid.Check(t, func(t *rapid.T) {
		body := drawJSON(t, 4)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			at := rapid.IntRange(0, len(body)).Draw(t, "at")
			piece, cut := rapid.SampledFrom(pieces).Draw(t, "piece"), rapid.IntRange(0, 2).Draw(t, "cut")
			body = body[:at] + piece + body[min(len(body), at+cut):]
		}
		sameAsEncodingJSON(t, []byte(body))
	})
}

// A sequence of escapes is read as encoding/json reads it.
func TestEscapesAreEncodingJSONs(t *testing.T) {
	escapes := []string{`\ud83d`, `\ude00`, `\uD83D\uDE00`, `\u0041`, `\u00e9`, `\uFFFD`, `\u0000`, `\"`, `\\`, `\/`, `\b`,
		`\f`, `\n`, `\r`, `\t`, "A", "é", " ",
		`\u12`, `\u+123`, `\u_123`, `\uDE0`, `\U0041`, `\x`, `\'`, `\`, "\x1f"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(escapes), 0, 6).Draw(t, "text"), "")
		sameAsEncodingJSON(t, []byte(`{"`+text+`":"`+text+`"}`))
	})
}

func FuzzReadObject(f *testing.F) {
	for _, body := range []string{
		requesttest.ValidSession, `{}`, "\xEF\xBB\xBF{}", `{"a":[1,{"b":null}],"\u0061":true}`, `{"a" 1}`,
		`{"a":1 "b":2}`, `{,}`, `[1}`, `{"a\"":"\\","b":-0.5e+7}`, nested(33),
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { sameAsEncodingJSON(t, body) })
}

func sameAsEncodingJSON(t interface{ Fatalf(string, ...any) }, body []byte) {
	o, err := ReadObject(body)
	text := bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	want, sound := byTokens(tokens, text, 1)
	_, end := tokens.Token()
	sound = sound && strings.HasPrefix(want, "{") && end == io.EOF && utf8.Valid(body)
	if (err == nil) != sound {
		t.Fatalf("%q: %v, want it to be sound: %v", body, err, sound)
	}
	if err != nil {
		return
	}
	if got := inWords(value{kind: kindObject, text: strings.TrimSpace(string(text)), inside: o}); got != want {
		t.Fatalf("%q: %s, want %s", body, got, want)
	}
}

// inWords returns a value as a text with its kind, order and content.
func inWords(v value) string {
	if v.inside == nil {
		return fmt.Sprint("|", v.kind, v.text)
	}
	words := string(v.text[0])
	for _, m := range v.inside.members {
		words += m.name + "=" + inWords(m.value)
	}
	return words + v.text
}

// byTokens returns inWords of the value that encoding/json reads, token by token.
func byTokens(tokens *json.Decoder, text []byte, depth int) (words string, ok bool) {
	token, err := tokens.Token()
	if err != nil {
		return "", false
	}
	switch token := token.(type) {
	case nil:
		return inWords(value{}), true
	case bool:
		return inWords(value{kind: kindBool, text: fmt.Sprint(token)}), true
	case json.Number:
		return inWords(value{kind: kindNumber, text: token.String()}), true
	case string:
		return inWords(value{kind: kindText, text: token}), true
	}
	begin, names := tokens.InputOffset()-1, map[string]bool{}
	words = token.(json.Delim).String()
	for list := words == "["; tokens.More(); {
		name := ""
		if !list {
			token, _ := tokens.Token()
			if name, ok = token.(string); !ok || names[name] {
				return "", false
			}
			names[name] = true
		}
		inner, ok := byTokens(tokens, text, depth+1)
		if !ok {
			return "", false
		}
		words += name + "=" + inner
	}
	_, err = tokens.Token()
	return words + string(text[begin:tokens.InputOffset()]), err == nil && depth <= maxDepth
}

// In an object of many members, members are found by the index.
func TestManyMembers(t *testing.T) {
	var o Object
	for i := range 3 * manyMembers {
		name := strconv.Itoa(i)
		o.add(name, value{text: name})
		o.add("0", value{})
		if len(o.members) != i+1 || o.get("0").text != "0" || o.get(name).text != name || o.find("x") >= 0 {
			t.Fatalf("member %d", i)
		}
	}
}

func TestReadFieldsFault(t *testing.T) {
	_, err := Read([]byte(`[]`))
	if fault.CodeOf(err) != fault.CodeInvalid || err.Error() != "Request data is invalid." {
		t.Errorf("%v", err)
	}
}

func mustFields(t testing.TB, body string) Reader {
	t.Helper()
	in, err := Read([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return in
}

// faultTexts returns faults as texts, without rules, whose exact texts TestRules checks. A value that is not valid has
// to have a rule.
func faultTexts(faults []fault.Fault) []string {
	var texts []string
	for _, f := range faults {
		text := f.String()
		before, rule, found := strings.Cut(text, notValid+" ")
		switch {
		case strings.HasSuffix(text, notValid):
			text += " NO RULE"
		case found && slices.ContainsFunc(rules, func(r rulesRow) bool { return r.rule == rule }):
			text = before + notValid
		}
		texts = append(texts, text)
	}
	return texts
}

type rulesRow struct {
	path, value, rule string
	with              []string // that goes with it
}

// rules has an example of a fault for each rule.
var rules = []rulesRow{
	{"order.number", `"a b"`, "It should have letters, digits and - ! \" # $ % & ' ( ) * + , . / : ; @ only.", nil},
	{"order.amount", `"1,00"`, "It should be a number such as 10.00: USD has 2 decimals.", nil},
	{"order.amount", `"1.001"`, "It should be a number such as 10.00: USD has 2 decimals.", nil},
	{"order.description", `"a\u0000b"`, "It should be a text without control characters.", nil},
	{"order", `"x"`, "It should be an object.", nil},
	{"session_expiry", `721`, "It should be a whole number from 1 to 720.", nil},
	{"customer.name", `"José"`, "It should have basic Latin letters, spaces and . ' - only.", nil},
	{"customer.email", `"a@b"`, "It should be an e-mail address, such as name@example.com.", nil},
	{"customer.birth_date", `"1.2.1970"`, "It should be a day that has begun, written yyyy-mm-dd.", nil},
	{"billing_address.phone", `"x"`, "It should have digits and + ( ) - only; spaces, dots and slashes are dropped.", nil},
	{"billing_address.phone_country_code", `"49"`, "It should be a plus and 1 to 4 digits, such as +49.", nil},
	{"billing_address.language", `"e"`, "It should be a language tag, such as en or pt-BR.", nil},
	{"methods", `"card"`, "It should be a list of at most 1000 items.", nil},
	{"req_token", `"maybe"`, "It should be true or false.", nil},
	{"schedule_start_date", `"2026-03-14"`, "It should be a day that is not over, written yyyy-mm-dd.",
		[]string{"recurring_init", `true`}},
	{"order.amount", `"1.5"`, "It should be a number such as 10.00: JPY has no decimals but zeros.",
		[]string{"order.currency", `"JPY"`}},
	{"order.amount", `"1.1255"`, "It should be a number such as 10.000: KWD has 3 decimals.",
		[]string{"order.currency", `"KWD"`}},
	{"order.amount", `"x"`, "It should be a number such as 10.00.", []string{"order.currency", ``}},
	{"parameters.crypto.network_type", `"eth"`, "Only the crypto_type USDT has a network.",
		[]string{"parameters.crypto.crypto_type", `"BTC"`}},
	{"card_token", `[` + strings.TrimSuffix(tokens(maxCardTokens+1), ",") + `]`, "It should have at most 100 cards.", nil},
	{"payer_ip", `"203.0.113.9/32"`, "It should be an IPv4 or IPv6 address.", nil},
	{"form_id", `"1"`, "It should be a UUID.", nil},
	{"parameters.card.cart.items", `[{"price":"x"}]`,
		"It should be a number of at most 13 digits, with or without a decimal point.", nil},
	{"parameters.card.shipping_country", `840`, "It should be a text: a number loses its leading zeros.", nil},
	{"parameters.card.shipping_postcode", `"abc"`, "It should have at most 9 digits and nothing else.", nil},
}

// tokens returns n card tokens, each with a comma after it.
func tokens(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, `"%064d",`, i)
	}
	return all.String()
}

// The text of a fault states what would be valid.
func TestRules(t *testing.T) {
	for _, row := range rules {
		_, faults := readUnder(t, requesttest.SessionWith(t, append(row.with, row.path, row.value)...), Rules{})
		if !slices.ContainsFunc(faults, func(f fault.Fault) bool { return f.Text == notValid+" "+row.rule }) {
			t.Errorf("%s %s: %v, want %q", row.path, row.value, faults, row.rule)
		}
	}
}

// TestTolerantReader reads each kind of value with each method of a Reader (protocol.md, Requests).
func TestTolerantReader(t *testing.T) {
	const bad = "v: This value is not valid."
	text := func(in Reader) string { return in.Text("v") }
	flag := func(in Reader) string { return fmt.Sprint(in.Flag("v")) }
	integer := func(in Reader) string { return fmt.Sprint(in.integer("v", 60, 1, 720)) }
	object := func(in Reader) string { return fmt.Sprint(in.Inside("v").Has("a"), in.Inside("v").Text("a")) }
	items := func(l list) string {
		if len(l.items) == 0 {
			return "0 "
		}
		return fmt.Sprint(len(l.items), " ", l.required(0))
	}
	list := func(in Reader) string { return items(in.list("v")) }
	for _, test := range []struct {
		read              func(Reader) string
		value, want, fail string
	}{
		{text, `"a"`, "a", ""},
		{text, `305`, "305", ""},
		{text, `10.50`, "10.50", ""},
		{text, `1E+400`, "1E+400", ""},
		{text, `null`, "", ""},
		{text, `""`, "", ""},
		{text, `" \t "`, "", ""},
		{text, `[]`, "", ""},
		{text, `"a\u0000"`, "", bad},
		{text, `"a\u009f"`, "", bad},
		{text, `"a\nb"`, "a\nb", ""},
		{text, `true`, "", bad},
		{text, `{}`, "", bad},
		{text, `["a"]`, "", bad},
		{text, `"` + strings.Repeat("é", 255) + `"`, strings.Repeat("é", 255), ""},
		{text, `"` + strings.Repeat("é", 256) + `"`, "", bad + " It should have at most 255 characters."},

		{flag, `true`, "true", ""},
		{flag, `false`, "false", ""},
		{flag, `1`, "true", ""},
		{flag, `0`, "false", ""},
		{flag, `"1"`, "true", ""},
		{flag, `"0"`, "false", ""},
		{flag, `"true"`, "true", ""},
		{flag, `"FALSE"`, "false", ""},
		{flag, `"Y"`, "true", ""},
		{flag, `"N"`, "false", ""},
		{flag, `"yes"`, "true", ""},
		{flag, `"no"`, "false", ""},
		{flag, `null`, "false", ""},
		{flag, `""`, "false", ""},
		{flag, `[]`, "false", ""},
		{flag, `2`, "false", bad},
		{flag, `1.0`, "false", bad},
		{flag, `"maybe"`, "false", bad},
		{flag, `{}`, "false", bad},
		{flag, `[true]`, "false", bad},

		{integer, `15`, "15", ""},
		{integer, `"15"`, "15", ""},
		{integer, `15.0`, "15", ""},
		{integer, `1`, "1", ""},
		{integer, `720`, "720", ""},
		{integer, `null`, "60", ""},
		{integer, `""`, "60", ""},
		{integer, `[]`, "60", ""},
		{integer, `0`, "60", bad},
		{integer, `721`, "60", bad},
		{integer, `-1`, "60", bad},
		{integer, `15.5`, "60", bad},
		{integer, `"15."`, "60", bad},
		{integer, `"+15"`, "60", bad},
		{integer, `" 15"`, "60", bad},
		{integer, `1e2`, "60", bad},
		{integer, `99999999999999999999`, "60", bad},
		{integer, `1e999999999`, "60", bad},
		{integer, `true`, "60", bad},
		{integer, `"fifteen"`, "60", bad},

		{object, `{"a":"b"}`, "trueb", ""},
		{object, `{}`, "false", ""},
		{object, `[]`, "false", ""},
		{object, `null`, "false", ""},
		{object, `""`, "false", ""},
		{object, `[1]`, "false", bad},
		{object, `"a"`, "false", bad},
		{object, `5`, "false", bad},

		{list, `["a","b"]`, "2 a", ""},
		{list, `[]`, "0 ", ""},
		{list, `null`, "0 ", ""},
		{list, `""`, "0 ", ""},
		{list, `{"1":"a","3":"b"}`, "2 a", ""},
		{list, `{"x":"a"}`, "0 ", bad},
		{list, `"a"`, "0 ", bad},
		{list, `[5]`, "1 5", ""},
	} {
		in := mustFields(t, `{"v":`+test.value+`}`)
		if got := test.read(in); got != test.want {
			t.Errorf("%s: %q, want %q", test.value, got, test.want)
		}
		got := ""
		if faults := faultsOf(in); len(faults) > 0 {
			got = faultTexts(faults)[0]
		}
		if got != test.fail {
			t.Errorf("%s: fault %q, want %q", test.value, got, test.fail)
		}
	}
}

// faultsOf returns the faults that a reader has found, as texts.
func faultsOf(in Reader) []fault.Fault {
	faults, _ := in.found.under(Rules{})
	return faults
}

// knownMethods reads methods for an unknown merchant.
func knownMethods(in Reader) ([]string, []fault.Fault) {
	d := Draft{known: testMerchant{}}
	d.readMethods(in)
	faults, _ := d.methodFound.under(Rules{})
	return d.Methods, faults
}

func TestFaultsAndItemsAreLimited(t *testing.T) {
	_, faults := knownMethods(mustFields(t, `{"methods":["`+strings.Repeat(`x","`, maxItems-1)+`x"]}`))
	if len(faults) != maxFaults {
		t.Errorf("%d faults", len(faults))
	}
	ids, faults := knownMethods(mustFields(t, `{"methods":["`+strings.Repeat(`card","`, maxItems)+`card"]}`))
	const tooMany = "methods: This value is not valid. It should be a list of at most 1000 items."
	if len(faults) != 1 || faults[0].String() != tooMany || ids != nil {
		t.Errorf("%v %v", faults, ids)
	}
}
