package conformance

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/money"
)

func followAccepted(t *testing.T, f follower) {
	charge := f.charged(t, Approves)
	r := f.send(t, f.request())
	if r.Outcome != connector.OutcomeApproved || r.Reason != "" || r.ReasonCode != "" || r.RequiredAction != nil ||
		r.Authorised || !r.Amount.IsZero() {
		t.Errorf("returned %+v", r)
	}
	if r.ProviderID != "" && r.ProviderID != charge.ProviderID { // later requests contain the charge's id
		t.Errorf("the payment is called %q, then %q", charge.ProviderID, r.ProviderID)
	}
	if found := f.wantKnown(t, connector.OutcomeApproved, f.after()); !reflect.DeepEqual(found, r) {
		t.Errorf("returned %+v, and looked up %+v", r, found)
	}
	if again := f.query(t, f.Provider.request(connector.RequestCharge, reference)); !reflect.DeepEqual(again, charge) {
		t.Errorf("the charge was %+v, now it is %+v", charge, again)
	}
}

func followDeclined(t *testing.T, f follower) {
	f.charged(t, Declines)
	r := f.send(t, f.request())
	if r.Outcome != connector.OutcomeDeclined || !explained(r) {
		t.Errorf("returned %+v", r)
	}
	if found := f.wantKnown(t, connector.OutcomeDeclined, f.before()); !reflect.DeepEqual(found, r) {
		t.Errorf("returned %+v, and looked up %+v", r, found)
	}
}

// followPending has a refund that the provider decides later.
func followPending(t *testing.T, f follower, approved bool) {
	if f.kind != connector.RequestRefund {
		t.Skip("providers decide captures and voids at once")
	}
	f.can(t, Waits)
	f.charged(t, Waits)
	if r := f.send(t, f.request()); r.Outcome != connector.OutcomePending || r.RequiredAction != nil {
		t.Fatalf("returned %+v", r)
	}
	f.wantKnown(t, connector.OutcomePending, f.before())
	want, totals := connector.OutcomeDeclined, f.before()
	if approved {
		want, totals = connector.OutcomeApproved, f.after()
	}
	f.Decide(t, second, approved)
	f.wantKnown(t, want, totals)
	// A provider may repeat its first response by its idempotency key.
	if again := f.send(t, f.request()); again.Outcome != want && again.Outcome != connector.OutcomePending {
		t.Errorf("sent again: %+v", again)
	}
	f.wantKnown(t, want, totals)
}

// faultyFollowUp makes the charge, and sends a follow-up that meets a fault.
func (f follower) faultyFollowUp(t *testing.T, b Behaviour) {
	t.Helper()
	f.charged(t, b)
	r, err := f.faulty(t, b, func(ctx context.Context, _ Behaviour) (connector.Result, error) {
		return f.method()(ctx, f.request())
	})
	wantUnknown(t, r, err)
}

func followGarbled(t *testing.T, f follower) {
	f.faultyFollowUp(t, GarblesResponse)
	f.wantKnown(t, connector.OutcomeApproved, f.after())
}

func followWithoutResponse(t *testing.T, f follower) {
	f.faultyFollowUp(t, NeverResponds)
	f.wantKnown(t, connector.OutcomeApproved, f.after())
}

func followLost(t *testing.T, f follower) {
	f.faultyFollowUp(t, LosesRequest)
	f.wantKnown(t, connector.OutcomeUnknown, f.before())
	if again := f.send(t, f.request()); again.Outcome != connector.OutcomeApproved {
		t.Errorf("sent again: %+v", again)
	}
	f.wantKnown(t, connector.OutcomeApproved, f.after())
}

func followBroken(t *testing.T, f follower, broken fault) {
	f.needFaults(t)
	f.charged(t, Approves)
	f.Faults.breakNext(broken, true)
	r, err := f.limited(t, func(ctx context.Context) (connector.Result, error) { return f.method()(ctx, f.request()) })
	wantUnknown(t, r, err)
	f.Faults.check(t)
	f.wantKnown(t, connector.OutcomeApproved, f.after())
}

func followRepeated(t *testing.T, f follower) {
	f.charged(t, Approves)
	r := f.request()
	first := f.send(t, r)
	for _, amount := range []string{"1000", "100"} { // the same reference is the same request
		r.Amount = usd(amount)
		if again := f.send(t, r); !reflect.DeepEqual(first, again) {
			t.Errorf("returned %+v, then %+v", first, again)
		}
	}
	f.wantKnown(t, connector.OutcomeApproved, f.after())

	r.Reference = second + "-2" // a decline is final, too
	declined, again := f.send(t, r), f.send(t, r)
	if declined.Outcome != connector.OutcomeDeclined || !reflect.DeepEqual(declined, again) {
		t.Errorf("returned %+v, then %+v", declined, again)
	}
	f.wantKnown(t, connector.OutcomeApproved, f.after())
}

