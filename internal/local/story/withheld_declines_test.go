package story

import (
	"net/http"
	"testing"
	"time"

	"checkout/internal/callback"
)

// The preset of an ERP module withholds a decline until the session ends, because the payer may try again (story B of
// shops_test.go).

// A message for a decline that waits for the session's end comes too early and changes nothing. If no worker runs until
// the session has expired, the decline is sent nevertheless.
func TestWithheldDeclineEarlyAndLate(t *testing.T) {
	w := open(t, kind("erp module"))
	payer := w.shop.visits("pen-1")
	payer.pays("02/38")
	early := callback.Message{PaymentID: payer.paymentID(), Seq: 1}
	if err := w.app.Callbacks.SendCallback(t.Context(), early); err != nil {
		t.Error(err)
	}
	w.shop.told()
	payer.sees("form: declined (Declined by processing.)")
	w.skip(9 * day)
	if code, _ := w.call("GET", payer.Path(""), nil); code != http.StatusNotFound {
		t.Errorf("the session: %d", code)
	}
	w.pass(2 * time.Minute)
	if got := w.shop.reads(pythonUpper, map[string]string{"fail": "cancelled"}); got != "cancelled" {
		t.Errorf("the order becomes %q", got)
	}
}

// A decline that reports money is told even if the payer paid again, but not before the session's end.
func TestWithheldDeclineReportsMoney(t *testing.T) {
	w := open(t, coins, kind("erp module"))
	payer := w.shop.opensCrypto("0.001", 60)
	payer.sends(payer.paymentID(), "pay_half")
	w.pass(25 * time.Minute)
	payer.send(payer.Fill(payer.cardForm(), paymentCard(t, "01/38")))
	w.work()
	w.shop.told("init success pending", "sale waiting pending", "sale success settled")
	w.pass(time.Hour)
	w.shop.told("init success pending", "sale waiting pending", "sale success settled", "sale fail decline")
	w.shop.reasons("", half, "", halfLate)
}
