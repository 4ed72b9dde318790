package checkout

import (
	"checkout/internal/fault"
	"checkout/internal/routing/circuit"
	"checkout/internal/settings"
)

// Circuits returns the circuit breakers of MIDs.
func (s *Core) Circuits() circuit.Circuits {
	return circuit.Circuits{Store: s.Store, Memory: &s.circuitMemory, Meter: s.Meter()}
}

// CircuitMID names a MID of an owner to the circuit breakers.
func CircuitMID(o fault.Owner, mapping string, mid settings.MID) circuit.MID {
	return circuit.MID{Owner: o.Text(), Mapping: mapping, Name: mid.Name, Connector: mid.ConnectorFor(o)}
}
