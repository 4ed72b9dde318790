package request

import (
	"encoding/json"
	"fmt"
	"strings"
)

// values returns the parameters by method, decoded once for as many rows as are asked for.
func (s *Session) values() map[string]any {
	if s.decoded == nil && s.Parameters != nil {
		if json.Unmarshal(s.Parameters, &s.decoded) != nil {
			s.decoded = map[string]any{} // not reached: parameters were read as an object
		}
	}
	return s.decoded
}

// HasParameter reports whether a parameter of a method was sent.
func (s *Session) HasParameter(id, name string) bool {
	own, _ := s.values()[id].(map[string]any)
	return own[name] != nil
}

// SentParameter returns the text of a method's parameter, by its path within the method, "" if it was not sent.
func (s *Session) SentParameter(id, path string) string {
	value := s.values()[id]
	for name := range strings.SplitSeq(path, ".") {
		members, _ := value.(map[string]any)
		if value = members[name]; value == nil {
			return ""
		}
	}
	if text, ok := value.(string); ok {
		return text
	}
	return fmt.Sprint(value)
}
