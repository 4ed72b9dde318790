package story

import (
	"slices"
	"testing"
	"time"

	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// asksFor presses another or cancel on the page, and returns the next screen in words.
func (v *Visit) asksFor(action screen.Action) string {
	v.w.t.Helper()
	return words(v.Shown(v.Post(string(action), nil)))
}

// offers compares what the payer can do now with what a story expects.
func (v *Visit) offers(want ...screen.Action) {
	v.w.t.Helper()
	if got := v.screen().Actions; !slices.Equal(got, want) {
		v.w.t.Errorf("the payer can %q, want %q", got, want)
	}
}

const cart = "go https://shop.example/cart"

// elsewhere are the ways in which a payer of the sandbox has to act elsewhere.
var elsewhere = map[string]struct {
	begin  func(*Visit)
	offers []screen.Action
	left   string // what the payer sees after they have cancelled it
}{
	"3-D Secure": {func(v *Visit) { v.pays("05/38") }, []screen.Action{"another", "cancel"}, cart},
	"redirect":   {func(v *Visit) { v.pays("12/38") }, []screen.Action{"another", "cancel"}, cart},
	"an address": {(*Visit).paysByCrypto, []screen.Action{"paid", "another", "cancel"}, "message: cancelled_elsewhere"},
}

// coinsToo lets payers of an order in USD pay by coins.
var coinsToo = with("parameters", map[string]any{"crypto": map[string]any{"crypto_type": "BTC"}})

// Whoever has to pay elsewhere can have that ended, and then pay in another way or leave.
func TestEndsAPaymentElsewhere(t *testing.T) {
	for name, test := range elsewhere {
		t.Run(name, func(t *testing.T) {
			w := open(t, coins)
			payer := w.shop.visits("pen-1", coinsToo)
			test.begin(payer)
			first := payer.paymentID()
			payer.offers(test.offers...)
			for range 2 { // the button is pressed twice
				if got := payer.asksFor(screen.ActionAnother); got != "wait: ending_payment" {
					t.Errorf("the payer sees %q", got)
				}
			}
			payer.offers()
			payer.send(form.Request{Attempt: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", Method: "card"}) // from an older tab
			w.work()
			payer.sees("form")
			payer.is("decline (The payer ended the payment.)")
			w.atSandbox(first, map[string][]string{"action": {"confirm"}}) // too late
			payer.pays("01/38")
			payer.is("settled")
			approved := 0
			for _, line := range w.ledger() {
				if line == "1 x 10.00 USD approved" {
					approved++
				}
			}
			if approved != 1 {
				t.Errorf("the sandbox's ledger: %q", w.ledger())
			}
		})
	}
}

func TestCancelsElsewhere(t *testing.T) {
	for name, test := range elsewhere {
		t.Run(name, func(t *testing.T) {
			w := open(t, coins)
			payer := w.shop.visits("pen-1", coinsToo)
			test.begin(payer)
			if got := payer.asksFor(screen.ActionCancel); got != "wait: ending_payment" {
				t.Errorf("the payer sees %q", got)
			}
			w.work()
			payer.sees(test.left)
			payer.is("decline (The payer ended the payment.)")
			w.pass(time.Hour)
			payer.sees(test.left)
			if to := payer.screen().Go; to == nil || to.URL != "https://shop.example/cart" {
				t.Errorf("the way on is %+v", to)
			}
			w.ledgerIs("1 x 10.00 USD declined")
		})
	}
}

// The payer confirms at the bank before the provider is asked: it is paid.
func TestPaidBeforeItWasEnded(t *testing.T) {
	for _, action := range []screen.Action{screen.ActionAnother, screen.ActionCancel} {
		w := open(t)
		payer := w.shop.visits("pen-1")
		payer.pays("05/38")
		bank := payer.screen().Go.URL
		payer.asksFor(action)
		payer.pressesAt(bank, "confirm")
		w.work()
		payer.sees("go https://shop.example/paid")
		payer.is("settled")
		w.ledgerIs("1 x 10.00 USD approved")
		w.shop.told("3ds success 3ds", "sale success settled")
	}
}

// Functions that die between any two writes, and lost messages, do not lose what the payer wants.
func TestEndIsNotLost(t *testing.T) {
	for _, faults := range [][]string{
		{"after"}, {"dies after"}, {"ok", "before"}, {"ok", "after"}, {"ok", "dies before"}, {"ok", "dies after"},
	} {
		for _, lose := range []func(string) (bool, bool){nil, loseAll, failAll} {
			w := open(t)
			payer := w.shop.visits("pen-1")
			payer.pays("05/38")
			w.store.next(faults...)
			w.queue.lose = lose
			survive(func() { w.call("POST", payer.Path("cancel"), nil) })
			survive(w.work)
			w.store.next()
			w.queue.lose = nil
			w.pass(5 * time.Minute)
			payer.sees("go https://shop.example/cart")
			w.ledgerIs("1 x 10.00 USD declined")
			w.shop.told("3ds success 3ds", "sale fail decline")
		}
	}
}

// survive calls do, which may die because of the store.
func survive(do func()) {
	defer func() {
		if p := recover(); p != nil && p != errStore {
			panic(p)
		}
	}()
	do()
}

// Where the mapping's cancel_ends_session is off, a payer who leaves comes back and pays: from the form, and from what
// is paid elsewhere, which the provider does not end.
func TestLeavesAndComesBack(t *testing.T) {
	for name, test := range map[string]struct {
		begin, pay func(v *Visit)
		offers     []screen.Action
	}{
		"the form": {func(*Visit) {}, func(v *Visit) { v.pays("01/38") }, []screen.Action{"leave"}},
		"3-D Secure": {func(v *Visit) { v.pays("05/38") }, (*Visit).confirmsAtBank,
			[]screen.Action{"another", "leave"}},
		"an address": {(*Visit).paysByCrypto, func(v *Visit) { v.sends(v.paymentID(), "pay") },
			[]screen.Action{"paid", "another", "leave"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, coins, staysOpen)
			payer := w.shop.visits("pen-1", coinsToo)
			test.begin(payer)
			before, state := words(payer.screen()), payer.stored().State
			payer.offers(test.offers...)
			for range 2 {
				if got := payer.asksFor(screen.ActionCancel); got != cart {
					t.Errorf("the payer sees %q", got)
				}
			}
			w.work()
			payer.sees(before)
			if got := payer.stored(); got.State != state || got.Ending != "" {
				t.Errorf("the session is %s, ending %q", got.State, got.Ending)
			}
			test.pay(payer)
			w.work()
			payer.is("settled")
			payer.sees("go https://shop.example/paid")
			if got := payer.asksFor(screen.ActionCancel); got != "go https://shop.example/paid" {
				t.Errorf("having paid, the payer sees %q", got)
			}
		})
	}
}

// Without a cancel_url there is nowhere to leave to, and the session is not ended either. One that is over stays so.
func TestLeavesToNowhere(t *testing.T) {
	w := open(t, staysOpen)
	payer := w.shop.visits("pen-1", with("cancel_url", nil))
	payer.offers()
	if got := payer.asksFor(screen.ActionCancel); got != "form" {
		t.Errorf("the payer sees %q", got)
	}
	payer.is("prepare")
	w.skip(time.Hour)
	if got := payer.asksFor(screen.ActionCancel); got != "go https://shop.example/late" {
		t.Errorf("after the end, the payer sees %q", got)
	}
	payer.is("decline (Session expired.)")
}

// confirmsAtBank has the payer confirm on the page that the session leads to.
func (v *Visit) confirmsAtBank() { v.comesBack(v.pressesAt(v.screen().Go.URL, "confirm")) }

// staysOpen has payers leave sessions without ending them.
func staysOpen(m *settings.Merchant) { m.Mappings[0].CancelEndsSession = new(bool) }
