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

// Circuits are the circuit breakers that are not closed, and what operators have closed.
type Circuits struct {
	Circuits []OpenCircuit `json:"circuits"`
	Closed   []Shut        `json:"closed"`
}

// OpenCircuit is a circuit breaker with its owner.
type OpenCircuit struct {
	Merchant string `json:"merchant"`
	Mode     string `json:"mode"`
	circuit.Listed
}

// Circuits returns what a person may see of circuit breakers and of what is closed.
func (s *Reader) Circuits(ctx context.Context, by grant.Person) (Circuits, error) {
	merchants, closed, err := s.Closed(ctx, by)
	if err != nil {
		return Circuits{}, err
	}
	var owners []fault.Owner
	for _, m := range merchants {
		for _, test := range []bool{false, true} {
			o := fault.Owner{Merchant: m.ID, Test: test}
			if by.Level(grant.Find, o) > grant.None {
				owners = append(owners, o)
			}
		}
	}
	listed, err := s.OpenCircuits(ctx, owners...)
	open := make([]OpenCircuit, len(listed))
	for i, l := range listed {
		o := ownerOf(l.Owner)
		open[i] = OpenCircuit{o.Merchant, modeOf(o), l}
	}
	return Circuits{open, closed}, err
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
