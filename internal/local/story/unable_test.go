package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/store"
)

// A chain is charged neither by the merchant nor by its schedule if its connector has no recurring payments any more.
func TestChainOfAConnectorWithoutRecurring(t *testing.T) {
	w := open(t, monthly(nil))
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1", with("recurring_init", true), with("schedule_id", "monthly"))
	payer.pays("01/38")
	token := w.shop.last("sale").Fields.Get("recurring_token")
	can := w.app.Core.Declarations[realBank]
	can.Recurring = false
	w.declares(realBank, can)
	body := w.shop.RecurringBody(payer.paymentID(), token, "pen-2", "1.00")
	if got := w.shop.asks("recurring", body); !strings.HasPrefix(got, "400 ") {
		t.Errorf("charged: %s", got)
	}
	w.pass(40 * 24 * time.Hour)
	if len(bank.charges) != 1 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}

// A charge has no response, and its provider has no status queries: the payment waits, is never sent again, and ends
// with the provider's notice.
func TestConnectorWithoutLookUp(t *testing.T) {
	w := open(t)
	bank := &provider{charge: noResponse}
	w.goesLive(withoutLookUps(bank))
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(30 * time.Hour)
	payer.is("prepare")
	payer.sees("wait: checking_outcome")
	w.shop.told("sale undefined prepare")
	w.reported(realBank, connector.Notice{
		PaymentID: payer.paymentID(), SessionID: store.PublicID(payer.Session), Result: approved,
	})
	w.work()
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	w.shop.told("sale undefined prepare", "sale success settled")
	if len(bank.charges) != 1 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}

// The function dies after it stored that it sends the request, and the provider has no status queries or is gone. The
// charge is not sent again, and the merchant is told once that the outcome is unknown.
func TestDeadDuringAProviderRequestWithoutLookUp(t *testing.T) {
	t.Run("gone", func(t *testing.T) { deadWhileSending(t, disappearances["connector"]) })
	t.Run("no look-up", func(t *testing.T) { deadWhileSending(t, nil) })
}

func deadWhileSending(t *testing.T, disappears func(*World) (back func())) {
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

// A connector declares captures, voids and refunds, but has no methods for them: these jobs fail with a reason, and the
// payment doesn't change.
func TestConnectorThatOnlyCharges(t *testing.T) {
	w := open(t, operations)
	bank := &provider{}
	w.goesLive(chargeOnly{bank})
	payer := w.shop.visits("pen-1", with("auth", true))
	payer.pays("01/38")
	for _, does := range []string{"capture", "void"} {
		if got := w.shop.does(does, payer.paymentID()); got != "200 FAIL pending" {
			t.Errorf("%s: %s", does, got)
		}
	}
	w.pass(time.Hour)
	payer.is("pending")
	w.shop.told("sale success pending", "capture fail pending", "void fail pending")
	w.shop.reasons("", "The payment provider can't do this.", "The payment provider can't do this.")
	if len(bank.followUps) > 0 {
		t.Errorf("the bank got %v", bank.followUps)
	}
}
