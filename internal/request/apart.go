package request

import (
	"crypto/sha256"
	"encoding/base64"

	"checkout/internal/method"
)

// TakeApart replaces the long values of rows that are stored apart by their digests, which pass the same checks. It
// returns the values by method and row, nil if there are none.
func (s *Session) TakeApart() map[string]map[string]any {
	var taken map[string]map[string]any
	for id, values := range s.values() {
		own, _ := values.(map[string]any)
		m, _ := method.Find(id)
		for name := range m.ApartRows() {
			value, _ := own[name].(string)
			if len(value) < method.ApartFrom {
				continue
			}
			if taken == nil {
				taken = map[string]map[string]any{}
			}
			if taken[m.ID] == nil {
				taken[m.ID] = map[string]any{}
			}
			taken[m.ID][name] = value
			digest := sha256.Sum256([]byte(value))
			own[name] = base64.StdEncoding.EncodeToString(digest[:])
		}
	}
	if taken != nil {
		s.Parameters = marshalParameters(s.decoded)
	}
	return taken
}
