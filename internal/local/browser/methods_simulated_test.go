package browser

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/operator"
)

// simulatedVisit is a payer who pays a provider that the simulator plays. Service and simulator have a clock that
// runs, and that a test may also move.
type simulatedVisit struct {
	*methodVisit
	server *local.Server
	ahead  atomic.Int64
}

// opensAt opens the page of a method at a service of its own with the live key.
func opensAt(t *testing.T, id, currency string, next simulator.Next) *simulatedVisit {
	t.Helper()
	v := &simulatedVisit{}
	at, server := embedded(t, func() time.Time { return time.Now().Add(time.Duration(v.ahead.Load())) })
	at.Key, v.server = server.Demo.LiveKey, server
	server.Simulator.Providers.Expect(next)
	m, _ := method.Find(id)
	v.methodVisit = newVisit(t, at, openShop(t)).opensMethodFor(m, methodCountries(m)[0], "ada", currency)
	return v
}

// operation waits until the provider has the one charge that there may be, and returns it.
func (v *simulatedVisit) operation() simulator.Operation {
	v.t.Helper()
	var all []simulator.Operation
	eventually(v.t, func() bool {
		all = v.server.Simulator.Providers.Operations()
		return len(all) > 0
	}, func() string { return "the provider was sent nothing" })
	if len(all) != 1 {
		v.t.Fatalf("%d operations: %+v", len(all), all)
	}
	return all[0]
}

// TestMethodsAtProviders pays with the live key at providers of another origin, each with another step: one's own page,
// a link to it, and what a phone does.
func TestMethodsAtProviders(t *testing.T) {
	t.Parallel()
	for id, act := range map[string]func(*simulatedVisit){
		"wallet_app": func(v *simulatedVisit) {
			v.until("location.origin == " + quote(v.server.Simulator.URL))
			v.click("approve")
		},
		"cash_mx": func(v *simulatedVisit) {
			v.until(element("app_link"))
			provider := v.secondTab()
			provider.open(get[string](v.tab, element("app_link")+".href"))
			provider.click("approve")
		},
		"instant_qr": func(v *simulatedVisit) {
			v.noPay()
			v.server.Simulator.Providers.Act(v.operation().ID, simulator.Approve)
		},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			v := opensAt(t, id, map[string]string{"cash_mx": "MXN", "instant_qr": "BRL"}[id], simulator.Next{})
			v.fills()
			v.click("pay")
			act(v)
			v.isPaid("settled")
		})
	}
}

// TestMethodsUnknown is a payer whose provider charges another amount than it was asked for, who has filled in the form
// in two tabs. Whoever pays again, reloads or comes back by the link is told to wait, and the provider has one charge.
// In the end a person decides.
func TestMethodsUnknown(t *testing.T) {
	t.Parallel()
	v := opensAt(t, "card", "", simulator.Next{Fault: simulator.OtherAmount})
	other := v.secondTab()
	for _, tab := range []*visit{v.visit, other} {
		tab.form(v.s)
		tab.card("0138")
	}
	for _, tab := range []*visit{v.visit, other} {
		tab.click("pay")
		tab.isUnderWay()
	}
	v.operation()
	v.checkPayments(v.s, "prepare")
	v.move(2 * time.Minute)
	eventually(t, func() bool { return v.payments(v.s)[0].UnknownSince != "" },
		func() string { return fmt.Sprintf("the payments are %+v", v.payments(v.s)) })
	v.message("")
	v.move(40 * time.Second)
	v.open("about:blank")
	v.open(v.s.URL)
	for _, tab := range []*visit{v.visit, other} {
		tab.message("This takes longer than usual")
		tab.message("Please do not pay again.")
		tab.until("document.body.innerText.includes(" + quote(v.s.Order) + ")")
		tab.noForm()
	}
	v.move(4 * 24 * time.Hour)
	v.settles()
	v.arrives("success")
	other.arrives("success")
	v.checkPayments(v.s, "settled")
	v.isTold("the bank says so (decided by Ada)")
	v.operation()
}

// move moves the clock and sends what is due then.
func (v *simulatedVisit) move(d time.Duration) {
	v.t.Helper()
	v.ahead.Add(int64(d))
	if err := v.server.App.Sweeper.Sweep(v.t.Context()); err != nil {
		v.t.Fatal(err)
	}
}

// settles is a person who decides that the payment counts.
func (v *simulatedVisit) settles() {
	v.t.Helper()
	decision := operator.Settlement{
		PaymentID: v.payments(v.s)[0].ID, Verdict: "approved", By: "Ada", Reason: "the bank says so",
	}
	var err error
	eventually(v.t, func() bool {
		_, err = v.server.App.Actor.Settle(v.t.Context(), decision)
		v.move(0)
		return err == nil
	}, func() string { return fmt.Sprintf("no person can decide: %v", err) })
}
