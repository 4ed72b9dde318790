package checkout

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
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
		if _, err := readObject([]byte(test.body)); (err == nil) != test.want {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestReadObjectKeeps(t *testing.T) {
	o, err := readObject([]byte("\xEF\xBB\xBF" + `{"z":1,"a":{"y":1.0,"b":[1e2,"x"]},"m":"\ud800\u0000"}`))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(o.names, []string{"z", "a", "m"}) {
		t.Errorf("order of names: %v", o.names)
	}
	inner := o.values["a"].(*object)
	if string(inner.raw) != `{"y":1.0,"b":[1e2,"x"]}` {
		t.Errorf("text of an object: %s", inner.raw)
	}
	if inner.values["y"] != json.Number("1.0") || !reflect.DeepEqual(inner.values["b"], []any{json.Number("1e2"), "x"}) {
		t.Errorf("values: %v", inner.values)
	}
	if o.values["m"] != "\uFFFD\x00" {
		t.Errorf("surrogate: %q", o.values["m"])
	}
}

func TestReadFieldsFault(t *testing.T) {
	_, err := readFields([]byte(`[]`))
	if ErrorCode(err) != CodeInvalid || err.Error() != "Request data is invalid." {
		t.Errorf("%v", err)
	}
}

func mustFields(t testing.TB, body string) fields {
	t.Helper()
	in, err := readFields([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return in
}

func faultTexts(faults []Fault) []string {
	var texts []string
	for _, f := range faults {
		texts = append(texts, f.String())
	}
	return texts
}

// How each kind of reader takes each kind of value (decisions.md 1).
func TestTolerantReader(t *testing.T) {
	const bad = "v: This value is not valid."
	text := func(in fields) string { return in.text("v") }
	flag := func(in fields) string { return fmt.Sprint(in.flag("v")) }
	integer := func(in fields) string { return fmt.Sprint(in.integer("v", 60, 1, 720)) }
	object := func(in fields) string { return fmt.Sprint(in.inside("v").names(), in.inside("v").text("a")) }
	list := func(in fields) string { return fmt.Sprint(in.list("v").names(), in.list("v").text("[0]")) }
	for _, test := range []struct {
		read              func(fields) string
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

		{object, `{"a":"b"}`, "[a]b", ""},
		{object, `{}`, "[]", ""},
		{object, `[]`, "[]", ""},
		{object, `null`, "[]", ""},
		{object, `""`, "[]", ""},
		{object, `[1]`, "[]", bad},
		{object, `"a"`, "[]", bad},
		{object, `5`, "[]", bad},

		{list, `["a","b"]`, "[[0] [1]]a", ""},
		{list, `[]`, "[]", ""},
		{list, `null`, "[]", ""},
		{list, `""`, "[]", ""},
		{list, `{"1":"a","3":"b"}`, "[[0] [1]]a", ""},
		{list, `{"x":"a"}`, "[]", bad},
		{list, `"a"`, "[]", bad},
		{list, `[5]`, "[[0]]5", ""},
	} {
		in := mustFields(t, `{"v":`+test.value+`}`)
		if got := test.read(in); got != test.want {
			t.Errorf("%s: %q, want %q", test.value, got, test.want)
		}
		got := ""
		if len(*in.faults) > 0 {
			got = (*in.faults)[0].String()
		}
		if got != test.fail {
			t.Errorf("%s: fault %q, want %q", test.value, got, test.fail)
		}
	}
}

func TestFaultsAndItemsAreLimited(t *testing.T) {
	in := mustFields(t, `{"methods":["`+strings.Repeat(`x","`, maxItems-1)+`x"]}`)
	readMethods(in)
	if len(*in.faults) != maxFaults {
		t.Errorf("%d faults", len(*in.faults))
	}
	in = mustFields(t, `{"methods":["`+strings.Repeat(`card","`, maxItems)+`card"]}`)
	if ids := readMethods(in); len(*in.faults) != 1 || (*in.faults)[0].String() != "methods: This value is not valid." || ids != nil {
		t.Errorf("%v %v", *in.faults, ids)
	}
}

func TestReadStatus(t *testing.T) {
	for _, test := range []struct {
		body, want string
		req        StatusRequest
	}{
		{`{"merchant_key":"m","hash":"h","payment_id":"p"}`, "", StatusRequest{MerchantKey: "m", Hash: "h", PaymentID: "p"}},
		{`{"merchant_key":"m","hash":"h","order_id":1234,"size":"5"}`, "", StatusRequest{MerchantKey: "m", Hash: "h", OrderID: "1234", Size: 5}},
		{`{"merchant_key":"m","hash":"h","order_id":"o","payment_id":"p","size":"x"}`, "", StatusRequest{MerchantKey: "m", Hash: "h", PaymentID: "p"}},
		{`{}`, "merchant_key: This value should not be blank.|hash: This value should not be blank.|payment_id: This value should not be blank.", StatusRequest{}},
		{`{"merchant_key":"m","hash":"h","order_id":"o","size":101}`, "size: This value is not valid.", StatusRequest{MerchantKey: "m", Hash: "h", OrderID: "o"}},
		{`[]`, "Request data is invalid.", StatusRequest{}},
	} {
		req, err := readStatus([]byte(test.body))
		got := ""
		if err != nil {
			got = strings.Join(faultTexts(err.(*Error).Faults), "|")
		}
		if got != test.want || req != test.req {
			t.Errorf("%s: %q %+v", test.body, got, req)
		}
	}
}
