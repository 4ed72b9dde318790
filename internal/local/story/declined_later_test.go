package story

import (
	"testing"
	"time"

	"checkout/internal/checkout/payment"
)

// The provider declines what a person has approved: that stays until a person accepts it, or closes the case.
func TestDeclinedAfterAPersonApproved(t *testing.T) {
	for _, test := range []struct {
		does, approved string
		verdict        payment.Verdict
		back, told     string // told is "" if the shop is told nothing
	}{
		{"", "settled", payment.VerdictAccept, "reversal", "reversal success reversal"},
		{"refund", "refund", payment.VerdictAccept, "settled", "refund fail settled"},
		{"capture 4.00", "settled", payment.VerdictAccept, "reversal", "reversal success reversal"},
		{"void", "void", payment.VerdictAccept, "pending", "void fail pending"},
		{"", "settled", payment.VerdictClose, "settled", ""},
	} {
		t.Run(test.does+" "+string(test.verdict), func(t *testing.T) {
			w := open(t, operations)
			bank := silent()
			w.goesLive(bank)
			if test.does != "" {
				bank.charge = nil
			}
			payer := w.shop.visits("pen-1", with("auth", test.does == "void" || test.does == "capture 4.00"))
			payer.pays("01/38")
			id := payer.paymentID()
			if test.does != "" {
				w.shop.does(test.does, id)
			}
			w.waitsForPerson()
			w.settles(id, true)
			w.pass(2 * time.Minute)
			payer.is(test.approved)
			told := len(w.shop.Taken())
			for range 2 {
				w.reported(realBank, payer.latest(declined))
			}
			w.work()
			payer.is(test.approved)
			w.declinedAfterApproved(2)
			if got := w.waiting(); len(got) != 1 || len(w.shop.Taken()) != told {
				t.Fatalf("waiting: %q, told %d times", got, len(w.shop.Taken())-told)
			}
			w.decides(id, test.verdict)
			if got := w.waiting(); len(got) != 0 {
				t.Errorf("still waiting: %q", got)
			}
			payer.is(test.back)
			var events string
			for _, event := range w.shop.Taken()[told:] {
				events += event.Event()
			}
			if events != test.told {
				t.Errorf("told %q", events)
			}
			w.shopKnowsAll(t)
		})
	}
}
