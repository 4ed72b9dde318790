package settings

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
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
		{Compatibility{"preset": "plugin"}, "billing methods order_number names format"},
		{Compatibility{"preset": "shop plugin"}, "billing methods order_number errors names format"},
		{Compatibility{"preset": "shop plugin", "methods": "off", "upper": "unicode"},
			"billing order_number upper errors names format"},
		{Compatibility{"preset": "erp module"}, "billing methods order_number upper declines names format"},
		{Compatibility{"preset": "cart add-on"}, "billing methods order_number names format"},
		{Compatibility{"preset": "framework driver"}, "billing methods order_number callbacks names format"},
		{Compatibility{"preset": "hosted shop app", "names": "off"}, "billing methods order_number format"},
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
	m := Merchant{ID: "shop", Mappings: []Mapping{{Name: "main"}}}
	m.Mappings[0].Compatibility = Compatibility{
		"biling": "ask", "billing": "aks", "preset": "shop", "upper": "unicode", "errors": "off",
	}
	var got []string
	for _, text := range requesttest.TextsOf(Check(m, time.Now(), false).(*fault.Error).Faults) {
		if strings.Contains(text, "compatibility") {
			got = append(got, text)
		}
	}
	const at = "mappings[0].compatibility."
	want := []string{at + "biling: " + requesttest.Choice, at + "billing: " + requesttest.Choice,
		at + "preset: " + requesttest.Choice}
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

// The protocol's document lists every preset and every switch.
func TestProtocolHasTheSwitches(t *testing.T) {
	text := requesttest.Protocol(t)
	for _, s := range compatibilitySwitches {
		if !strings.Contains(text, "| `"+s.name+": "+s.value+"` |") {
			t.Errorf("%s: %s is not listed", s.name, s.value)
		}
	}
	for _, p := range presets {
		row := ""
		for line := range strings.Lines(text) {
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
