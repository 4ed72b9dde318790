package table

import (
	"checkout/internal/method"
	"checkout/internal/settings"
)

// Description is what a form for settings is made of.
type Description struct {
	Sections   []string              `json:"sections"`
	Rows       []Row                 `json:"rows"`
	Lists      map[List][]string     `json:"lists"`
	Connectors settings.Declarations `json:"connectors"`
	Presets    map[string][]Preset   `json:"presets"` // by method, those that have any
}

// Preset is a parameter that a MID can preset.
type Preset struct {
	Name   string `json:"name"`
	Secret bool   `json:"secret,omitempty"` // it is shown masked
}

// Describe returns all rows with the choices of their lists. Each row has its section.
func Describe(connectors settings.Declarations) Description {
	d := Description{
		Sections: Sections, Rows: make([]Row, len(Rows())), Lists: map[List][]string{}, Connectors: connectors,
		Presets: map[string][]Preset{},
	}
	for i, row := range Rows() {
		d.Rows[i] = row
		d.Rows[i].Section = SectionOf(&row)
		if row.From != "" && d.Lists[row.From] == nil {
			d.Lists[row.From] = row.From.Values(connectors)
		}
	}
	for _, m := range method.Methods {
		for _, row := range m.PresetRows() {
			d.Presets[m.ID] = append(d.Presets[m.ID], Preset{row.Name, row.Sensitive})
		}
	}
	return d
}
