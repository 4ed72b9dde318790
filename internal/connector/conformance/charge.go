package conformance

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
	"testing"

	"checkout/internal/connector"
)

// charges are the tests of charges, for every connector.
var charges = []test[Provider]{
	{"accepted", accepted},
	{"declined", declined},
	{"declined softly", declinedSoftly},
	{"broken response", brokenResponse},
	{"no response", noResponse},
	{"request lost", requestLost},
	{"repeated", repeated},
	{"many at once", manyAtOnce},
	{"unknown reference", unknownReference},
	{"required action confirmed", actionConfirmed},
	{"required action refused", actionRefused},
	{"nothing secret", nothingSecret},
}

func accepted(t *testing.T, p Provider) {
	r := wanted(t)(p.Connector.Charge(t.Context(), p.charge(Approves)))
	if r.Outcome != connector.OutcomeApproved || r.ProviderID == "" || r.Reason != "" || r.ReasonCode != "" ||
		r.RequiredAction != nil || !r.Amount.IsZero() {
		t.Errorf("returned %+v", r)
	}
	if found := p.wantKnown(t, connector.OutcomeApproved, 1); !reflect.DeepEqual(found, r) {
		t.Errorf("returned %+v, and looked up %+v", r, found)
	}
}

// explained reports whether a decline has a reason: a code of the service's, the provider's own text, or both.
func explained(r connector.Result) bool {
	if r.ReasonCode != "" {
		return r.ReasonCode.Known()
	}
	return r.Reason != ""
}

func declined(t *testing.T, p Provider) { p.wantDeclined(t, Declines, false) }

func declinedSoftly(t *testing.T, p Provider) {
	p.can(t, DeclinesSoftly)
	p.wantDeclined(t, DeclinesSoftly, true)
}

// can skips the rest of the test if the provider does not have a behaviour.
func (p Provider) can(t *testing.T, b Behaviour) {
	t.Helper()
	if reason := p.Cannot[b]; reason != "" {
		t.Skip(reason)
	}
}

func (p Provider) wantDeclined(t *testing.T, b Behaviour, soft bool) {
	t.Helper()
	r := wanted(t)(p.Connector.Charge(t.Context(), p.charge(b)))
	if r.Outcome != connector.OutcomeDeclined || !explained(r) || r.RequiredAction != nil || r.ReasonCode.Soft() != soft {
		t.Errorf("returned %+v, soft: %v", r, r.ReasonCode.Soft())
	}
	if found := p.query(t, p.request(connector.RequestCharge, reference)); !reflect.DeepEqual(found, r) {
		t.Errorf("returned %+v, and looked up %+v", r, found)
	}
}

// broken sends a charge that meets a fault.
func (p Provider) broken(t *testing.T, b Behaviour) {
	t.Helper()
	r, err := p.faulty(t, b, func(ctx context.Context, b Behaviour) (connector.Result, error) {
		return p.Connector.Charge(ctx, p.charge(b))
	})
	wantUnknown(t, r, err)
}

