package story

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// coins allows crypto beside cards.
func coins(m *settings.Merchant) { m.Mappings[0].MIDs[0].Methods = []string{"card", "crypto"} }

// cryptoBTC is the parameter that crypto needs in a session.
var cryptoBTC = with("parameters", map[string]any{"crypto": map[string]any{"crypto_type": "BTC"}})

// opensCrypto creates a session whose payer chooses crypto and sees an address. The amount is in BTC; "" means any.
func (s *Shop) opensCrypto(amount string, minutes int) *Visit {
	s.w.t.Helper()
	order := map[string]any{"number": "pen-1", "currency": "BTC", "description": "A pen"}
	if amount != "" {
		order["amount"] = amount
	}
	payer := s.visits("pen-1", with("order", order), with("session_expiry", minutes), cryptoBTC)
	payer.paysByCrypto()
	return payer
}

func (v *Visit) paysByCrypto() {
	v.w.t.Helper()
	v.send(form.Request{Attempt: uuid.NewString(), Method: "crypto"})
	v.w.work()
	v.is("pending")
}

// sends presses a button on the sandbox's page of a payment and lets the workers work.
func (v *Visit) sends(payment, button string) {
	v.w.t.Helper()
	v.entersAndSends(payment, button, "")
}

func (v *Visit) entersAndSends(payment, button, amount string) {
	v.w.t.Helper()
	v.hasButton("/sandbox/"+payment, button)
	v.w.atSandbox(payment, url.Values{"action": {button}, "amount": {amount}})
	v.w.work()
}

// reasons compares the reasons of the callbacks that the shop took with what a story expects.
func (s *Shop) reasons(want ...string) {
	s.w.t.Helper()
	var got []string
	for _, r := range s.Taken() {
		got = append(got, r.Fields.Get("reason"))
	}
	if !slices.Equal(got, want) {
		s.w.t.Errorf("the reasons are %q, want %q", got, want)
	}
}

// rows returns what a wait screen shows, by id.
func rows(s screen.Screen) map[string]string {
	all := map[string]string{}
	for _, one := range s.Show {
		all[one.ID] = one.Value
	}
	return all
}

// entries returns type, status and reason of a payment's transactions.
func entries(p payment.Payment) []string {
	var all []string
	for _, t := range p.Transactions {
		all = append(all, strings.TrimSpace(string(t.Type)+" "+string(t.Status)+" "+t.Reason))
	}
	return all
}

const (
	halfLate = "Less was paid than was due: 0.00050000 BTC of 0.00100000 BTC arrived."
	half     = "0.00050000 BTC of 0.00100000 BTC arrived, 0.00050000 BTC are missing."
	allLate  = "Paid too late: 0.00100000 BTC arrived after the time to pay was over."
)

// The address outlives the session: it is shown with its own time limit, and what arrives counts.
func TestAddressOutlivesTheSession(t *testing.T) {
	w := open(t, coins)
	payer := w.shop.opensCrypto("0.001", 1)
	for minute := range 10 {
		left := 20*time.Minute - time.Duration(minute)*time.Minute
		screen := payer.screen()
		address := rows(screen)["crypto_address"]
		if words(screen) != "wait: pay_elsewhere" || address == "" || screen.ExpiresInMS != left.Milliseconds() {
			t.Fatalf("in minute %d: %q, %v, %d ms left", minute, words(screen), screen.Show, screen.ExpiresInMS)
		}
		payer.send(form.Request{Attempt: uuid.NewString(), Method: "card"}) // a tab that still shows the form
		w.pass(time.Minute)
	}
	payer.sends(payer.paymentID(), "pay")
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	w.shop.told("init success pending", "sale success settled")
	w.shop.reasons("", "")
}

func TestPaidInTwoParts(t *testing.T) {
	w := open(t, coins)
	payer := w.shop.opensCrypto("0.001", 1)
	w.pass(5 * time.Minute)
	payer.sends(payer.paymentID(), "pay_half")
	w.pass(5 * time.Minute) // looked up several times, reported once
	screen := payer.screen()
	shown := rows(screen)
	if words(screen) != "wait: partly_paid" ||
		shown["amount_received"] != "0.00050000" || shown["amount_missing"] != "0.00050000" ||
		shown["crypto_address"] == "" || screen.ExpiresInMS != (10*time.Minute).Milliseconds() {
		t.Errorf("the payer sees %q with %v", words(screen), shown)
	}
	payer.is("pending")
	payer.sends(payer.paymentID(), "pay_rest")
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	w.shop.told("init success pending", "sale waiting pending", "sale success settled")
	w.shop.reasons("", half, "")
}

