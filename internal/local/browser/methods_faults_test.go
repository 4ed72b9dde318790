package browser

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/operator"
)

// faultEnds are what becomes of payments whose charge has a fault.
var faultEnds = map[simulator.Fault]func(*simulatedVisit){
	simulator.NeverResponds:   (*simulatedVisit).isPaidAnyway,
	simulator.RespondsLate:    (*simulatedVisit).isPaidAnyway,
	simulator.ReportsTwice:    (*simulatedVisit).isPaidAnyway,
	simulator.DropsConnection: (*simulatedVisit).isPaidAnyway,
	simulator.LosesRequest:    (*simulatedVisit).isPaidOnceResent,
	simulator.NoticeFirst:     (*simulatedVisit).isPaidAnyway,
	simulator.NoticesDoubled:  (*simulatedVisit).isPaidAnyway,
	simulator.NoticesDisorder: (*simulatedVisit).isPaidAnyway,
	simulator.BrokenJSON:      (*simulatedVisit).isPaidAnyway,
	simulator.WrongSignature:  (*simulatedVisit).isPaidAnyway,
	simulator.TooManyRequests: (*simulatedVisit).isPaidAnyway,
	simulator.ServerError:     (*simulatedVisit).isPaidAnyway,
	simulator.SlowDrip:        (*simulatedVisit).isPaidAnyway,
	simulator.FailsLater:      (*simulatedVisit).isPaidUntilItFails,
	simulator.OtherAmount:     (*simulatedVisit).staysUnknown,
	simulator.FoundLate:       (*simulatedVisit).isPaidOnceFound,
}

// faultsOf are the faults with which TestMethodsAtFaultyProviders pays by the method of an index: each with a method
// that is paid at once and with one that has a step, with -methods every fault.
func faultsOf(i int) []simulator.Fault {
	all := simulator.Faults()
	if *everyMethod {
		return all
	}
	return slices.DeleteFunc(all, func(f simulator.Fault) bool {
		at := slices.Index(all, f)
		return i != at%2*6 && i != 1+at%5
	})
}

// TestMethodsAtFaultyProviders pays by each method while something goes wrong at its provider.
func TestMethodsAtFaultyProviders(t *testing.T) {
	t.Parallel()
	for i, id := range simulatedMethods() {
		m, _ := method.Find(id)
		for _, fault := range faultsOf(i) {
			t.Run(fmt.Sprintf("%s %s", id, fault), func(t *testing.T) {
				t.Parallel()
				ends := faultEnds[fault]
				if ends == nil {
					t.Fatal("nobody says what becomes of payments with this fault")
				}
				ends(paysAt(t, m, methodCountries(m)[0], simulator.Next{Fault: fault}))
			})
		}
	}
}

// isPaidAnyway is a payer who notices nothing, or waits a little longer.
func (v *simulatedVisit) isPaidAnyway() {
	v.t.Helper()
	v.acts()
	v.isPaid("settled")
	v.isChargedOnce()
}

// isPaidOnceResent is a payment that never reached its provider: it is sent again when that is certain.
func (v *simulatedVisit) isPaidOnceResent() {
	v.t.Helper()
	v.until("!" + element("pay"))
	v.noForm()
	v.move(12 * time.Minute)
	eventually(v.t, func() bool {
		v.payments(v.s) // each call for the status has it looked up
		return len(v.server.Simulator.Providers.Operations()) > 0
	}, func() string { return "it was not sent again" })
	v.isPaidAnyway()
}

// isPaidOnceFound is a payment that its provider has made and finds only minutes later.
func (v *simulatedVisit) isPaidOnceFound() {
	v.t.Helper()
	v.until("!" + element("pay"))
	v.noForm()
	v.move(6 * time.Minute)
	v.payments(v.s) // each call for the status has it looked up
	v.isPaidAnyway()
}

