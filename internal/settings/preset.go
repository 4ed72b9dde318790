package settings

import (
	"maps"

	"checkout/internal/method"
)

// withPresets replaces the values of sensitive presets by what to returns for them.
func (mid *MID) withPresets(to func(id, row, value string) string) {
	all := map[string]map[string]string{}
	for id, values := range mid.Presets {
		m, _ := method.Find(id)
		all[id] = maps.Clone(values)
		for name, value := range values {
			if row, found := m.Preset(name); found && row.Sensitive {
				all[id][name] = to(id, name, value)
			}
		}
	}
	if mid.Presets != nil {
		mid.Presets = all
	}
}

// MaskPresets masks the sensitive presets of settings that are shown to operators.
func (m *Merchant) MaskPresets() {
	m.EachMID(func(_ string, mid *MID) {
		mid.withPresets(func(_, _, _ string) string { return method.Masked })
	})
}

// unmaskPresets replaces masked presets by the stored ones, so that settings can be stored as they were shown.
func (m *Merchant) unmaskPresets(stored *Merchant) {
	m.EachMID(func(mapping string, mid *MID) {
		known, _ := stored.MID(mapping, mid.Name)
		mid.withPresets(func(id, row, value string) string {
			if value == method.Masked && known.Presets[id][row] != "" {
				return known.Presets[id][row]
			}
			return value
		})
	})
}
