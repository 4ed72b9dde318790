package browser

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
)

// simulatedVisit is a payer who pays a provider that the simulator plays. Service and simulator have a clock that
// runs, and that a test may also move.
type simulatedVisit struct {
	*methodVisit
	server *local.Server
	ahead  *atomic.Int64
}

func (v *simulatedVisit) move(d time.Duration) { v.ahead.Add(int64(d)) }

// simulatedMethods are the methods that TestMethodsAtProviders pays by: some with each kind of step, with -methods all.
func simulatedMethods() []string {
	if *everyMethod {
		return offeredMethods()
	}
	return []string{"card", "instant_qr", "offline_transfer_a", "wallet_app", "cash_mx", "upi_collect", "payout_wd7"}
}

// moneyOf is the money of methods whose account has one currency.
var moneyOf = map[string]string{"cash_mx": "MXN", "cash_co": "COP", "cash_pe": "PEN", "instant_qr": "BRL"}

// operation waits until the provider has a charge or payout that is new, and returns it.
func (v *simulatedVisit) operation() simulator.Operation {
	v.t.Helper()
	var all []simulator.Operation
	eventually(v.t, func() bool {
		all = v.server.Simulator.Providers.Operations()
		return len(all) > 0
	}, func() string {
		return fmt.Sprintf("the provider was sent nothing, and the payments are %+v", v.payments(v.s))
	})
	if len(all) != 1 {
		v.t.Fatalf("%d operations: %+v", len(all), all)
	}
	return all[0]
}

// acts does what the payer has to do: on the provider's page if the payer was sent there or is shown a link to it, with
// a code on the checkout page, or on a phone.
func (v *simulatedVisit) acts() {
	v.t.Helper()
	o := v.operation()
	if o.State != simulator.Waiting {
		return
	}
	atProvider := "location.origin == " + quote(v.server.Simulator.URL)
	switch o.Step {
	case simulator.StepCode:
		v.enters(simulator.RightCode)
		return
	case simulator.StepPage, simulator.Step3DS:
		v.until(atProvider + " || " + element("app_link"))
	default:
		v.until("document.querySelector('[role=status], #waiting, main') && !" + element("pay"))
	}
	switch {
	case get[bool](v.tab, atProvider):
		v.click("approve")
	case get[bool](v.tab, "!!"+element("app_link")):
		provider := v.secondTab()
		provider.open(get[string](v.tab, element("app_link")+".href"))
		provider.click("approve")
		provider.until("document.readyState == 'complete'")
	default:
		v.server.Simulator.Providers.Act(o.ID, simulator.Approve)
	}
}

// opensAt opens the page of a method at a service of its own with the live key.
func opensAt(t *testing.T, m method.Method, country string, next simulator.Next) *simulatedVisit {
	t.Helper()
	ahead := &atomic.Int64{}
	at, server := embedded(t, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
	at.Key = server.Demo.LiveKey
	server.Simulator.Providers.Expect(next)
	v := newVisit(t, at, openShop(t)).opensMethodFor(m, country, "ada", moneyOf[m.ID])
	return &simulatedVisit{v, server, ahead}
}

// paysAt opens the page of a method at a service of its own with the live key, and pays.
func paysAt(t *testing.T, m method.Method, country string, next simulator.Next) *simulatedVisit {
	t.Helper()
	v := opensAt(t, m, country, next)
	v.fills()
	v.click("pay")
	return v
}

// TestMethodsDeclinedByProviders lets the provider decline each method: the payer is told, and may try again.
func TestMethodsDeclinedByProviders(t *testing.T) {
	t.Parallel()
	for _, id := range simulatedMethods() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			m, _ := method.Find(id)
			v := paysAt(t, m, methodCountries(m)[0], simulator.Next{Decline: "card_stolen"})
			v.checkPayments(v.s, "decline")
			v.until(element("pay"))
		})
	}
}

// TestMethodsAtProviders pays, or is paid, with the live key: over HTTP at the simulated provider of each method.
func TestMethodsAtProviders(t *testing.T) {
	t.Parallel()
	for _, id := range simulatedMethods() {
		m, offered := method.Find(id)
		if !offered {
			t.Fatalf("%s is not offered", id)
		}
		for _, country := range methodCountries(m) {
			t.Run(fmt.Sprintf("%s in %s", id, country), func(t *testing.T) {
				t.Parallel()
				v := paysAt(t, m, country, simulator.Next{})
				v.acts()
				v.isPaid("settled")
			})
		}
	}
}
