package merchant

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/request"
	"checkout/internal/request/requesttest"
)

// A preset sets several switches; a switch that is named itself overrides it.
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
			if test.set.On(s.name) {
				on = append(on, s.name)
			}
		}
		if got := strings.Join(on, " "); got != test.on {
			t.Errorf("%v: %q, want %q", test.set, got, test.on)
		}
	}
}

func TestCompatibilityIsChecked(t *testing.T) {
	m := *testMerchant()
	m.Mappings[0].Compatibility = Compatibility{
		"biling": "ask", "billing": "aks", "preset": "shop", "upper": "unicode", "errors": "off",
	}
	var got []string
	for _, text := range faultTexts(check(m, time.Now(), false).(*request.Error).Faults) {
		if strings.Contains(text, "compatibility") {
			got = append(got, text)
		}
	}
	const at = "mappings[0].compatibility."
	want := []string{at + "biling: " + choice, at + "billing: " + choice, at + "preset: " + choice}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, p := range presets {
		for _, name := range p.switches {
			if !slices.ContainsFunc(compatibilitySwitches, func(s compatibilitySwitch) bool { return s.name == name }) {
				t.Errorf("%s of %s is no switch", name, p.name)
			}
		}
	}
}

// The README lists every preset and every switch.
func TestREADMEHasTheSwitches(t *testing.T) {
	text, err := os.ReadFile("../checkout/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range compatibilitySwitches {
		if !strings.Contains(string(text), "| `"+s.name+": "+s.value+"` |") {
			t.Errorf("%s: %s is not listed", s.name, s.value)
		}
	}
	for _, p := range presets {
		row := ""
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "|") && strings.Contains(line, "`"+p.name+"`") {
				row = line
			}
		}
		missing := func(name string) bool { return !strings.Contains(row, "`"+name+": ") }
		if row == "" || slices.ContainsFunc(p.switches, missing) {
			t.Errorf("%s %v: %q", p.name, p.switches, row)
		}
	}
}

// A request is read by the rules of the mapping that it is routed to, also if another mapping has different ones.
func TestRulesOfTheRoute(t *testing.T) {
	m := testMerchant()
	m.Mappings = []Mapping{
		{Name: "large", MIDs: []MID{{Methods: []string{"card"}, Limits: []Limit{{Currency: "USD", Min: "1000"}}}},
			Compatibility: Compatibility{"preset": "cart add-on", "billing": "ask", "methods": "known"}},
		{Name: "rest", MIDs: []MID{{Methods: []string{"card"}}}},
	}
	unusual := []string{
		"order.number", `"MTc="`, "methods", `["card","mobile"]`, "billing_address.city", quoted(60, "x"),
	}
	for amount, mapping := range map[string]string{"999": "rest", "1000": "large"} {
		hash := SignHash(m, "MTc=", amount, "USD", "Important gift - # 9")
		changes := append(unusual, "order.amount", `"`+amount+`"`, "hash", `"`+hash+`"`)
		r, err := readFor(t, m, requesttest.SessionWith(t, changes...))
		if mapping == "rest" {
			if e, ok := err.(*request.Error); !ok || len(e.Faults) != 3 {
				t.Errorf("%s: %v", amount, err)
			}
			continue
		}
		if err != nil || r.Order.Number != "MTc=" || len(r.Methods) != 1 || len(r.LeftOut) != 2 {
			t.Errorf("%s: %v %v", amount, r, err)
			continue
		}
		if route, err := r.Route(); err != nil || route.Mapping.Name != mapping {
			t.Errorf("%s: %v %v", amount, route.Mapping, err)
		}
	}
}

// A route depends on a method that the merchant does not have, unless the route's own mapping leaves that out.
func TestRouteIsOfTheMethodsThatAreRead(t *testing.T) {
	m := testMerchant()
	m.Mappings = []Mapping{
		{Name: "strict", MIDs: []MID{{Name: "a", ChannelID: "1", Methods: []string{"card"}}}},
		{Name: "lenient", MIDs: []MID{{Name: "b", ChannelID: "2", Methods: []string{"card"}}},
			Compatibility: Compatibility{"methods": "known"}},
	}
	for channel, want := range map[string]string{"1": "methods[1]: " + choice, "2": ""} {
		hash := SignHash(m, "order-1234", "100.99", "USD", "Important gift - # 9")
		r, err := readFor(t, m, requesttest.SessionWith(t, "channel_id", `"`+channel+`"`, "methods", `["card","crypto"]`,
			"parameters.crypto.crypto_type", `"BTC"`, "hash", `"`+hash+`"`))
		if err != nil {
			t.Fatalf("%s: %v", channel, err)
		}
		got := ""
		if _, err := r.Route(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("channel %s: %q, want %q", channel, got, want)
		}
	}
}
