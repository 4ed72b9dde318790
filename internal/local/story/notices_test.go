package story

import (
	"testing"
	"time"

	"checkout/internal/connector"
)

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
