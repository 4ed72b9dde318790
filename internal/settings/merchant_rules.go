package settings

import (
	"slices"

	"checkout/internal/request"
)

// RequestRules returns the rules by which requests are read that are routed to the mapping.
func (m *Mapping) RequestRules() request.Rules {
	c, name := m.Compatibility, m.CustomerName
	if name == request.NameChecked && c.On(NamesSwitch) {
		name = request.NameOff
	}
	return request.Rules{
		Name:        name,
		AskBilling:  c.On(BillingSwitch),
		OwnMethods:  c.On(MethodsSwitch),
		AnyNumber:   c.On(OrderNumberSwitch),
		FirstErrors: c.On(ErrorsSwitch),
		OwnAddress:  c.On(AddressSwitch),

		ReturnSchemes: request.OnlySchemes(m.ReturnSchemes),
	}
}

// WithPlugin returns rules as the preset plugin makes them.
func WithPlugin(of request.Rules) request.Rules {
	plugin := Mapping{CustomerName: of.Name, Compatibility: Compatibility{PresetName: PluginPreset}}
	rules := plugin.RequestRules()
	rules.FirstErrors, rules.OwnAddress, rules.ReturnSchemes = of.FirstErrors, of.OwnAddress, of.ReturnSchemes
	return rules
}

// CallbackFormat is what callbacks of a mapping's payments are, "" for the first mapping: json or form.
func (m *Merchant) CallbackFormat(mapping string) string {
	if mapping == "" && len(m.Mappings) > 0 {
		mapping = m.Mappings[0].Name
	}
	if m.CallbacksAreJSON(mapping) {
		return "json"
	}
	return "form"
}

// CommonRules returns the rules of the merchant's first mapping, and whether all its mappings have the same.
func (m *Merchant) CommonRules() (request.Rules, bool) {
	if len(m.Mappings) == 0 {
		return request.Rules{}, true
	}
	first := m.Mappings[0].RequestRules()
	return first, !slices.ContainsFunc(m.Mappings, func(mapping Mapping) bool { return mapping.RequestRules() != first })
}

// CallbacksAreJSON reports whether callbacks of a mapping's payments are JSON: as the merchant has set it, else unless
// the mapping is for a shop that reads forms.
func (m *Merchant) CallbacksAreJSON(mapping string) bool {
	if m.CallbackJSON != nil {
		return *m.CallbackJSON
	}
	return !m.MappingNamed(mapping).Compatibility.On(FormatSwitch)
}

// AnyNumber reports whether the mapping of that name accepts any order.number.
func (m *Merchant) AnyNumber(mapping string) bool {
	return m.MappingNamed(mapping).RequestRules().AnyNumber
}

// FirstErrors reports whether the text of a single fault is the top error_message, too: in the mapping of that name, or
// with "" in all mappings.
func (m *Merchant) FirstErrors(mapping string) bool {
	if mapping != "" {
		return m.MappingNamed(mapping).RequestRules().FirstErrors
	}
	return len(m.Mappings) > 0 && !slices.ContainsFunc(m.Mappings,
		func(mapping Mapping) bool { return !mapping.RequestRules().FirstErrors })
}

// HasPreset reports whether a MID of the merchant has a preset value of a method's parameter.
func (m *Merchant) HasPreset(id, row string) bool {
	return m != nil && slices.ContainsFunc(m.Mappings, func(mapping Mapping) bool {
		return slices.ContainsFunc(mapping.MIDs, func(mid MID) bool { return mid.Presets[id][row] != "" })
	})
}

// HasMethod reports whether an enabled MID of the merchant accepts a method.
func (m *Merchant) HasMethod(id string) bool {
	return m != nil && slices.ContainsFunc(m.Mappings, func(mapping Mapping) bool {
		return !mapping.Disabled && slices.ContainsFunc(mapping.MIDs,
			func(mid MID) bool { return !mid.Disabled && slices.Contains(mid.Methods, id) })
	})
}

// EndsOnCancel reports whether a payer who cancels ends the session, which is so by default. Otherwise they can come
// back and pay until its end.
func (m *Mapping) EndsOnCancel() bool { return m.CancelEndsSession == nil || *m.CancelEndsSession }
