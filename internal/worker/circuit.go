package worker

import (
	"context"
	"errors"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/routing"
	"checkout/internal/routing/circuit"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// avoidOpenCircuit moves a charge that was never sent to another of its MIDs if the circuit breaker of its own is
// open: that MID is tried last then. Where no other MID takes the charge, it stays: an open circuit breaker turns no
// payment away, since the provider may have recovered, and a decline loses the sale for sure. A charge whose data is
// missing stays too, because it is looked up where it may have been sent.
func (x *execution) avoidOpenCircuit(ctx context.Context) {
	p, job := x.task.Payment, x.task.Job()
	if job.Kind != payment.JobCharge || !job.SentAt.IsZero() || job.LookUps > 0 || len(job.MIDs) == 0 ||
		p.Status != payment.StatusPrepare || p.Action != nil || x.cards().cardMissing(x.core.Now()) != "" {
		return
	}
	own, found := x.merchant.MID(p.Mapping, p.MID)
	if !found || own.ConnectorFor(p.Owner) != p.Connector {
		return
	}
	if state := x.runner.stateOf(ctx, p, own); state != circuit.Open {
		x.probe = state == circuit.HalfOpen
		return
	}
	others := x.eligibleMIDs()
	i, probe := x.runner.firstUsable(ctx, p, others)
	if i < 0 {
		return
	}
	x.core.Log.InfoContext(ctx, "circuit breaker is open", "payment", p.ID, "mid", p.MID, "next_mid", others[i].Name)
	x.choose(choice{others[i], append(tryLater(others, i), p.MID), probe})
}

// The most requests of one owner that one process sends at once, but for those of the queue for slow providers: a fifth
// of the places that the embedded run has.
const (
	liveShare = 100
	testShare = 10
)

// enter takes a place for the request of a job, to be left when the job has run. ok is false if the job has to go
// through the queue for slow providers. The probe of a circuit breaker has a place anyway.
func (x execution) enter(ctx context.Context) (leave func(), ok bool) {
	if x.hasPlace || x.probe || x.task.Job().Decision != nil {
		return func() {}, true
	}
	share := liveShare
	if x.task.Payment.Test {
		share = testShare
	}
	return x.core.Circuits().Enter(ctx, x.breaker().place(), share, payment.JobLease)
}

// eligibleMIDs returns those of a charge's further MIDs that are enabled, have a connector and take its wallet and
// card, in their order.
func (x execution) eligibleMIDs() (all []settings.MID) {
	for _, name := range x.task.Job().MIDs {
		mid, found := x.merchant.MID(x.task.Payment.Mapping, name)
		mid.Connector = mid.ConnectorFor(x.task.Payment.Owner)
		if found && !mid.Disabled && x.runner.Connectors[mid.Connector] != nil && x.takesWallet(mid) && x.maySend(mid) {
			all = append(all, mid)
		}
	}
	return all
}

// firstUsable returns the index of the first MID whose circuit breaker lets a charge through, -1 if none does, and
// whether the charge is to be a probe.
func (s *Runner) firstUsable(ctx context.Context, p *payment.Payment, mids []settings.MID) (i int, probe bool) {
	for i, mid := range mids {
		if state := s.stateOf(ctx, p, mid); state != circuit.Open {
			return i, state == circuit.HalfOpen
		}
	}
	return -1, false
}

// stateOf returns the state of a MID's circuit breaker.
func (s *Runner) stateOf(ctx context.Context, p *payment.Payment, mid settings.MID) circuit.State {
	return s.core.Circuits().State(ctx, s.core.Now(), checkout.CircuitMID(p.Owner, p.Mapping, mid))
}

// errProbed means that another charge has become the probe of the MID's circuit breaker before this one was sent.
var errProbed = errors.New("another charge is the probe")

// probeLease returns the document by which a charge that is to be a probe acquires the lease of that, none for others.
// Errors: errProbed.
func (x *execution) probeLease(ctx context.Context) ([]store.Record, error) {
	if !x.probe {
		return nil, nil
	}
	p := x.task.Payment
	lease, usable := x.core.Circuits().Probe(ctx, x.breaker().mid(p.MID, p.Connector), payment.JobLease)
	if !usable {
		return nil, errProbed
	}
	if x.probe = lease != nil; !x.probe {
		return nil, nil
	}
	return []store.Record{*lease}, nil
}

// tryLater returns the names of MIDs in the order in which they are tried after the MID at i: those that were skipped
// come last.
func tryLater(mids []settings.MID, i int) []string {
	return slices.Concat(routing.MIDNames(mids[i+1:]), routing.MIDNames(mids[:i]))
}

// countCharge counts a charge for the circuit breaker of its MID. Captures, voids and refunds can't go elsewhere.
func (s *Runner) countCharge(ctx context.Context, kind connector.RequestKind, c circuit.Charge) {
	if kind == connector.RequestCharge {
		s.core.Circuits().Count(ctx, c)
	}
}

// circuitCharge describes a charge that was sent at a time and has just ended.
func (x execution) circuitCharge(sentAt time.Time, result connector.Result, err error) circuit.Charge {
	return circuit.Charge{
		MID: x.breaker().mid(x.task.Payment.MID, x.task.Payment.Connector), SentAt: sentAt, Probe: x.probe,
		Test:   x.task.Payment.Test,
		Reason: x.runner.failure(x.core.Now().Sub(sentAt), result, err),
	}
}

// failure returns why a charge that took so long counts as a failure of its MID, "" if it does not. Two thirds of the
// time limit are slow: few payers wait longer.
func (s *Runner) failure(took time.Duration, result connector.Result, err error) circuit.Reason {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, connector.ErrNotSent):
		return circuit.NotReached
	case errors.As(err, &timeout) && timeout.Timeout():
		return circuit.TimedOut
	case err != nil, result.Outcome == connector.OutcomeUnknown:
		return circuit.NoOutcome
	case took >= s.ProviderTimeout*2/3:
		return circuit.Slow
	}
	return ""
}
