package query

import (
	"context"

	"checkout/internal/fault"
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
