package worker

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/routing/circuit"
)

// breaker finds the circuit breakers of the MIDs of a task.
type breaker struct {
	core *checkout.Core
	task checkout.Task
}

// place names the MID of the job to the circuit breakers.
func (b breaker) place() circuit.MID {
	return b.mid(b.task.Payment.Requests().Place(b.task.Job()))
}

// mid names a MID of the payment to the circuit breakers.
func (b breaker) mid(name, connectorName string) circuit.MID {
	return circuit.MID{
		Owner: b.task.Payment.Owner.Text(), Mapping: b.task.Payment.Mapping, Name: name, Connector: connectorName,
	}
}

// sending measures how fast the provider responds until done is called.
func (b breaker) sending(ctx context.Context, apart bool) (done func()) {
	return b.core.Circuits().Sending(ctx, b.place(), apart)
}

// sweepPeriod is the time between two sweeps.
const sweepPeriod = time.Minute

// probedFrom returns from when a charge may close the circuit breaker of the MID that a job was sent to, zero if that
// is closed. What is unknown there is looked up with each sweep from then on, so that it does not wait for its hourly
// look-up once the provider is well.
func (b breaker) probedFrom(ctx context.Context) time.Time {
	if view := b.core.Circuits().View(ctx, b.core.Now(), b.place()); view != nil {
		return view.Until
	}
	return time.Time{}
}
