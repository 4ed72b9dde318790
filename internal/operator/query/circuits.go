package query

import (
	"context"

	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/routing/circuit"
)

// OpenCircuits returns the circuit breakers of owners' MIDs that are not closed, for an operator.
func (s *Reader) OpenCircuits(ctx context.Context, owners ...fault.Owner) ([]circuit.Listed, error) {
	var texts []string
	for _, o := range owners {
		texts = append(texts, o.Text())
	}
	return s.core.Circuits().List(ctx, texts...)
}

// Shut is something that an operator has closed: a MID, or a method or country of a mapping.
type Shut struct {
	Merchant string `json:"merchant"`
	Mapping  string `json:"mapping"`
	Kind     string `json:"kind"` // mid, method or country
	Name     string `json:"name"`
}

// Closed returns the merchants whose payments a person may see, and what is closed of them, as it is stored now.
func (s *Reader) Closed(ctx context.Context, by grant.Person) ([]Merchant, []Shut, error) {
	all, err := s.settingsOf(ctx, by)
	closed := []Shut{}
	for _, m := range all {
		for _, mapping := range m.Mappings {
			add := func(kind string, names ...string) {
				for _, name := range names {
					closed = append(closed, Shut{m.ID, mapping.Name, kind, name})
				}
			}
			for _, mid := range mapping.MIDs {
				if mid.Disabled {
					add("mid", mid.Name)
				}
			}
			add("method", mapping.ClosedMethods...)
			add("country", mapping.ClosedCountries...)
		}
	}
	return named(all), closed, err
}
