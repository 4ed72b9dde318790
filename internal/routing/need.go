package routing

import (
	"iter"
	"slices"
	"strings"

	"checkout/internal/method"
	"checkout/internal/request"
)

// Need is a parameter that a request lacks for a method: neither the request nor the MID has a value, there is no
// default, and the page does not ask for it.
type Need struct {
	Method    string      `json:"method"`
	Parameter string      `json:"parameter"` // its path in the request
	Need      method.Need `json:"need"`
	Text      string      `json:"text"` // why it is needed
}

// lackingRows returns the rows of a method that a request lacks, of those that are needed so.
func lackingRows(
	m method.Method, req *request.Session, presets map[string]string, needs ...method.Need,
) iter.Seq[*method.Param] {
	return func(yield func(*method.Param) bool) {
		if !m.For(req.Operation) {
			return
		}
		for i := range m.Sets {
			set := &m.Sets[i]
			if set.Extra || !set.For(req.Operation) {
				continue
			}
			for j := range set.Rows {
				row := &set.Rows[j]
				known := row.Page != nil || row.Default != "" || presets[row.Name] != ""
				if known || !slices.Contains(needs, row.Need) || req.HasParameter(m.ID, row.Name) {
					continue
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}

// lacksRows reports whether a request lacks a row that a method requires.
func lacksRows(m method.Method, req *request.Session, presets map[string]string) bool {
	for range lackingRows(m, req, presets, method.Required) {
		return true
	}
	return false
}

func whyNeeded(row method.Param) string {
	if row.Need == method.Required {
		return "The method requires it, and is not offered without it."
	}
	return "It is needed by: " + strings.Join(row.NeededBy, ", ") + "."
}
