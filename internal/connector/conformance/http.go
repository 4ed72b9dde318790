package conformance

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"checkout/internal/connector"
)

// brokenCharges are the tests of charges with faults of HTTP.
var brokenCharges = append(append(
	forEachFault("broken, ", brokenCharge),
	forEachFault("look-up broken, ", brokenLookUp)...),
	test[Provider]{"provider not reached", notReached})

// forEachFault makes a test for each fault.
func forEachFault[P any](prefix string, run func(*testing.T, P, fault)) (all []test[P]) {
	for _, one := range httpFaults {
		all = append(all, test[P]{prefix + string(one), func(t *testing.T, p P) { run(t, p, one) }})
	}
	return all
}

func (p Provider) needFaults(t *testing.T) {
	t.Helper()
	if p.Faults == nil {
		t.Skip("this connector does not speak HTTP")
	}
}

// brokenCharge checks that a charge with a fault is made once, and that its outcome is unknown until it is looked up.
func brokenCharge(t *testing.T, p Provider, broken fault) {
	p.needFaults(t)
	p.Faults.breakNext(broken, true)
	r, err := p.limited(t, func(ctx context.Context) (connector.Result, error) {
		return p.Connector.Charge(ctx, p.charge(Approves))
	})
	wantUnknown(t, r, err)
	p.Faults.check(t)
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

// brokenLookUp checks that a look-up with a fault is an error, and never a reference that the provider does not know.
// net/http itself repeats a look-up if a reused connection is closed.
func brokenLookUp(t *testing.T, p Provider, broken fault) {
	p.needFaults(t)
	wanted(t)(p.Connector.Charge(t.Context(), p.charge(Approves)))
	querier, ok := p.Connector.(connector.StatusQuerier)
	if !ok {
		t.Skip("this connector can't look up")
	}
	p.Faults.breakNext(broken, false)
	r, err := p.limited(t, func(ctx context.Context) (connector.Result, error) {
		return querier.QueryStatus(ctx, p.request(connector.RequestCharge, reference))
	})
	readAgain := broken == hangsUp && err == nil && r.Outcome == connector.OutcomeApproved
	if !readAgain && (err == nil || !reflect.DeepEqual(r, connector.Result{})) {
		t.Errorf("returned %+v, %v", r, err)
	}
	p.Faults.check(t)
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

func notReached(t *testing.T, p Provider) {
	p.needFaults(t)
	p.Faults.server.Close()
	r, err := p.Connector.Charge(t.Context(), p.charge(Approves))
	if !errors.Is(err, connector.ErrNotSent) || !reflect.DeepEqual(r, connector.Result{}) {
		t.Errorf("returned %+v, %v", r, err)
	}
	if n := p.Charges(t, reference); n != 0 {
		t.Errorf("charged %d times", n)
	}
}
