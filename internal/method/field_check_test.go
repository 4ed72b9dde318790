package method

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"testing"
)

// golden compares a value's JSON with a file.
func golden(t *testing.T, name string, value any) {
	t.Helper()
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(value); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s differs; see the change with -update and git diff", name)
	}
}

// Every row has a known check and a valid pattern, or none.
func TestChecksOfRows(t *testing.T) {
	check := func(where string, name Check, pattern string) {
		if _, ok := rules[name]; name != "" && !ok {
			t.Errorf("%s has the unknown check %s", where, name)
		}
		if _, err := regexp.Compile(pattern); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
	for _, f := range PageFields {
		check(f.ID, f.Check, f.Pattern)
	}
	for _, m := range Methods {
		for _, set := range m.Sets {
			everyRow(set.Rows, func(row Param) {
				check(row.Name, row.Check, "")
				if row.Page != nil && row.Page.Sealed && row.Need == Required {
					t.Errorf("%s is sealed, but merchants have to send it", row.Name)
				}
			})
		}
	}
}

// The page rejects no value of a parameter that the service accepts.
func TestShapesOfTypes(t *testing.T) {
	values := []string{
		"", "1", "12", "123", "12345", "123456", "1.5", "1.", ".5", "1.234",
		"1234567890.12", "12345678901", "1234567890.123", "1234567890123",
		"2024-02-29", "2024-2-9", "abc", "ABC", "AB", "AB1", "any text", "Straße",
	}
	for _, code := range []string{"AN100", "AN", "A3", "N5", "N13", "N10.N2", "NN", TypeString, TypeDate} {
		p := Param{Type: code}
		pattern, least, most := p.shape()
		form := regexp.MustCompile("^(?:" + pattern + ")$")
		fits := func(value string) bool {
			return (pattern == "" || form.MatchString(value)) && LengthFault(value, least, most) == ""
		}
		some := false
		for _, value := range values {
			good := p.Fault(value) == ""
			some = some || good
			if good && !fits(value) {
				t.Errorf("%s accepts %q, %q of %d to %d characters does not", code, value, pattern, least, most)
			}
		}
		if !some || most == 0 {
			t.Errorf("%s: no value is good, or it may have any length", code)
		}
	}
}

func TestOptions(t *testing.T) {
	any := Input{}
	free := Input{Options: []Option{{Value: "a"}, {Value: "b"}}}
	banks := Input{OptionsBy: "country", Options: []Option{
		{Value: "x", By: []string{"BR"}},
		{Value: "y", By: []string{"BR", "CL"}},
		{Value: "z"},
	}}
	for _, test := range []struct {
		input     Input
		value, by string
		want      bool
	}{
		{any, "anything", "", true},
		{free, "a", "", true},
		{free, "c", "", false},
		{banks, "x", "BR", true},
		{banks, "x", "CL", false},
		{banks, "y", "CL", true},
		{banks, "z", "", true},
		{banks, "x", "", false},
	} {
		if got := test.input.Offers(test.value, test.by); got != test.want {
			t.Errorf("%s for %q: %t", test.value, test.by, got)
		}
	}
	fixed := banks.OfferedFor("CL")
	if want := []Option{{Value: "y"}, {Value: "z"}}; !reflect.DeepEqual(fixed.Options, want) || fixed.OptionsBy != "" {
		t.Errorf("for CL: %+v", fixed)
	}
	identity := Input{OptionsBy: "idType", Writings: idsOfPeru.writings()}
	got := identity.OfferedFor("RUC")
	if got.Writing == nil || got.Writing.Example != "20512333797" || got.Writings != nil {
		t.Errorf("of a known type: %+v", got)
	}
	if got := identity.OfferedFor(""); got.Writing != nil || got.OptionsBy != "" {
		t.Errorf("of an unknown type: %+v", got)
	}
	in := Param{Type: TypeString, Values: []string{"cpf"}, Page: &Input{Kind: FieldSelect}}.input()
	if len(in.Options) != 1 || in.Options[0].Value != "cpf" || in.Max != 0 {
		t.Errorf("the options are not the list of values: %+v", in)
	}
}

func TestNormalize(t *testing.T) {
	for _, test := range []struct {
		format      Format
		value, want string
	}{
		{FormatDigits, "12 3-4", "1234"},
		{FormatUpper, "gb29", "GB29"},
		{FormatPhone, "+1 2", "+12"},
		{"", "a b", "a b"},
	} {
		if got := (PageField{Input: Input{Format: test.format}}).Normalize(test.value); got != test.want {
			t.Errorf("%s %q: %q", test.format, test.value, got)
		}
	}
}
