package settings

import "slices"

// Compatibility lists where a mapping departs from protocol.md, Session request, for a kind of shop (protocol.md,
// Plugins as they are): the value of each switch by its name, and under "preset" a kind of shop, which sets several
// switches. A switch that is named itself overrides the preset; "off" is the behaviour of protocol.md, Session request.
type Compatibility map[string]string

// The names of the switches.
const (
	BillingSwitch     = "billing"
	MethodsSwitch     = "methods"
	OrderNumberSwitch = "order_number"
	UpperSwitch       = "upper"
	CallbacksSwitch   = "callbacks"
	DeclinesSwitch    = "declines"
	ErrorsSwitch      = "errors"
	NamesSwitch       = "names"
	FormatSwitch      = "format"
	AddressSwitch     = "notification_url"
)

// preset is a kind of shop and the switches that it needs.
type preset struct {
	name     string
	switches []string
}

// presets are the kinds of shops of protocol.md, Plugins as they are, in its order, each with what it needs beyond
// pluginSwitches. Some need nothing; they are listed so that every kind of shop can be named.
var presets = []preset{
	{PluginPreset, nil},
	{"shop plugin", []string{ErrorsSwitch}},
	{ERPPreset, []string{UpperSwitch, DeclinesSwitch}},
	{"cart add-on", nil},
	{"framework driver", []string{CallbacksSwitch}},
	{"hosted shop app", nil},
	{"mobile sdk", nil},
	{"server sdk", nil},
	{"form builder", nil},
	{"billing system", []string{UpperSwitch}},
}

// PluginPreset is the preset with which every plugin of the protocol works, ERPPreset that of modules in Python, whose
// upper case is that of Unicode.
const (
	PluginPreset = "plugin"
	ERPPreset    = "erp module"
)

// pluginSwitches are the switches that every preset sets.
var pluginSwitches = []string{BillingSwitch, MethodsSwitch, OrderNumberSwitch, NamesSwitch, FormatSwitch}

// PresetName is the switch that names a preset.
const PresetName = "preset"

// SwitchOff is the value of a switch that is off.
const SwitchOff = "off"

// On reports whether a switch has its value.
func (c Compatibility) On(name string) bool {
	if value, set := c[name]; set {
		return value != "" && value != SwitchOff
	}
	i := slices.IndexFunc(presets, func(p preset) bool { return p.name == c[PresetName] })
	return i >= 0 && (slices.Contains(pluginSwitches, name) || slices.Contains(presets[i].switches, name))
}

// Presets returns the names of the kinds of shops.
func Presets() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.name)
	}
	return names
}

// PresetHint tells whoever integrates with a test key that a preset takes a request that was refused.
type PresetHint struct {
	Preset string `json:"preset"`
	Text   string `json:"text"`
}

// HintOfPlugin is the hint that the preset plugin takes the request.
var HintOfPlugin = PresetHint{PluginPreset, "A mapping with the preset plugin takes this request. " +
	"It is for plugins of the protocol, and also sends callbacks as forms."}
