package merchant

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"checkout/internal/request"
)

// What is read for every shop, because it has one meaning only (decisions.md 11).
func TestReadingsForEverybody(t *testing.T) {
	for _, test := range []struct {
		field, sent string
		country     string
		want        string // "" absent
	}{
		{"state", "California", "US", "CA"}, {"state", "US-CA", "US", "CA"}, {"state", "New South Wales", "AU", "NSW"},
		{"state", "Tokyo", "JP", "13"}, {"state", "JP13", "JP", "13"}, {"state", "Dadra and Nagar Haveli and Daman and Diu", "IN", "DH"},
		{"phone", "(212) 555-0100", "US", "(212)555-0100"}, {"phone", "030 1234567", "DE", "0301234567"}, {"phone", "+49.30/1234 567", "DE", "+49301234567"},
		{"phone", "12345678901234567890 12345678901234567890"[:36], "DE", "12345678901234567890123456789012345"[:35]},
		{"city", "NA", "DE", ""}, {"address", "N/A", "DE", ""}, {"zip", "n/a", "DE", ""}, {"zip", "-", "DE", ""}, {"district", "undefined", "DE", ""},
		{"phone", "null", "DE", ""}, {"state", "NA", "US", ""}, {"house_number", " - ", "DE", ""}, {"language", "undefined", "DE", ""},
		{"city", "Nairobi", "KE", "Nairobi"}, {"address", "-1", "DE", "-1"}, {"country", "NA", "NA", "NA"},
	} {
		r, faults := checkFaults(t, sessionWith(t, "billing_address.country", `"`+test.country+`"`, "billing_address."+test.field, `"`+test.sent+`"`), request.Rules{})
		a := r.BillingAddress
		got := map[string]string{"state": a.State, "phone": a.Phone, "city": a.City, "address": a.Address, "zip": a.Zip, "district": a.District,
			"house_number": a.HouseNumber, "language": a.Language, "country": a.Country}[test.field]
		if tooLong := len(test.want) > 32; tooLong == (len(faults) == 0) || !tooLong && got != test.want {
			t.Errorf("%s %q: %q %v, want %q", test.field, test.sent, got, faults, test.want)
		}
	}
}

// A preset sets several switches; one that is named itself wins.
func TestCompatibilityOn(t *testing.T) {
	for _, test := range []struct {
		set Compatibility
		on  string
	}{
		{nil, ""},
		{Compatibility{"billing": "ask"}, "billing"},
		{Compatibility{"billing": "off"}, ""},
		{Compatibility{"preset": "shop plugin"}, "billing methods errors"},
		{Compatibility{"preset": "shop plugin", "methods": "off", "upper": "unicode"}, "billing upper errors"},
		{Compatibility{"preset": "erp module"}, "upper declines"},
		{Compatibility{"preset": "cart add-on"}, "order_number"},
		{Compatibility{"preset": "framework driver"}, "callbacks"},
		{Compatibility{"preset": "hosted shop app"}, ""},
	} {
		var on []string
		for _, s := range compatibilitySwitches {
			if test.set.On(s.Name) {
				on = append(on, s.Name)
			}
		}
		if got := strings.Join(on, " "); got != test.on {
			t.Errorf("%v: %q, want %q", test.set, got, test.on)
		}
	}
}

func TestCompatibilityIsChecked(t *testing.T) {
	m := *testMerchant()
	m.Mappings[0].Compatibility = Compatibility{"biling": "ask", "billing": "aks", "preset": "shop", "upper": "unicode", "errors": "off"}
	var got []string
	for _, text := range faultTexts(Check(m).(*request.Error).Faults) {
		if strings.Contains(text, "compatibility") {
			got = append(got, text)
		}
	}
	const at = "mappings[0].compatibility."
	if want := []string{at + "biling: " + choice, at + "billing: " + choice, at + "preset: " + choice}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, p := range presets {
		for _, name := range p.switches {
			if !slices.ContainsFunc(compatibilitySwitches, func(s compatibilitySwitch) bool { return s.Name == name }) {
				t.Errorf("%s of %s is no switch", name, p.name)
			}
		}
	}
}

// The README tells of every preset and every switch.
func TestREADMEHasTheSwitches(t *testing.T) {
	text, err := os.ReadFile("../checkout/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range compatibilitySwitches {
		if !strings.Contains(string(text), "| `"+s.Name+": "+s.Value+"` |") {
			t.Errorf("nothing of %s: %s", s.Name, s.Value)
		}
	}
	for _, p := range presets {
		row := ""
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "|") && strings.Contains(line, "`"+p.name+"`") {
				row = line
			}
		}
		if row == "" || slices.ContainsFunc(p.switches, func(name string) bool { return !strings.Contains(row, "`"+name+": ") }) {
			t.Errorf("%s %v: %q", p.name, p.switches, row)
		}
	}
}

// Under "order_number: any", too, no session may be signed like a customer's return (decisions.md 3), under
// no upper-casing: the ligature ff becomes the hex digits FF.
func TestAnyOrderNumberIsNoReturn(t *testing.T) {
	m := testMerchant()
	m.Mappings[0].Compatibility = Compatibility{"order_number": "any"}
	const id = "E9942F2C-F795-82E7-832A-005253DC0B02"
	for number, refused := range map[string]bool{
		id: true, strings.ToLower(id) + " 1=": true, strings.Replace(id, "F2C", "ﬀC", 1) + "_1": true, id[:34]: true, " " + id: false, "_" + id: false,
	} {
		text, _ := json.Marshal(number)
		in := mustFields(t, sessionWith(t, "order.number", string(text)))
		request.ReadSession(in, m, ReadingOf(in, m, testNow), testNow)
		if got := len(*in.Faults) > 0 && strings.HasPrefix((*in.Faults)[0].String(), "order.number: This value is not valid."); got != refused {
			t.Errorf("%q: %v", number, *in.Faults)
		}
	}
}

// Each mapping has its requests read as it says, also where another one of the merchant reads them otherwise.
func TestReadingOfTheRoute(t *testing.T) {
	m := testMerchant()
	m.Mappings = []Mapping{
		{Name: "large", MIDs: []MID{{Methods: []string{"card"}, Limits: []Limit{{Currency: "USD", Min: "1000"}}}}, Compatibility: Compatibility{"preset": "cart add-on", "billing": "ask", "methods": "known"}},
		{Name: "rest", MIDs: []MID{{Methods: []string{"card"}}}},
	}
	strange := []string{"order.number", `"MTc="`, "methods", `["card","mobile"]`, "billing_address.city", `"` + strings.Repeat("x", 60) + `"`}
	for amount, want := range map[string]bool{`"999"`: false, `"1000"`: true} {
		in := mustFields(t, sessionWith(t, append(strange, "order.amount", amount)...))
		rules := ReadingOf(in, m, testNow)
		if lax := rules.AnyNumber && rules.AskBilling && rules.OwnMethods; lax != want {
			t.Errorf("%s: %+v", amount, rules)
		}
		r := request.ReadSession(in, m, rules, testNow)
		if (len(*in.Faults) == 0) != want || want && (r.Order.Number != "MTc=" || len(r.Methods) != 1 || len(r.LeftOut) != 2) {
			t.Errorf("%s: %v %v", amount, *in.Faults, r.LeftOut)
		}
	}
}