// isPaidUntilItFails is a payment that fails after it was approved: the shop is told, and nobody pays twice.
func (v *simulatedVisit) isPaidUntilItFails() {
	v.t.Helper()
	v.isPaidAnyway()
	v.server.Simulator.Providers.Act(v.operation().ID, simulator.Fail)
	eventually(v.t, func() bool { return v.payments(v.s)[0].Status != "settled" },
		func() string { return fmt.Sprintf("the payments are %+v", v.payments(v.s)) })
	v.open(v.s.URL)
	v.arrives("success")
	v.isChargedOnce()
}

// staysUnknown is a payment of which the provider moves another amount. Payers who reload, come back by the link or
// have two tabs are told to wait and can't pay twice. In the end a person decides.
func (v *simulatedVisit) staysUnknown() {
	v.t.Helper()
	v.acts()
	v.until("location.origin == " + quote(v.target.BaseURL) + " && !" + element("pay"))
	v.move(2 * time.Minute)
	v.sweep() // has it looked up
	v.isUnknown()
	v.move(40 * time.Second)
	v.isToldToWait()
	v.open("about:blank")
	v.open(v.s.URL)
	v.isToldToWait()
	other := &simulatedVisit{&methodVisit{visit: v.secondTab(), m: v.m, s: v.s}, v.server, v.ahead}
	other.open(v.s.URL)
	other.isToldToWait()
	v.move(4 * 24 * time.Hour)
	v.settles()
	v.arrives("success")
	other.arrives("success")
	v.checkPayments(v.s, "settled")
	v.isTold("the bank says so (decided by Ada)")
	v.isChargedOnce()
}

// isUnknown waits until it is stored that nobody knows the outcome: payers wait since then, and pay with nothing more.
func (v *simulatedVisit) isUnknown() {
	v.t.Helper()
	eventually(v.t, func() bool { return v.payments(v.s)[0].UnknownSince != "" },
		func() string { return fmt.Sprintf("the payments are %+v", v.payments(v.s)) })
	v.message("")
}

// isToldToWait checks that the page says that the outcome is not known, and what to quote, and offers nothing to pay
// by.
func (v *simulatedVisit) isToldToWait() {
	v.t.Helper()
	v.message("This takes longer than usual")
	v.until("document.body.innerText.includes(" + quote(v.s.Order) + ")")
	v.noForm()
	if v.m.For(method.Purchase) {
		v.message("Please do not pay again.")
	}
}

// TestSecondTabWhileUnknown is a payer who has filled in the form in two tabs, and pays in the second one while nobody
// knows what became of the first payment.
func TestSecondTabWhileUnknown(t *testing.T) {
	t.Parallel()
	m, _ := method.Find("card")
	v := opensAt(t, m, methodCountries(m)[0], simulator.Next{Fault: simulator.OtherAmount})
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
}

// settles is a person who decides that the payment counts.
func (v *simulatedVisit) settles() {
	v.t.Helper()
	decision := operator.Settlement{
		PaymentID: v.payments(v.s)[0].ID, Verdict: "approved", By: "Ada", Reason: "the bank says so",
	}
	var err error
	eventually(v.t, func() bool {
		v.sweep()
		_, err = v.server.App.Actor.Settle(v.t.Context(), decision)
		return err == nil
	}, func() string { return fmt.Sprintf("no person can decide: %v", err) })
	v.sweep()
}

// sweep sends what is due.
func (v *simulatedVisit) sweep() {
	v.t.Helper()
	if err := v.server.App.Sweeper.Sweep(v.t.Context()); err != nil {
		v.t.Fatal(err)
	}
}

// isChargedOnce checks that the provider has one operation, and that the page sent one request to pay.
func (v *simulatedVisit) isChargedOnce() {
	v.t.Helper()
	v.operation()
	if sent := v.watch.sent(); len(sent) != 1 {
		v.t.Errorf("%d requests to pay", len(sent))
	}
}
