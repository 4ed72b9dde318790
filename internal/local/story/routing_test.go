package story

import (
	"fmt"
	"testing"
	"time"

	"checkout/internal/settings"
)

// mids gives the shop one MID for each setting of the sandbox, tried in this order.
func mids(texts ...string) func(*settings.Merchant) {
	return func(m *settings.Merchant) {
		operations(m)
		first := m.Mappings[0].MIDs[0]
		m.Mappings[0].MIDs = nil
		for i, setting := range texts {
			mid := first
			mid.Name, mid.Credentials = fmt.Sprintf("mid-%d", i+1), map[string]string{"sandbox": setting}
			m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, mid)
		}
	}
}

// After a definite soft decline the next MID is tried, each once. After any other result none is. The shop is told of
// the last outcome only.
func TestCascade(t *testing.T) {
	const soft, hard, silent = "declines softly", "declines", "never answers"
	for _, test := range []struct {
		name, card string
		mids       []string
		status     string
		outcomes   []string // outcomes by MID, in the sandbox's ledger
		told       []string
	}{
		{
			"third one approves", "01/38", []string{soft, soft, ""},
			"settled", []string{"declined", "declined", "approved"}, []string{"sale success settled"},
		},
		{
			"none approves", "01/38", []string{soft, soft},
			"decline (The provider has a problem, try again later.)", []string{"declined", "declined"},
			[]string{"sale fail decline"},
		},
		{
			"hard decline", "01/38", []string{hard, ""},
			"decline (Declined by processing.)", []string{"declined"}, []string{"sale fail decline"},
		},
		{
			"no response", "01/38", []string{silent, ""},
			"settled", []string{"approved"}, []string{"sale undefined prepare", "sale success settled"},
		},
		{
			"soft, then no response", "01/38", []string{soft, silent, ""},
			"settled", []string{"declined", "approved"}, []string{"sale undefined prepare", "sale success settled"},
		},
		{
			"soft, then 3-D Secure", "05/38", []string{soft, ""},
			"settled", []string{"declined", "approved"}, []string{"3ds success 3ds", "sale success settled"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, mids(test.mids...))
			payer := w.shop.visits("pen-1")
			payer.pays(test.card)
			if payer.status() == "3ds" {
				payer.presses("confirm")
			}
			w.pass(10 * time.Minute)
			payer.is(test.status)
			var want []string
			for _, end := range test.outcomes {
				want = append(want, "1 x 10.00 USD "+end)
			}
			w.ledgerIs(want...)
			w.shop.told(test.told...)
			if p := payer.payment(); p.MID != fmt.Sprintf("mid-%d", len(test.outcomes)) {
				t.Errorf("the payment has the MID %s", p.MID)
			}
		})
	}
}

// The function dies after it stored the move to the next MID. That MID is not tried, because the security code was only
// in the function's memory.
func TestDeadInCascade(t *testing.T) {
	w := open(t, mids("declines softly", ""))
	payer := w.shop.visits("pen-1")
	w.queue.lose = loseAll
	payer.send(payer.attempt("01/38"))
	w.store.next("ok", "ok", "after") // the request, the sandbox's ledger, the move to the second MID
	_ = payer.runs()
	w.store.next()
	w.queue.lose = nil
	w.pass(10 * time.Minute)
	w.ledgerIs("1 x 10.00 USD declined")
	payer.is("decline (The payment was not carried out.)")
	payer.sees("form: declined (not_sent)")
}

// Each payment goes to the first MID that takes it: routing has a table of all that MIDs can refuse.
func TestWhichMIDCharges(t *testing.T) {
	w := open(t, mids("", ""), func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Limits = []settings.Limit{{Currency: "USD", Max: "50.00"}}
		m.Mappings[0].MIDs[1].Limits = []settings.Limit{{Currency: "USD", Max: "1000.00"}}
	})
	for amount, mid := range map[string]string{"50.00": "mid-1", "50.01": "mid-2"} {
		payer := w.shop.visits("pen-"+amount, ordered("amount", amount))
		payer.pays("01/38")
		if got := payer.payment().MID; got != mid {
			t.Errorf("%s is charged by %s", amount, got)
		}
	}
	body := w.shop.Sign(w.shop.Order("pen-3", ordered("amount", "1000.01")))
	if got := inWords(w.post("/api/v1/session", body)); got != "400 204002 Protocol mapping not found." {
		t.Errorf("more than any MID takes: %s", got)
	}
}

// The number of pay attempts of one session is limited, so that nobody can try out cards.
func TestPayAttemptsAreLimited(t *testing.T) {
	w := open(t, func(m *settings.Merchant) { m.Mappings[0].PayLimit = 1 })
	payer := w.shop.visits("pen-1")
	payer.pays("02/38")
	click := payer.attempt("01/38")
	if code, body := w.call("POST", payer.Path("pay"), click); code != 429 {
		t.Errorf("a second attempt: %d %s", code, body)
	}
	w.skip(time.Minute)
	payer.send(click)
	w.work()
	payer.is("settled")
}
