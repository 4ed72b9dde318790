package method

import (
	"fmt"
	"slices"
	"strings"
)

// Masked stands for a sensitive value in logs, explanations and exports.
const Masked = "******"

// leastMasked is how short a sensitive value may be and still be found in a text: shorter ones would be found
// everywhere.
const leastMasked = 3

// MaskIn returns a text in which the values of the method's sensitive rows are masked. values are the parameters of
// the method, as they are stored.
func (m Method) MaskIn(text string, values map[string]any) string {
	var all []string
	for _, set := range m.Sets {
		all = append(all, sensitiveValues(set.Rows, values, false)...)
	}
	return Mask(text, all)
}

// SealedValues returns the values of those rows that a payer's browser would seal. values are as those of MaskIn.
func (m Method) SealedValues(values map[string]any) (all []string) {
	for _, set := range m.Sets {
		for _, row := range set.Rows {
			if value, sent := values[row.Name]; sent && row.Page != nil && row.Page.Sealed {
				all = append(all, fmt.Sprint(value))
			}
		}
	}
	return all
}

// Mask returns a text in which values are masked.
func Mask(text string, values []string) string {
	// The longest first, because one value may be a part of another.
	for _, value := range slices.SortedFunc(slices.Values(values), func(a, b string) int { return len(b) - len(a) }) {
		if len(value) >= leastMasked {
			text = strings.ReplaceAll(text, value, Masked)
		}
	}
	return text
}

// sensitiveValues returns the values of sensitive rows, and with all those of every row.
func sensitiveValues(rows []Param, values map[string]any, all bool) (found []string) {
	for _, row := range rows {
		secret := all || row.Sensitive
		switch value := values[row.Name].(type) {
		case nil, bool:
		case map[string]any:
			found = append(found, sensitiveValues(row.Rows, value, secret)...)
		case []any:
			for _, item := range value {
				members, _ := item.(map[string]any)
				found = append(found, sensitiveValues(row.Rows, members, secret)...)
			}
		default:
			if secret {
				found = append(found, fmt.Sprint(value))
			}
		}
	}
	return found
}
