package story

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/settings"
)

// The preset of an ERP module withholds a decline until the session ends, because the payer may try again (story B of
// shops_test.go).

// A decline that waits for the session's end is repeated like any other callback after that.
func TestWithheldDeclineIsRepeated(t *testing.T) {
	w := open(t, kind("erp module"))
	payer := w.shop.visits("pen-1")
	payer.pays("02/38")
	w.shop.told()
	w.shop.responds(500)
	payer.closes()
	w.pass(3 * time.Minute)
	w.shop.responds(200)
	w.pass(30 * time.Minute)
	if got := w.shop.reads(pythonUpper, map[string]string{"fail": "cancelled"}); got != "cancelled" {
		t.Errorf("the order becomes %q", got)
	}
}

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

// Money arrives while a decline waits for the session's end: both are told at once, the decline first.
func TestPaidLateAfterAWithheldDecline(t *testing.T) {
	w := open(t, coins, kind("erp module"))
	payer := w.shop.opensCrypto("0.001", 60)
	w.pass(25 * time.Minute) // the address has expired, the session has not
	if got := w.shop.reads(pythonUpper, map[string]string{"success": "init", "fail": "cancelled"}); got != "init" {
		t.Errorf("the order becomes %q while the payer may try again", got)
	}
	payer.sends(payer.paymentID(), "pay_late")
	w.pass(time.Minute)
	got := w.shop.reads(pythonUpper, map[string]string{"success": "init", "fail": "cancelled"})
	if got != "init, cancelled, cancelled" {
		t.Errorf("the order becomes %q", got)
	}
}

// Without a notification_url, too, a decline is parked only if it is the last outcome.
func TestWithheldDeclineWithoutAnAddress(t *testing.T) {
	w := open(t, kind("erp module"), func(m *settings.Merchant) { m.TestNotificationURL = "" })
	payer := w.shop.visits("pen-1")
	payer.pays("02/38")
	payer.pays("01/38")
	w.pass(2 * time.Hour)
	if got := w.parked(callback.Query{}); !slices.Equal(got, []string{"sale success settled, 0 tries"}) {
		t.Errorf("parked: %q", got)
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
