package settings

import (
	"slices"
	"strings"
	"testing"

	"checkout/internal/request/requesttest"
)

var switches = []string{
	BillingSwitch, MethodsSwitch, OrderNumberSwitch, UpperSwitch, CallbacksSwitch, DeclinesSwitch, ErrorsSwitch,
	NamesSwitch, FormatSwitch, AddressSwitch,
}

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
		for _, name := range switches {
			if test.set.On(name) {
				on = append(on, name)
			}
		}
		if got := strings.Join(on, " "); got != test.on {
			t.Errorf("%v: %q, want %q", test.set, got, test.on)
		}
	}
}

// The protocol's document lists every preset with its switches.
func TestProtocolHasThePresets(t *testing.T) {
	text := requesttest.Protocol(t)
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