func TestPaidTooMuch(t *testing.T) {
	const double = "More was paid than was due: 0.00200000 BTC arrived, 0.00100000 BTC was due."
	w := open(t, coins)
	payer := w.shop.opensCrypto("0.001", 1)
	payer.sends(payer.paymentID(), "pay_double")
	payer.is("settled")
	page := payer.screen()
	if words(page) != "go https://shop.example/paid" ||
		words(screen.Screen{Message: page.Message}) != ": paid (paid_too_much: 0.00200000 of 0.00100000 BTC)" {
		t.Errorf("the payer sees %q, %+v", words(page), page.Message)
	}
	w.shop.told("init success pending", "sale success settled")
	w.shop.reasons("", double)
	f := w.shop.last("sale").Fields
	if f.Get("order_amount") != "0.001" || f.Get("exchange_amount") != "0.00100000" ||
		f.Get("exchange_currency") != "BTC" {
		t.Errorf("the shop was told %v", f)
	}
	if got := entries(payer.payment()); !slices.Equal(got, []string{"sale success " + double}) {
		t.Errorf("transactions %q", got)
	}
}

// Money that arrives too late leaves the payment declined. The shop and the payer are told once, and the session takes
// no other payment.
func TestPaidTooLate(t *testing.T) {
	for name, test := range map[string]struct {
		minutes int
		short   bool
		reasons []string
	}{
		"while the form is open":    {60, false, []string{"", "The payer did not finish in time.", allLate}},
		"the rest of what was paid": {1, true, []string{"", half, halfLate, strings.Replace(allLate, "0.0010", "0.0005", 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, coins)
			payer := w.shop.opensCrypto("0.001", test.minutes)
			want := []string{"init success pending", "sale fail decline", "sale fail decline"}
			if test.short {
				payer.sends(payer.paymentID(), "pay_half")
				want = slices.Insert(want, 1, "sale waiting pending")
			}
			w.pass(25 * time.Minute)
			stale := payer.attempt("01/38")
			id := payer.paymentID()
			payer.sends(id, "pay_late")
			for range 2 { // repeats
				w.press(id, "pay_late")
				w.pass(time.Minute)
			}
			last := test.reasons[len(test.reasons)-1]
			payer.is("decline (" + last + ")")
			payer.send(stale)
			w.pass(time.Minute)
			received := map[bool]string{true: "0.00050000", false: "0.00100000"}[test.short]
			payer.sees("message: paid_too_late (paid_too_late: " + received + " BTC)")
			if to := payer.screen().Go; to == nil || !strings.HasPrefix(to.URL, "https://shop.example/") {
				t.Errorf("the payer can go on to %+v", to)
			}
			w.shop.told(want...)
			w.shop.reasons(test.reasons...)
			if got := entries(payer.payment()); len(got) != 2 || got[1] != "sale fail "+last {
				t.Errorf("transactions %q", got)
			}
		})
	}
}

// The payer has paid by card when the crypto payment arrives: the shop is told of it, and the session stays paid.
func TestPaidTooLateAfterAnotherPayment(t *testing.T) {
	w := open(t, coins)
	payer := w.shop.opensCrypto("0.001", 60)
	w.pass(21 * time.Minute)
	late := payer.paymentID()
	payer.send(payer.Fill(payer.cardForm(), paymentCard(t, "01/38")))
	w.work()
	payer.is("settled")
	payer.sends(late, "pay_late")
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	if screen := payer.screen(); screen.Message.Reason != nil {
		t.Errorf("the paid session says %+v", screen.Message)
	}
	w.shop.told("init success pending", "sale fail decline", "sale success settled", "sale fail decline")
	w.shop.reasons("", "The payer did not finish in time.", "", allLate)
	if last := w.shop.last("sale").Fields; last.Get("id") != late {
		t.Errorf("the last callback is of %s, not of %s", last.Get("id"), late)
	}
}