func brokenResponse(t *testing.T, p Provider) {
	p.broken(t, GarblesResponse)
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

func noResponse(t *testing.T, p Provider) {
	p.broken(t, NeverResponds)
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

func requestLost(t *testing.T, p Provider) {
	p.broken(t, LosesRequest)
	p.wantKnown(t, connector.OutcomeUnknown, 0)
	again := p.charge(LosesRequest)
	if p.Faults != nil {
		again = p.charge(Approves)
	}
	if r := wanted(t)(p.Connector.Charge(t.Context(), again)); r.Outcome != connector.OutcomeApproved {
		t.Errorf("sent again: %+v", r)
	}
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

func repeated(t *testing.T, p Provider) {
	for _, b := range []Behaviour{Approves, Declines} {
		first := wanted(t)(p.Connector.Charge(t.Context(), p.charge(Approves)))
		again := wanted(t)(p.Connector.Charge(t.Context(), p.charge(b))) // with other data, but the same reference
		if !reflect.DeepEqual(first, again) {
			t.Errorf("returned %+v, then %+v", first, again)
		}
	}
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

func manyAtOnce(t *testing.T, p Provider) {
	results, errs := make([]connector.Result, 8), make([]error, 8)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() { results[i], errs[i] = p.Connector.Charge(t.Context(), p.charge(Approves)) })
	}
	wait.Wait()
	for i, r := range results {
		if errs[i] != nil || !reflect.DeepEqual(r, results[0]) {
			t.Errorf("returned %+v and %v, another %+v", r, errs[i], results[0])
		}
	}
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

// strange are references that no request had, and that are not valid in a URL as they are.
var strange = []string{"..", "a/b", "%00", "ä", strings.Repeat("x", 5000)}

func unknownReference(t *testing.T, p Provider) {
	want := connector.Result{Outcome: connector.OutcomeUnknown}
	for _, unknown := range append(strange, reference) {
		if r := p.query(t, p.request(connector.RequestCharge, unknown)); !reflect.DeepEqual(r, want) {
			t.Errorf("%.20s: %+v", unknown, r)
		}
	}
}

// requireAction sends a charge that the payer has to confirm.
func (p Provider) requireAction(t *testing.T) {
	t.Helper()
	if p.Confirm == nil {
		t.Skip("this provider requires nothing of payers")
	}
	r := wanted(t)(p.Connector.Charge(t.Context(), p.charge(RequiresAction)))
	action := r.RequiredAction
	acts := action != nil && action.Kind != "" && (action.URL != "" || len(action.Show) > 0)
	if r.Outcome != connector.OutcomeActionRequired || !acts {
		t.Fatalf("returned %+v", r)
	}
	p.wantKnown(t, connector.OutcomeActionRequired, 1)
}

func actionConfirmed(t *testing.T, p Provider) {
	p.requireAction(t)
	for _, confirmed := range []bool{true, false} { // the first decision is final
		p.Confirm(t, reference, confirmed)
		p.wantKnown(t, connector.OutcomeApproved, 1)
	}
	again := wanted(t)(p.Connector.Charge(t.Context(), p.charge(RequiresAction)))
	if again.Outcome != connector.OutcomeApproved {
		t.Errorf("sent again: %+v", again)
	}
}

func actionRefused(t *testing.T, p Provider) {
	p.requireAction(t)
	for _, confirmed := range []bool{false, true} {
		p.Confirm(t, reference, confirmed)
		if r := p.wantKnown(t, connector.OutcomeDeclined, 1); !explained(r) {
			t.Error("no reason")
		}
	}
}

// nothingSecret checks that results and errors contain nothing secret, because results are stored and errors logged.
func nothingSecret(t *testing.T, p Provider) {
	for b := Approves; b <= LosesRequest; b++ {
		if b == RequiresAction && p.Confirm == nil || p.Cannot[b] != "" {
			continue
		}
		c := p.charge(b)
		c.Reference = fmt.Sprintf("reference-%d", b)
		send := func(ctx context.Context, _ Behaviour) (connector.Result, error) {
			r, err := p.Connector.Charge(ctx, c)
			p.watch.check(t, r, err)
			return r, err
		}
		if b < GarblesResponse {
			_, _ = send(t.Context(), b)
		} else {
			_, _ = p.faulty(t, b, send)
		}
		if querier, ok := p.Connector.(connector.StatusQuerier); ok {
			r, err := querier.QueryStatus(t.Context(), c.ProviderRequest)
			p.watch.check(t, r, err)
		}
	}
	refused := maps.Clone(p.Credentials)
	for name := range refused {
		if name != "url" {
			refused[name] += "-wrong"
		}
	}
	c := p.charge(Approves)
	c.Reference, c.Credentials = "reference-refused", refused
	r, err := p.Connector.Charge(t.Context(), c)
	p.watch.check(t, r, err)
}
