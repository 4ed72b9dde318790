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
func (t *execution) avoidOpenCircuit(ctx context.Context) {
	p, job := t.Payment, t.Job()
	if job.Kind != payment.JobCharge || !job.SentAt.IsZero() || job.LookUps > 0 || len(job.MIDs) == 0 ||
		p.Status != payment.StatusPrepare || p.Action != nil || t.cardMissing(t.Now()) != "" {
		return
	}
	own, found := t.merchant.MID(p.Mapping, p.MID)
	if !found || own.ConnectorFor(p.Owner) != p.Connector {
		return
	}
	if state := t.stateOf(ctx, p, own); state != circuit.Open {
		t.probe = state == circuit.HalfOpen
		return
	}
	others := t.eligibleMIDs()
	i, probe := t.firstUsable(ctx, p, others)
	if i < 0 {
		return
	}
	t.Log.InfoContext(ctx, "circuit breaker is open", "payment", p.ID, "mid", p.MID, "next_mid", others[i].Name)
	t.choose(choice{others[i], append(tryLater(others, i), p.MID), probe})
}

// The most requests of one owner that one process sends at once, but for those of the queue for slow providers: a fifth
// of the places that the embedded run has.
const (
	liveShare = 100
	testShare = 10
)

// enter takes a place for the request of a job, to be left when the job has run. ok is false if the job has to go
// through the queue for slow providers. The probe of a circuit breaker has a place anyway.
func (t execution) enter(ctx context.Context) (leave func(), ok bool) {
	if t.hasPlace || t.probe || t.Job().Decision != nil {
		return func() {}, true
	}
	share := liveShare
	if t.Payment.Test {
		share = testShare
	}
	return t.Circuits().Enter(ctx, t.circuitMID(t.Payment.Requests().Place(t.Job())), share, payment.JobLease)
}

// sending measures how fast the provider responds until done is called.
func (t execution) sending(ctx context.Context) (done func()) {
	return t.Circuits().Sending(ctx, t.circuitMID(t.Payment.Requests().Place(t.Job())), t.apart)
}

// eligibleMIDs returns those of a charge's further MIDs that are enabled, have a connector and take its wallet and
// card, in their order.
func (t execution) eligibleMIDs() (all []settings.MID) {
	for _, name := range t.Job().MIDs {
		mid, found := t.merchant.MID(t.Payment.Mapping, name)
		mid.Connector = mid.ConnectorFor(t.Payment.Owner)
		if found && !mid.Disabled && t.Connectors[mid.Connector] != nil && t.takesWallet(mid) && t.maySend(mid) {
			all = append(all, mid)
		}
	}
	return all
}

// firstUsable returns the index of the first MID whose circuit breaker lets a charge through, -1 if none does, and
// whether the charge is to be a probe.
func (s *Service) firstUsable(ctx context.Context, p *payment.Payment, mids []settings.MID) (i int, probe bool) {
	for i, mid := range mids {
		if state := s.stateOf(ctx, p, mid); state != circuit.Open {
			return i, state == circuit.HalfOpen
		}
	}
	return -1, false
}

// stateOf returns the state of a MID's circuit breaker.
func (s *Service) stateOf(ctx context.Context, p *payment.Payment, mid settings.MID) circuit.State {
	return s.Circuits().State(ctx, s.Now(), checkout.CircuitMID(p.Owner, p.Mapping, mid))
}

// errProbed means that another charge has become the probe of the MID's circuit breaker before this one was sent.
var errProbed = errors.New("another charge is the probe")

// probeLease returns the document by which a charge that is to be a probe acquires the lease of that, none for others.
// Errors: errProbed.
func (t *execution) probeLease(ctx context.Context) ([]store.Record, error) {
	if !t.probe {
		return nil, nil
	}
	lease, usable := t.Circuits().Probe(ctx, t.circuitMID(t.Payment.MID, t.Payment.Connector), payment.JobLease)
	if !usable {
		return nil, errProbed
	}
	if t.probe = lease != nil; !t.probe {
		return nil, nil
	}
	return []store.Record{*lease}, nil
}

// tryLater returns the names of MIDs in the order in which they are tried after the MID at i: those that were skipped
// come last.
func tryLater(mids []settings.MID, i int) []string {
	return slices.Concat(routing.MIDNames(mids[i+1:]), routing.MIDNames(mids[:i]))
}

// sweepPeriod is the time between two sweeps.
const sweepPeriod = time.Minute

// probedFrom returns from when a charge may close the circuit breaker of the MID that a job was sent to, zero if that
// is closed. What is unknown there is looked up with each sweep from then on, so that it does not wait for its hourly
// look-up once the provider is well.
func (t execution) probedFrom(ctx context.Context) time.Time {
	if view := t.Circuits().View(ctx, t.Now(), t.circuitMID(t.Payment.Requests().Place(t.Job()))); view != nil {
		return view.Until
	}
	return time.Time{}
}

// circuitMID names a MID of the payment to the circuit breakers.
func (t execution) circuitMID(name, connectorName string) circuit.MID {
	return circuit.MID{
		Owner: t.Payment.Owner.Text(), Mapping: t.Payment.Mapping, Name: name, Connector: connectorName,
	}
}

// countCharge counts a charge for the circuit breaker of its MID. Captures, voids and refunds can't go elsewhere.
func (s *Service) countCharge(ctx context.Context, kind connector.RequestKind, c circuit.Charge) {
	if kind == connector.RequestCharge {
		s.Circuits().Count(ctx, c)
	}
}

// circuitCharge describes a charge that was sent at a time and has just ended.
func (t execution) circuitCharge(sentAt time.Time, result connector.Result, err error) circuit.Charge {
	return circuit.Charge{
		MID: t.circuitMID(t.Payment.MID, t.Payment.Connector), SentAt: sentAt, Probe: t.probe, Test: t.Payment.Test,
		Reason: t.failure(t.Now().Sub(sentAt), result, err),
	}
}

// failure returns why a charge that took so long counts as a failure of its MID, "" if it does not. Two thirds of the
// time limit are slow: few payers wait longer.
func (s *Service) failure(took time.Duration, result connector.Result, err error) circuit.Reason {
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