// atOnce sends n requests at the same time and counts those that are approved.
func (f follower) atOnce(t *testing.T, n int, request func(i int) connector.ProviderRequest) (approved int) {
	t.Helper()
	results, errs := make([]connector.Result, n), make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { results[i], errs[i] = f.method()(t.Context(), request(i)) })
	}
	wait.Wait()
	for i, r := range results {
		declined := r.Outcome == connector.OutcomeDeclined && explained(r)
		if errs[i] != nil || r.Outcome != connector.OutcomeApproved && !declined {
			t.Errorf("returned %+v, %v", r, errs[i])
		}
		if r.Outcome == connector.OutcomeApproved {
			approved++
		}
	}
	return approved
}

func followManyOfOne(t *testing.T, f follower) {
	f.charged(t, Approves)
	if n := f.atOnce(t, 8, func(int) connector.ProviderRequest { return f.request() }); n != 8 {
		t.Errorf("%d of 8 repeats have the same result", n)
	}
	f.wantKnown(t, connector.OutcomeApproved, f.after())
}

func followManyAtOnce(t *testing.T, f follower) {
	f.charged(t, Approves)
	want, totals := 1, f.after()
	if f.kind == connector.RequestRefund { // three times 3.00 of 10.00
		want, totals.Refunded = 3, 900
	}
	approved := f.atOnce(t, 16, func(i int) connector.ProviderRequest {
		r := f.request()
		r.Reference = fmt.Sprintf("reference-%d", i)
		if f.kind == connector.RequestRefund {
			r.Amount = usd("300")
		}
		return r
	})
	if approved != want {
		t.Errorf("%d were approved, not %d", approved, want)
	}
	f.wantKnown(t, connector.OutcomeUnknown, totals)
}

func followUnknown(t *testing.T, f follower) {
	f.charged(t, Approves)
	for _, unknown := range append(strange, second, reference) { // the charge's own reference is not that of a follow-up
		r := f.request()
		r.Reference = unknown
		if found := f.query(t, r); !reflect.DeepEqual(found, connector.Result{Outcome: connector.OutcomeUnknown}) {
			t.Errorf("%.20s: %+v", unknown, found)
		}
	}
	r := f.request()
	r.OriginalReference = "reference-of-no-charge"
	if r := f.send(t, r); r.Outcome != connector.OutcomeDeclined || !explained(r) {
		t.Errorf("of a charge that is not known: %+v", r)
	}
	if found := f.query(t, r); found.Outcome != connector.OutcomeDeclined {
		t.Errorf("of a charge that is not known, looked up: %+v", found)
	}
	if got := f.Totals(t, reference); got != f.before() {
		t.Errorf("the ledger has %+v", got)
	}
}

// followTooMuch sends follow-ups that every provider declines, and one in another currency.
func followTooMuch(t *testing.T, f follower) {
	if f.kind == connector.RequestVoid {
		t.Skip("it has no amount of its own")
	}
	f.charged(t, Approves)
	euro, _ := money.Find("EUR")
	for i, wrong := range []money.Amount{usd("1001"), usd("0"), {}, money.Zero(euro)} {
		r := f.request()
		r.Reference, r.Amount = fmt.Sprintf("reference-%d", i), wrong
		if got := f.send(t, r); got.Outcome != connector.OutcomeDeclined || !explained(got) {
			t.Errorf("%s of %q: %+v", f.kind, wrong, got)
		}
	}
	f.wantKnown(t, connector.OutcomeUnknown, f.before())
}

// followNothingSecret checks that the results and errors of follow-ups contain nothing secret.
func followNothingSecret(t *testing.T, f follower) {
	if f.method() == nil {
		t.Skip("this connector can't")
	}
	for _, b := range []Behaviour{Approves, Declines, GarblesResponse, NeverResponds, LosesRequest} {
		c := f.followed(b)
		c.Reference = fmt.Sprintf("charge-%d", b)
		wanted(t)(f.Connector.Charge(t.Context(), c))
		r := f.request()
		r.OriginalReference, r.Reference = c.Reference, fmt.Sprintf("reference-%d", b)
		send := func(ctx context.Context, _ Behaviour) (connector.Result, error) {
			result, err := f.method()(ctx, r)
			f.watch.check(t, result, err)
			return result, err
		}
		if b < GarblesResponse {
			_, _ = send(t.Context(), b)
		} else {
			_, _ = f.faulty(t, b, send)
		}
		f.watch.check(t, f.query(t, r), nil)
	}
}

// followUps are the tests of captures, voids and refunds.
var followUps = append([]test[follower]{
	{"accepted", followAccepted},
	{"declined", followDeclined},
	{"pending, then approved", func(t *testing.T, f follower) { followPending(t, f, true) }},
	{"pending, then declined", func(t *testing.T, f follower) { followPending(t, f, false) }},
	{"broken response", followGarbled},
	{"no response", followWithoutResponse},
	{"request lost", followLost},
	{"repeated", followRepeated},
	{"one reference, many at once", followManyOfOne},
	{"many references at once", followManyAtOnce},
	{"unknown reference", followUnknown},
	{"more than there is", followTooMuch},
	{"nothing secret", followNothingSecret},
}, forEachFault("broken, ", followBroken)...)
