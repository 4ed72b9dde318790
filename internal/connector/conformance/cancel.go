package conformance

import (
	"context"
	"reflect"
	"testing"

	"checkout/internal/connector"
)

// cancels are the tests of connectors that end a charge whose payer still has to act.
var cancels = []test[Provider]{
	{"end, while the payer has to act", endsAction},
	{"end, after the payer confirmed", endsConfirmed},
	{"end, of a decided charge", endsDecided},
	{"end, of an address", endsAddress},
	{"end, without a response", endsUnknown},
}

// cancel ends the charge with a reference. It skips the rest of the test if the connector is no Canceller.
func (p Provider) cancel(t *testing.T, reference string) connector.Result {
	t.Helper()
	canceller, ok := p.Connector.(connector.Canceller)
	if !ok {
		t.Skip("this connector ends no charges")
	}
	return wanted(t)(canceller.Cancel(t.Context(), p.request(connector.RequestCharge, reference)))
}

// wantCancelled ends the charge, and checks that the result is what a look-up returns.
func (p Provider) wantCancelled(t *testing.T, want connector.Outcome) connector.Result {
	t.Helper()
	r := p.cancel(t, reference)
	if r.Outcome != want {
		t.Errorf("returned %+v, not %d", r, want)
	}
	if found := p.query(t, p.request(connector.RequestCharge, reference)); !reflect.DeepEqual(found, r) {
		t.Errorf("returned %+v, and looked up %+v", r, found)
	}
	return r
}

// endsAction ends a charge, and confirms it too late.
func endsAction(t *testing.T, p Provider) {
	p.requireAction(t)
	first := p.wantCancelled(t, connector.OutcomeDeclined)
	if !explained(first) || first.RequiredAction != nil {
		t.Errorf("returned %+v", first)
	}
	p.Confirm(t, reference, true)
	if again := p.wantCancelled(t, connector.OutcomeDeclined); !reflect.DeepEqual(again, first) {
		t.Errorf("returned %+v, then %+v", first, again)
	}
}

func endsConfirmed(t *testing.T, p Provider) {
	p.requireAction(t)
	p.Confirm(t, reference, true)
	p.wantCancelled(t, connector.OutcomeApproved)
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

func endsDecided(t *testing.T, p Provider) {
	if r := p.cancel(t, reference); !reflect.DeepEqual(r, connector.Result{Outcome: connector.OutcomeUnknown}) {
		t.Errorf("of a charge that never was: %+v", r)
	}
	wanted(t)(p.Connector.Charge(t.Context(), p.charge(Approves)))
	p.wantCancelled(t, connector.OutcomeApproved)
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

// endsAddress ends a charge for which money can be sent: before any has arrived, and after a part.
func endsAddress(t *testing.T, p Provider) {
	if p.Address == nil {
		t.Skip("this provider shows no address")
	}
	charge := p.Address.Charge(false)
	wanted(t)(p.Connector.Charge(t.Context(), charge))
	p.Address.Send(t, "half")
	r := p.cancel(t, charge.Reference)
	if share(t, r.Received) != "half" || r.Outcome == connector.OutcomeApproved {
		t.Errorf("half of the money has arrived: %+v, %+v", r, r.Received)
	}
}

// endsUnknown gets no response, and ends the charge again.
func endsUnknown(t *testing.T, p Provider) {
	canceller, ok := p.Connector.(connector.Canceller)
	if !ok || p.Faults == nil {
		t.Skip("this connector ends no charges, or its provider always responds")
	}
	p.requireAction(t)
	for _, b := range []Behaviour{NeverResponds, GarblesResponse} {
		r, err := p.faulty(t, b, func(ctx context.Context, _ Behaviour) (connector.Result, error) {
			return canceller.Cancel(ctx, p.request(connector.RequestCharge, reference))
		})
		wantUnknown(t, r, err)
	}
	p.wantCancelled(t, connector.OutcomeDeclined)
}