// A payer pays to the address on the page. The amount is what arrives.
func TestCryptoWithoutAmount(t *testing.T) {
	w := open(t, operations, coins)
	payer := w.shop.visits("pen-1", cryptoBTC,
		with("order", map[string]any{"number": "pen-1", "currency": "BTC", "description": "A pen"}),
		with("crypto", map[string]any{"network": "bitcoin"}))
	filled := payer.screen()
	if len(filled.Methods) != 1 || filled.Methods[0].ID != "crypto" || filled.Order.Amount != "" {
		t.Fatalf("methods %+v, order %+v", filled.Methods, filled.Order)
	}
	payer.send(form.Request{Attempt: "11111111-1111-4111-8111-111111111111", Method: "crypto"})
	w.work()
	payer.is("pending")
	if shown := payer.screen().Show; len(shown) < 2 || shown[0].ID != "crypto_address" {
		t.Errorf("shown %+v", shown)
	}
	f := w.shop.last("init").Fields
	if f.Get("crypto_address") == "" || f.Get("crypto_network") != "bitcoin" || f.Get("order_amount") != "" {
		t.Errorf("the shop was told %v", f)
	}
	w.payAtSandbox(payer.paymentID(), "0.00125")
	w.work()
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	w.shop.told("init success pending", "sale success settled")
	f = w.shop.last("sale").Fields
	if f.Get("order_amount") != "0.00125" && f.Get("order_amount") != "0.00125000" {
		t.Errorf("the shop was told %v", f)
	}
}

// Money that arrives after a payment was settled changes nothing, and is logged for the operator.
func TestMoneyAfterSettled(t *testing.T) {
	w := open(t, coins)
	address := connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &connector.RequiredAction{
		Kind: connector.ActionPending, Show: []screen.Shown{{ID: "crypto_address", Value: "an address"}},
	}}
	w.connects(settings.SandboxConnector, &provider{charge: onCharge(address)})
	payer := w.shop.opensCrypto("0.001", 60)
	for _, amount := range []string{"0.001", "0.001", "0.003"} {
		if found := strings.Contains(w.log.String(), "more arrived after the payment was settled"); found {
			t.Errorf("logged before %s arrived", amount)
		}
		received := &connector.Received{Currency: "BTC", Amount: amount, Due: "0.001"}
		told := connector.Result{Outcome: connector.OutcomeApproved, Received: received}
		w.reported(settings.SandboxConnector, payer.about("", told))
		w.work()
	}
	payer.is("settled")
	w.shop.told("init success pending", "sale success settled")
	if !strings.Contains(w.log.String(), "more arrived after the payment was settled") {
		t.Error("not logged")
	}
}

// However much more arrives than was due, with the payment or after it, in whatever order and however often that is
// reported: what was due counts, and the rest waits for a person, once.
func TestExcessWaitsOnce(t *testing.T) {
	address := connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &connector.RequiredAction{
		Kind: connector.ActionPending, Show: []screen.Shown{{ID: "crypto_address", Value: "an address"}},
	}}
	rapid.Check(t, func(r *rapid.T) {
		w := open(t, coins)
		w.connects(settings.SandboxConnector, &provider{charge: onCharge(address)})
		payer := w.shop.opensCrypto("0.001", 60)
		id, most := payer.paymentID(), 1
		for _, arrived := range rapid.SliceOfN(rapid.IntRange(1, 4), 1, 6).Draw(r, "arrived") {
			received := &connector.Received{Currency: "BTC", Amount: fmt.Sprintf("0.00%d", arrived), Due: "0.001"}
			w.reported(settings.SandboxConnector,
				payer.about("", connector.Result{Outcome: connector.OutcomeApproved, Received: received}))
			w.work()
			most = max(most, arrived)
		}
		payer.is("settled")
		p, err := w.app.Core.Payment(t.Context(), w.clock.Now(), id)
		if err != nil {
			r.Fatal(err)
		}
		var waits *money.Coins
		for _, job := range p.Jobs {
			if waits, err = waits.Plus(job.Coins); err != nil {
				r.Fatal(err)
			}
		}
		want := ""
		if most > 1 {
			want = fmt.Sprintf("0.00%d00000 BTC", most-1)
		}
		if got := waits.Text(); got != want {
			r.Fatalf("%q waits, not %q", got, want)
		}
	})
}
