package merchant

import (
	"maps"
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
)

// Compatibility lists where a mapping departs from core.md for a kind of shop (decisions.md 11): the value of each
// switch by its name, and under "preset" a kind of shop, which sets several switches. A switch that is named itself
// overrides the preset; "off" is the behaviour of core.md.
type Compatibility map[string]string

// The names of the switches. Each has one value beside "off".
const (
	billingSwitch     = "billing"
	methodsSwitch     = "methods"
	orderNumberSwitch = "order_number"
	upperSwitch       = "upper"
	CallbacksSwitch   = "callbacks"
	DeclinesSwitch    = "declines"
	errorsSwitch      = "errors"
)

// compatibilitySwitch is one row of the table of switches.
type compatibilitySwitch struct {
	Name, Value string
	Effect      string
	Shops       string // the kind of shops that need it: "... whose", "... that"
}

// compatibilitySwitches are all switches.
var compatibilitySwitches = []compatibilitySwitch{
	{billingSwitch, "ask",
		"a name, e-mail or billing address field that can't be used is left out, and asked on the page if it is needed",
		"whose customers type addresses of any length, in any script"},
	{methodsSwitch, "known", "methods that the service or the merchant does not have are left out as long as one is left",
		"with a list of methods in their settings"},
	{orderNumberSwitch, "any", "any printable characters in order.number", "whose order numbers are base64 or free text"},
	{upperSwitch, "unicode", "callbacks and returns are signed over full Unicode upper-casing",
		"that check the hash in Python, JavaScript or Dart"},
	{CallbacksSwitch, "final", "no callbacks for 3ds, redirect, init, waiting and undefined",
		"that take any success for paid"},
	{DeclinesSwitch, "last", "a decline is told only when the session is over without success, and only the last one",
		"that can't go from failed to paid"},
	{errorsSwitch, "first", "a single fault's text is the top error_message, too", "that show nothing but error_message"},
}

// preset is a kind of shop and the switches that it needs.
type preset struct {
	name     string
	switches []string
}

// presets are the families of shops.md, in its order. Some need no switch; they are listed so that every kind of shop
// can be named.
var presets = []preset{
	{"shop plugin", []string{billingSwitch, methodsSwitch, errorsSwitch}},
	{"erp module", []string{upperSwitch, DeclinesSwitch}},
	{"cart add-on", []string{orderNumberSwitch}},
	{"framework driver", []string{CallbacksSwitch}},
	{"hosted shop app", nil},
	{"mobile sdk", nil},
	{"server sdk", nil},
	{"form builder", nil},
	{"billing system", nil},
}

const presetName, switchOff = "preset", "off"

// On reports whether a switch has its value.
func (c Compatibility) On(name string) bool {
	if value, set := c[name]; set {
		return value != "" && value != switchOff
	}
	i := slices.IndexFunc(presets, func(p preset) bool { return p.name == c[presetName] })
	return i >= 0 && slices.Contains(presets[i].switches, name)
}

// compatibility checks the switches that an operator has set.
func (c settings) compatibility(set Compatibility) {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		at, value := c.at(name), set[name]
		i := slices.IndexFunc(compatibilitySwitches, func(s compatibilitySwitch) bool { return s.Name == name })
		switch {
		case name == presetName:
			at.text(value, request.OrElse(method.TextNotChoice, isPreset))
		case i < 0:
			at.fail(method.TextNotChoice)
		default:
			at.text(value, request.OneOf(compatibilitySwitches[i].Value, switchOff))
		}
	}
}

func isPreset(name string) bool {
	return slices.ContainsFunc(presets, func(p preset) bool { return p.name == name })
}

// requestRules returns the rules by which requests are read that are routed to the mapping.
func (m *Mapping) requestRules() request.Rules {
	c := m.Compatibility
	return request.Rules{
		Name:        m.CustomerName,
		AskBilling:  c.On(billingSwitch),
		OwnMethods:  c.On(methodsSwitch),
		AnyNumber:   c.On(orderNumberSwitch),
		FirstErrors: c.On(errorsSwitch),
	}
}

// commonRules returns the rules of the merchant's first mapping, and whether all its mappings have the same.
func (m *Merchant) commonRules() (request.Rules, bool) {
	if m == nil || len(m.Mappings) == 0 {
		return request.Rules{}, true
	}
	first := m.Mappings[0].requestRules()
	return first, !slices.ContainsFunc(m.Mappings, func(mapping Mapping) bool { return mapping.requestRules() != first })
}

// AnyNumber reports whether some mapping of the merchant accepts any order.number. It decides for a recurring payment,
// whose mapping is not known before its hash is checked.
func (m *Merchant) AnyNumber() bool {
	return m != nil && slices.ContainsFunc(m.Mappings,
		func(mapping Mapping) bool { return mapping.requestRules().AnyNumber })
}

// FirstErrors reports whether the text of a single fault is the top error_message, too: in the mapping of that name, or
// with "" in all mappings.
func (m *Merchant) FirstErrors(mapping string) bool {
	if mapping != "" {
		return m.MappingNamed(mapping).requestRules().FirstErrors
	}
	return len(m.Mappings) > 0 && !slices.ContainsFunc(m.Mappings,
		func(mapping Mapping) bool { return !mapping.requestRules().FirstErrors })
}

// HasMethod reports whether an enabled MID of the merchant accepts a method.
func (m *Merchant) HasMethod(id string) bool {
	return m != nil && slices.ContainsFunc(m.Mappings, func(mapping Mapping) bool {
		return !mapping.Disabled && slices.ContainsFunc(mapping.MIDs,
			func(mid MID) bool { return !mid.Disabled && slices.Contains(mid.Methods, id) })
	})
}
