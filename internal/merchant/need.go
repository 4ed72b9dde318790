package merchant

import (
	"encoding/json"
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

// needsOf returns what a request lacks for a method.
func needsOf(
	m method.Method, operation method.Operation, sent map[string]json.RawMessage, presets map[string]string,
) (needs []Need) {
	if !m.For(operation) || len(m.Sets) == 0 {
		return nil
	}
	for _, set := range m.Sets {
		if set.Extra || !set.For(operation) {
			continue
		}
		for _, row := range set.Rows {
			known := sent[row.Name] != nil || presets[row.Name] != "" || row.Default != "" || row.Page != nil
			if known || row.Need == method.Optional {
				continue
			}
			needs = append(needs, Need{m.ID, "parameters." + m.ID + "." + row.Name, row.Need, whyNeeded(row)})
		}
	}
	return needs
}

// sentParameters returns the parameters of a request by method and name.
func sentParameters(req *request.Session) map[string]map[string]json.RawMessage {
	var sent map[string]map[string]json.RawMessage
	if req.Parameters != nil && json.Unmarshal(req.Parameters, &sent) != nil {
		return nil // not reached: parameters were read as an object of objects
	}
	return sent
}

func whyNeeded(row method.Param) string {
	if row.Need == method.Required {
		return "The method requires it, and is not offered without it."
	}
	return "It is needed by: " + strings.Join(row.NeededBy, ", ") + "."
}
