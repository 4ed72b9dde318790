package operator

import (
	"context"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/routing/circuit"
)

// CloseCircuit closes the circuit breaker of an owner's MID, and reports whether it was not closed. Functions know it
// within seconds.
func (s *Actor) CloseCircuit(ctx context.Context, o fault.Owner, mapping, mid string) (bool, error) {
	return once(ctx, s.core, s.act, call[bool]{
		name: "circuit", args: []string{o.Text(), mapping, mid},
		do: func(idem *checkout.IdempotencyRecord) (bool, error) {
			of := circuit.MID{Owner: o.Text(), Mapping: mapping, Name: mid}
			closed, err := s.core.Circuits().Close(ctx, s.act, of, idem.With(nil, true)...)
			return closed > 0, err
		},
	})
}
