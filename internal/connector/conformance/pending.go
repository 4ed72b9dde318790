package conformance

import (
	"context"
	"reflect"
	"testing"

	"checkout/internal/connector"
)

// pendings are the tests of charges that the provider decides later, and of notices that come again or late.
var pendings = []test[Provider]{
	{"pending, then approved", func(t *testing.T, p Provider) { decidedLater(t, p, true) }},
	{"pending, then declined", func(t *testing.T, p Provider) { decidedLater(t, p, false) }},
	{"pending, repeated", pendingRepeated},
	{"notices repeated", repeatedNotices},
	{"notice of an action, late", func(t *testing.T, p Provider) { lateNotices(t, p, RequiresAction) }},
	{"notice of waiting, late", func(t *testing.T, p Provider) { lateNotices(t, p, Waits) }},
}

// waiting makes a charge that the provider decides later.
func (p Provider) waiting(t *testing.T) connector.Result {
	t.Helper()
	p.can(t, Waits)
	if p.Decide == nil {
		t.Fatal("Decide is nil, and Cannot does not say why the provider never decides later")
	}
	r := wanted(t)(p.Connector.Charge(t.Context(), p.charge(Waits)))
	if r.Outcome != connector.OutcomePending || r.RequiredAction != nil || r.ReasonCode != "" {
		t.Fatalf("returned %+v", r)
	}
	p.wantKnown(t, connector.OutcomePending, 1)
	return r
}

func decidedLater(t *testing.T, p Provider, approved bool) {
	p.waiting(t)
	want := connector.OutcomeDeclined
	if approved {
		want = connector.OutcomeApproved
	}
	for _, again := range []bool{approved, !approved} { // the first decision is final
		p.Decide(t, reference, again)
		if found := p.wantKnown(t, want, 1); !approved && !explained(found) {
			t.Error("no reason")
		}
	}
	if p.Notify == nil {
		return
	}
	if n, err := p.handle(t, p.Notify(connector.RequestCharge, reference)); err != nil || n.Result.Outcome != want {
		t.Errorf("the notice says %+v, %v", n, err)
	}
}

func pendingRepeated(t *testing.T, p Provider) {
	first := p.waiting(t)
	if again := wanted(t)(p.Connector.Charge(t.Context(), p.charge(Waits))); !reflect.DeepEqual(again, first) {
		t.Errorf("returned %+v, then %+v", first, again)
	}
	p.wantKnown(t, connector.OutcomePending, 1)
}

func repeatedNotices(t *testing.T, p Provider) {
	p.decided(t, Approves)
	n := p.Notify(connector.RequestCharge, reference)
	first, err := p.handle(t, n)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if again, err := p.handle(t, n); err != nil || !reflect.DeepEqual(again, first) {
			t.Errorf("read %+v, then %+v, %v", first, again, err)
		}
	}
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

// lateNotices has a notice from before the decision that arrives after it. It may say what was true then, or what is
// true now, and nothing else; the service ignores what is older than what it knows.
func lateNotices(t *testing.T, p Provider, b Behaviour) {
	p.handler(t)
	decide := p.Confirm
	if b == Waits {
		p.waiting(t)
		decide = p.Decide
	} else {
		p.requireAction(t)
	}
	old := p.Notify(connector.RequestCharge, reference)
	if len(old.Body) == 0 && len(old.Query) == 0 {
		t.Skip("the provider sends no notice of what is not decided")
	}
	before, err := p.handle(t, old)
	if err != nil || before.PaymentID != "" && before.Result.Outcome == connector.OutcomeApproved {
		t.Fatalf("before the decision: %+v, %v", before, err)
	}
	decide(t, reference, true)
	late, err := p.handle(t, old)
	approved := late.Result.Outcome == connector.OutcomeApproved && late.PaymentID == paymentID
	if err != nil || !approved && !reflect.DeepEqual(late, before) {
		t.Errorf("after the decision: %+v, %v", late, err)
	}
	if now, err := p.handle(t, p.Notify(connector.RequestCharge, reference)); err != nil ||
		now.Result.Outcome != connector.OutcomeApproved {
		t.Errorf("of the decision: %+v, %v", now, err)
	}
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

// secondForms are the tests of connectors that continue charges.
var secondForms = []test[Provider]{
	{"second form", secondForm},
	{"second form, broken response", func(t *testing.T, p Provider) { brokenForm(t, p, GarblesResponse) }},
	{"second form, no response", func(t *testing.T, p Provider) { brokenForm(t, p, NeverResponds) }},
}

// asked makes a charge that asks for a second form, and returns it with what the payer fills in.
func (p Provider) asked(t *testing.T) connector.Charge {
	t.Helper()
	declares(t, p.Declaration.SecondForm)
	if p.SecondForm == nil {
		t.Fatal("declaration.json has second_form, but SecondForm is nil")
	}
	begun, filled := p.SecondForm()
	for _, c := range []*connector.Charge{&begun, &filled} {
		expires := c.ExpiresAt
		c.ProviderRequest = p.request(connector.RequestCharge, reference)
		c.ReturnURL, c.ExpiresAt = "https://pay.example/back", expires
		p.watch.hide(*c)
	}
	r := wanted(t)(p.Connector.Charge(t.Context(), begun))
	if r.RequiredAction == nil || len(r.RequiredAction.Fields) == 0 {
		t.Fatalf("no form: %+v", r)
	}
	return filled
}

func secondForm(t *testing.T, p Provider) {
	filled := p.asked(t)
	for range 2 { // the second time, it is decided
		r := wanted(t)(p.Connector.(connector.Continuer).Continue(t.Context(), filled))
		p.watch.check(t, r, nil)
		if r.Outcome != connector.OutcomeApproved {
			t.Errorf("returned %+v", r)
		}
	}
	p.wantKnown(t, connector.OutcomeApproved, 1)
}

func brokenForm(t *testing.T, p Provider, b Behaviour) {
	filled := p.asked(t)
	p.needFaults(t)
	r, err := p.faulty(t, b, func(ctx context.Context, _ Behaviour) (connector.Result, error) {
		return p.Connector.(connector.Continuer).Continue(ctx, filled)
	})
	wantUnknown(t, r, err)
	p.wantKnown(t, connector.OutcomeApproved, 1)
}
