package story

import (
	"net/http"
	"testing"
	"time"

	"checkout/internal/connector"
)

// A notice without a reference doesn't end a refund that is under way. One with its reference does, once.
func TestNoticeDuringARefund(t *testing.T) {
	w := open(t, operations)
	bank := &provider{followUp: onFollowUp(undecided)}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.shop.refunds(payer.paymentID(), "4.00")
	w.work()
	told := []string{"sale success settled", "refund waiting settled"}
	for _, result := range []connector.Result{approved, declined} {
		w.reported(realBank, payer.about("", result))
	}
	if code := w.reports(realBank, payer.about("a-reference-of-nobody", approved)); code != http.StatusNotFound {
		t.Errorf("about a request of nobody: %d", code)
	}
	w.work()
	payer.is("settled")
	w.shop.told(told...)
	for range 2 {
		w.reported(realBank, payer.about(bank.followUps[0].Reference, approved))
		w.work()
	}
	w.shop.told(append(told, "refund success settled")...)
	w.pass(time.Hour)
	if len(bank.followUps) != 1 {
		t.Errorf("%d requests", len(bank.followUps))
	}
}

// A notice changes the payment while its first MID declines it softly: no other MID is tried.
func TestConflictInACascade(t *testing.T) {
	for _, test := range []struct {
		name   string
		notice connector.Result
		status string
		told   []string
	}{
		{"approved", approved, "settled", []string{"sale success settled"}},
		{"redirected to 3-D Secure", redirected, "decline (Later.)", []string{"3ds success 3ds", "sale fail decline"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, mids("", ""))
			bank := &provider{}
			bank.charge = func(c connector.Charge) (connector.Result, error) {
				w.reported(realBank, connector.Notice{
					PaymentID: c.PaymentID, SessionID: c.SessionID, Result: test.notice,
				})
				return soft, nil
			}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.pass(10 * time.Minute)
			payer.is(test.status)
			w.shop.told(test.told...)
			w.sealedAre(0)
			if p := payer.payment(); len(bank.charges) != 1 || p.MID != "mid-1" || len(p.Transactions) != 1 {
				t.Errorf("charged %d times; the payment is %s's with %+v", len(bank.charges), p.MID, p.Transactions)
			}
		})
	}
}

// The move to the next MID can't be stored: the payment gets the first MID's decline, and no other MID is tried.
func TestCascadeThatIsNotStored(t *testing.T) {
	w := open(t, mids("", ""))
	bank := &provider{}
	bank.charge = func(connector.Charge) (connector.Result, error) {
		w.store.next("before")
		return soft, nil
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(10 * time.Minute)
	payer.is("decline (Later.)")
	payer.sees("form: declined (Later.)")
	w.shop.told("sale fail decline")
	w.sealedAre(0)
	if len(bank.charges) != 1 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}
