package settings

import (
	"maps"
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
)

// Compatibility lists where a mapping departs from protocol.md, Session request, for a kind of shop (protocol.md,
// Plugins as they are): the value of each switch by its name, and under "preset" a kind of shop, which sets several
// switches. A switch that is named itself overrides the preset; "off" is the behaviour of protocol.md, Session request.
type Compatibility map[string]string

// The names of the switches.
const (
	billingSwitch     = "billing"
	methodsSwitch     = "methods"
	orderNumberSwitch = "order_number"
	upperSwitch       = "upper"
	CallbacksSwitch   = "callbacks"
	DeclinesSwitch    = "declines"
	errorsSwitch      = "errors"
	namesSwitch       = "names"
	formatSwitch      = "format"
	addressSwitch     = "notification_url"
)

// compatibilitySwitch is a switch and its value beside "off".
type compatibilitySwitch struct{ name, value string }

// compatibilitySwitches are all switches.
var compatibilitySwitches = []compatibilitySwitch{
	// A name, e-mail or billing address field that can't be used is left out, and the page asks for it if it is needed.
	// For shops whose customers type addresses of any length, in any script.
	{billingSwitch, "ask"},
	// Methods that the service or the merchant does not have are left out as long as one is left.
	// For shops with a list of methods in their settings.
	{methodsSwitch, "known"},
	// order.number may have any printable characters. For shops whose order numbers are base64 or free text.
	{orderNumberSwitch, "any"},
	// Callbacks and returns are signed with full Unicode upper-casing.
	// For shops that check the hash in Python, JavaScript or Dart.
	{upperSwitch, "unicode"},
	// There are no callbacks for 3ds, redirect, init, waiting, undefined and card_removed. For shops that treat any
	// success as paid.
	{CallbacksSwitch, "final"},
	// A decline is reported only when the session is over without success, and only the last one.
	// For shops whose orders can't go from failed to paid.
	{DeclinesSwitch, "last"},
	// The text of a single fault is the top error_message, too. For shops that show nothing but error_message.
	{errorsSwitch, "first"},
	// customer.name may be any text, unless the mapping has a rule of its own for it. For shops in any script.
	{namesSwitch, "typed"},
	// Callbacks are forms, unless the merchant has set what they are. For shops that read nothing else.
	{formatSwitch, "form"},
	// Callbacks of a session go to the address that it names. For shops that send one with each order.
	{addressSwitch, "read"},
}

// preset is a kind of shop and the switches that it needs.
type preset struct {
	name     string
	switches []string
}

// presets are the kinds of shops of protocol.md, Plugins as they are, in its order, each with what it needs beyond
// pluginSwitches. Some need nothing; they are listed so that every kind of shop can be named.
var presets = []preset{
	{PluginPreset, nil},
	{"shop plugin", []string{errorsSwitch}},
	{"erp module", []string{upperSwitch, DeclinesSwitch}},
	{"cart add-on", nil},
	{"framework driver", []string{CallbacksSwitch}},
	{"hosted shop app", nil},
	{"mobile sdk", nil},
	{"server sdk", nil},
	{"form builder", nil},
	{"billing system", nil},
}

// PluginPreset is the preset with which every plugin of the protocol works.
const PluginPreset = "plugin"

// pluginSwitches are the switches that every preset sets.
var pluginSwitches = []string{billingSwitch, methodsSwitch, orderNumberSwitch, namesSwitch, formatSwitch}

// PresetName is the switch that names a preset.
const PresetName = "preset"

const switchOff = "off"

// On reports whether a switch has its value.
func (c Compatibility) On(name string) bool {
	if value, set := c[name]; set {
		return value != "" && value != switchOff
	}
	i := slices.IndexFunc(presets, func(p preset) bool { return p.name == c[PresetName] })
	return i >= 0 && (slices.Contains(pluginSwitches, name) || slices.Contains(presets[i].switches, name))
}

// compatibility checks the switches that an operator has set.
func (c settings) compatibility(set Compatibility) {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		at, value := c.at(name), set[name]
		i := slices.IndexFunc(compatibilitySwitches, func(s compatibilitySwitch) bool { return s.name == name })
		switch {
		case name == PresetName:
			at.text(value, request.OrElse(method.TextNotChoice, isPreset))
		case i < 0:
			at.fail(method.TextNotChoice)
		default:
			at.text(value, request.OneOf(compatibilitySwitches[i].value, switchOff))
		}
	}
}

func isPreset(name string) bool {
	return slices.ContainsFunc(presets, func(p preset) bool { return p.name == name })
}
