package method

// Complete returns the parameters of a payment: those that were sent, then presets of its MID, then defaults.
func (m Method) Complete(operation Operation, sent map[string]any, presets map[string]string) map[string]any {
	if sent == nil {
		sent = map[string]any{}
	}
	for _, set := range m.Sets {
		if !set.For(operation) {
			continue
		}
		for _, row := range set.Rows {
			if sent[row.Name] != nil {
				continue
			}
			if value := presets[row.Name]; value != "" && row.Preset {
				sent[row.Name] = row.value(row.Plain(value))
			} else if row.Default != "" {
				sent[row.Name] = row.value(row.Default)
			}
		}
	}
	return sent
}

// value returns a text as a value of the row's type.
func (p Param) value(text string) any {
	if p.Type == TypeBool {
		return text == "true"
	}
	return text
}
