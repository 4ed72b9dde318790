package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/merchant"
	"checkout/internal/method"
)

// A connector that says that it can capture, void and refund, and can't, fails what it is asked for, with a reason, and the
// payment stays as it was.
func TestConnectorThatOnlyCharges(t *testing.T) {
	for _, test := range []struct {
		does, auth, response, status string
		told                         []string
	}{
		{"capture", "yes", "200 FAIL pending", "pending", []string{"sale success pending", "capture fail pending"}},
		{"void", "yes", "200 FAIL pending", "pending", []string{"sale success pending", "void fail pending"}},
		{"void", "no", "200 FAIL settled", "settled", []string{"sale success settled", "void fail settled"}},
		{"refund 4.00", "no", "200 accepted", "settled", []string{"sale success settled", "refund fail settled"}},
	} {
		t.Run(test.does+" auth "+test.auth, func(t *testing.T) {
			w := open(t, operations)
			bank := &provider{}
			w.goesLive(chargesOnly{bank})
			payer := w.shop.visits("pen-1", with("auth", test.auth))
			payer.pays("01/38")
			if got := w.shop.does(test.does, payer.paymentID()); got != test.response {
				t.Errorf("%s: %s, want %s", test.does, got, test.response)
			}
			w.pass(time.Hour)
			payer.is(test.status)
			w.shop.told(test.told...)
			w.shop.reasons("", "The payment provider can't do this.")
			if len(bank.followUps) > 0 {
				t.Errorf("asked for %v", bank.followUps)
			}
		})
	}
}

// Of a connector that says what it can't do, nothing of that is offered: MIDs are left out, and explain says why; captures,
// voids and refunds are refused before anything is sent.
func TestConnectorThatDeclaresLess(t *testing.T) {
	w := open(t, operations)
	bank := &provider{}
	w.goesLive(bank)
	w.declares(realBank, merchant.Declaration{Operations: []method.Operation{"purchase"}})
	for _, test := range []struct {
		field  string
		value  any
		reason string
	}{
		{"auth", "Y", "connector_auth"}, {"req_token", true, "connector_saved_card"}, {"recurring_init", true, "connector_recurring"},
		{"operation", "debit", "connector_operation"},
	} {
		order := w.shop.sign(w.shop.order("pen-1", with(test.field, test.value)))
		code, text := w.call("POST", "/api/v1/session/explain", order)
		if response := string(text); code != 200 || !strings.Contains(response, `"takes":false`) || !strings.Contains(response, `"reasons":[{"code":"`+test.reason+`"`) {
			t.Errorf("%s: %d %s", test.field, code, response)
		}
		if code, text := w.call("POST", "/api/v1/session", order); code != 400 {
			t.Errorf("%s: %d %s", test.field, code, text)
		}
	}
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	for _, does := range []string{"capture 1.00", "void", "refund 1.00", "refund"} {
		if got := w.shop.does(does, payer.paymentID()); !strings.HasPrefix(got, "400 ") || !strings.Contains(got, "not allowed.") {
			t.Errorf("%s: %s", does, got)
		}
	}
	w.pass(time.Hour)
	payer.is("settled")
	w.shop.told("sale success settled")
	if len(bank.followUps) > 0 {
		t.Errorf("the bank received %v", bank.followUps)
	}
}

// A chain whose connector can't charge without the payer any more is not charged, by the merchant or by its schedule.
func TestChainOfAConnectorThatNoLongerCan(t *testing.T) {
	w := open(t, monthly(nil))
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1", with("recurring_init", true), with("schedule_id", "monthly"))
	payer.pays("01/38")
	token := w.shop.last("sale").fields.Get("recurring_token")
	can := w.app.Service.Declarations[realBank]
	can.Recurring = false
	w.declares(realBank, can)
	if got := w.shop.asks("recurring", w.shop.recurringBody(payer.paymentID(), token, "pen-2", "1.00")); !strings.HasPrefix(got, "400 ") {
		t.Errorf("charged: %s", got)
	}
	w.pass(40 * 24 * time.Hour)
	if len(bank.charges) != 1 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}

// What became of a charge without an answer can't be learnt from a provider that can't be asked: the payment waits, is
// never sent again, and ends with the provider's notice.
func TestConnectorWithoutLookUp(t *testing.T) {
	w := open(t)
	bank := &provider{charge: noResponse}
	w.goesLive(withoutLookUps(bank))
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(30 * time.Hour)
	payer.is("prepare")
	payer.sees("wait: processing")
	w.shop.told("sale undefined prepare")
	w.reported(realBank, checkout.Notice{PaymentID: payer.paymentID(), SessionID: payer.session, Result: approved})
	w.work()
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	w.shop.told("sale undefined prepare", "sale success settled")
	if len(bank.charges) != 1 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}

// The function dies when it has stored that it asks, and the provider can't be looked up or is gone then. The charge is
// not sent again, and the merchant is told, once, that its outcome is not known.
func TestDeadDuringAProviderRequestWithoutLookUp(t *testing.T) {
	for name, disappears := range disappearances {
		t.Run(name+" gone", func(t *testing.T) { deadWhileSending(t, disappears) })
	}
	t.Run("no look-up", func(t *testing.T) { deadWhileSending(t, nil) })
}

func deadWhileSending(t *testing.T, disappears func(*world) (back func())) {
	w := open(t)
	bank := &provider{}
	w.goesLive(withoutLookUps(bank))
	payer := w.shop.visits("pen-1")
	w.losesJobs(true)
	payer.send(payer.attempt("01/38"))
	w.store.next("after")
	_ = payer.runs()
	w.store.next()
	w.losesJobs(false)
	if disappears != nil {
		disappears(w)
		w.skip(time.Minute)
	}
	w.pass(3 * time.Hour)
	payer.is("prepare")
	w.shop.told("sale undefined prepare")
	if len(bank.charges) != 0 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}

// A card that is gone before anything was sent is declined at once where nobody can be asked whether it was charged.
func TestCardGoneWithoutLookUp(t *testing.T) {
	w := open(t)
	bank := &provider{}
	w.goesLive(withoutLookUps(bank))
	payer := w.shop.visits("pen-1")
	w.losesJobs(true)
	payer.send(payer.attempt("01/38"))
	w.losesJobs(false)
	w.skip(15 * time.Minute)
	w.pass(time.Minute)
	payer.is("decline (The payment could not be carried out in time.)")
	w.shop.told("sale fail decline")
	if len(bank.charges) != 0 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}
