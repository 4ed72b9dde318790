package story

import (
	"testing"
	"time"

	"checkout/internal/checkout/payment"
)

// The provider declines what a person has approved: that stays until a person accepts it, or closes the case.
func TestDeclinedAfterAPersonApproved(t *testing.T) {
	for _, test := range []struct {
		name, auth, does, approved, back string
		told                             string // of the acceptance
	}{
		{"charge", "no", "", "settled", "reversal", "reversal success reversal"},
		{"authorisation", "yes", "", "pending",
			"decline (It succeeded first and failed later. Seen at the bank. (decided by Ann))", "sale fail decline"},
		{"capture", "yes", "capture 4.00", "settled", "reversal", "reversal success reversal"},
		{"refund", "no", "refund 4.00", "settled", "settled", "refund fail settled"},
		{"full refund", "no", "refund", "refund", "settled", "refund fail settled"},
		{"void", "yes", "void", "void", "pending", "void fail pending"},
	} {
		for _, verdict := range []payment.Verdict{payment.VerdictAccept, payment.VerdictClose} {
			t.Run(test.name+" "+string(verdict), func(t *testing.T) {
				w := open(t, operations)
				bank := silent()
				w.goesLive(bank)
				if test.does != "" {
					bank.charge = nil
				}
				payer := w.shop.visits("pen-1", with("auth", test.auth))
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
				if got := w.waiting(); len(got) != 1 || len(w.shop.Taken()) != told {
					t.Fatalf("waiting: %q, told %d times", got, len(w.shop.Taken())-told)
				}
				w.decides(id, verdict)
				if got := w.waiting(); len(got) != 0 {
					t.Errorf("still waiting: %q", got)
				}
				if verdict == payment.VerdictClose {
					payer.is(test.approved)
					if len(w.shop.Taken()) != told {
						t.Error("the shop was told")
					}
					return
				}
				payer.is(test.back)
				events := w.shop.Taken()
				if len(events) != told+1 || events[told].Event() != test.told {
					t.Errorf("told %v", events[told:])
				}
				w.CheckOrders()
				w.shopKnowsAll(t)
			})
		}
	}
}
