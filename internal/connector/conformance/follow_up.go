package conformance

import (
	"context"
	"testing"

	"checkout/internal/connector"
)

// follower is a provider and a kind of follow-up (capture, void or refund) to a charge of 10.00 USD.
type follower struct {
	Provider
	kind connector.RequestKind
}

const second = "0190a6b2-7c1e-4d33-a5a4-000000000002" // the reference of what follows

func (f follower) request() connector.ProviderRequest {
	r := f.Provider.request(f.kind, second)
	r.OriginalReference = reference
	return r
}

// charged makes the charge, only authorised if it is to be captured or voided, and returns its result.
func (f follower) charged(t *testing.T, b Behaviour) connector.Result {
	t.Helper()
	if f.method() == nil {
		t.Skip("this connector can't")
	}
	r := wanted(t)(f.Connector.Charge(t.Context(), f.followed(b)))
	if r.Outcome != connector.OutcomeApproved {
		t.Fatalf("the charge: %+v", r)
	}
	return r
}

// followed is a charge for whose follow-ups the provider has that behaviour.
func (f follower) followed(b Behaviour) connector.Charge {
	if f.Faults != nil && b >= GarblesResponse {
		b = Approves // the server in front of the provider has the fault
	}
	c := f.charge(Approves)
	if f.FollowedCharge != nil {
		special := f.FollowedCharge(f.kind, b)
		c.Card, c.Method, c.Parameters = special.Card, special.Method, special.Parameters
		f.watch.hide(c)
	}
	c.Auth = f.kind != connector.RequestRefund
	return c
}

// method is the connector's method for the kind, nil if it has none.
func (f follower) method() func(context.Context, connector.ProviderRequest) (connector.Result, error) {
	if c, ok := f.Connector.(connector.Capturer); ok && f.kind == connector.RequestCapture {
		return c.Capture
	}
	if c, ok := f.Connector.(connector.Voider); ok && f.kind == connector.RequestVoid {
		return c.Void
	}
	if c, ok := f.Connector.(connector.Refunder); ok && f.kind == connector.RequestRefund {
		return c.Refund
	}
	return nil
}

// send sends a follow-up.
func (f follower) send(t *testing.T, r connector.ProviderRequest) connector.Result {
	t.Helper()
	return wanted(t)(f.method()(t.Context(), r))
}

// before and after are the totals of the charge before the follow-up and after it was executed once.
func (f follower) before() Totals {
	if f.kind == connector.RequestRefund {
		return Totals{Authorised: 1000, Captured: 1000}
	}
	return Totals{Authorised: 1000}
}

func (f follower) after() Totals {
	all := f.before()
	switch f.kind {
	case connector.RequestCapture:
		all.Captured = 1000
	case connector.RequestVoid:
		all.Voided = true
	default:
		all.Refunded = 1000
	}
	return all
}

// wantKnown checks the outcome of a look-up and the totals of the charge.
func (f follower) wantKnown(t *testing.T, want connector.Outcome, totals Totals) connector.Result {
	t.Helper()
	if got := f.Totals(t, reference); got != totals {
		t.Errorf("the ledger has %+v, not %+v", got, totals)
	}
	found := f.query(t, f.request())
	if found.Outcome != want {
		t.Errorf("a look-up returns %+v, not %d", found, want)
	}
	return found
}
