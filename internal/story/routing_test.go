package story

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/merchant"
)

// mids gives the shop one MID for each setting of the sandbox, tried in this order.
func mids(settings ...string) func(*merchant.Merchant) {
	return func(m *merchant.Merchant) {
		operations(m)
		first := m.Mappings[0].MIDs[0]
		m.Mappings[0].MIDs = nil
		for i, setting := range settings {
			mid := first
			mid.Name, mid.Credentials = fmt.Sprintf("mid-%d", i+1), map[string]string{"sandbox": setting}
			m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, mid)
		}
	}
}

// After a definite, soft decline the next MID is asked, each once; after
// anything else none is. The shop is told of the end alone.
func TestCascade(t *testing.T) {
	const soft, hard, silent = "declines softly", "declines", "never answers"
	for _, test := range []struct {
		name, card string
		mids       []string
		status     string
		asked      []string // MIDs, by the sandbox's books
		told       []string
	}{
		{"first one takes it", "01/38", []string{"", ""}, "settled", []string{"approved"}, []string{"sale success settled"}},
		{"second one takes it", "01/38", []string{soft, ""}, "settled", []string{"declined", "approved"}, []string{"sale success settled"}},
		{"third one takes it", "01/38", []string{soft, soft, ""}, "settled", []string{"declined", "declined", "approved"}, []string{"sale success settled"}},
		{"none takes it", "01/38", []string{soft, soft}, "decline (The provider has a problem, try again later.)", []string{"declined", "declined"}, []string{"sale fail decline"}},
		{"hard decline", "01/38", []string{hard, ""}, "decline (Declined by processing.)", []string{"declined"}, []string{"sale fail decline"}},
		{"no answer", "01/38", []string{silent, ""}, "settled", []string{"approved"}, []string{"sale undefined prepare", "sale success settled"}},
		{"soft, then no answer", "01/38", []string{soft, silent, ""}, "settled", []string{"declined", "approved"}, []string{"sale undefined prepare", "sale success settled"}},
		{"soft, then 3-D Secure", "05/38", []string{soft, ""}, "settled", []string{"declined", "approved"}, []string{"3ds success 3ds", "sale success settled"}},
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
			for _, end := range test.asked {
				want = append(want, "1 x 10.00 USD "+end)
			}
			w.booked(want...)
			w.shop.told(test.told...)
			if p := payer.payment(); p.MID != fmt.Sprintf("mid-%d", len(test.asked)) {
				t.Errorf("the payment is %s's", p.MID)
			}
		})
	}
}

// The function dies after it turned to the next MID: without the security code,
// which is in nobody's memory any more, nobody is asked for the money again.
func TestDeadInCascade(t *testing.T) {
	w := open(t, mids("declines softly", ""))
	payer := w.shop.visits("pen-1")
	w.queue.lose = func(string) (bool, bool) { return false, true }
	payer.send(payer.attempt("01/38"))
	w.store.next("ok", "ok", "after") // asking, the first MID's books, and asking the second one
	_ = payer.runs()
	w.store.next()
	w.queue.lose = nil
	w.pass(10 * time.Minute)
	w.booked("1 x 10.00 USD declined")
	payer.is("decline (The payment was not carried out.)")
	payer.sees("form: declined (The payment was not carried out.)")
}

// Weights share first tries among MIDs.
func TestWeights(t *testing.T) {
	w := open(t, mids("", "", ""), func(m *merchant.Merchant) {
		m.Mappings[0].MIDs[1].Weight, m.Mappings[0].MIDs[2].Weight = 3, 1
	})
	taken := map[string]int{}
	for i := range 80 {
		payer := w.shop.visits(fmt.Sprintf("pen-%d", i))
		payer.pays("01/38")
		taken[payer.payment().MID]++
	}
	if taken["mid-1"] != 0 || taken["mid-2"] < 40 || taken["mid-3"] < 5 {
		t.Errorf("taken %v", taken)
	}
}

// Pay attempts of one session are limited, against the trying out of cards.
func TestPayAttemptsAreLimited(t *testing.T) {
	w := open(t, func(m *merchant.Merchant) { m.Mappings[0].MaxDeclines, m.Mappings[0].PayLimit = 100, 3 })
	payer := w.shop.visits("pen-1")
	for range 3 {
		payer.pays("02/38")
	}
	click := payer.attempt("02/38")
	code, body := w.call("POST", "/page/v1/"+payer.session+"/pay", click)
	if code != 429 {
		t.Errorf("a fourth attempt: %d %s", code, body)
	}
	w.skip(time.Minute)
	payer.send(click)
	w.work()
	if got := len(w.books()); got != 4 {
		t.Errorf("%d charges", got)
	}
}

// Explain tells what a session would show, and stores nothing.
func TestExplain(t *testing.T) {
	w := open(t, mids("", ""), func(m *merchant.Merchant) { m.Mappings[0].MIDs[1].Currencies = []string{"EUR"} })
	before := len(w.app.Store.Dump())
	body := w.shop.sign(w.shop.order("pen-1"))
	code, answer := w.ask("/api/v1/session/explain", body)
	methods, _ := answer["methods"].([]any)
	if code != 200 || len(methods) != 1 || methods[0].(map[string]any)["id"] != "card" {
		t.Fatalf("%d %v", code, answer)
	}
	var judged []string
	for _, mid := range answer["mids"].([]any) {
		m := mid.(map[string]any)
		text := fmt.Sprint(m["mid"], " ", m["takes"])
		if reasons, _ := m["reasons"].([]any); len(reasons) > 0 {
			text += " " + fmt.Sprint(reasons[0].(map[string]any)["code"])
		}
		judged = append(judged, text)
	}
	if !slices.Equal(judged, []string{"mid-1 true", "mid-2 false currency"}) {
		t.Errorf("MIDs %q", judged)
	}
	if after := len(w.app.Store.Dump()); after != before {
		t.Errorf("%d documents were stored", after-before)
	}
	w.shop.visits("pen-1") // is no duplicate of what was only explained
	bad := w.shop.order("pen-2", with("success_url", nil))
	if code, answer := w.ask("/api/v1/session/explain", w.shop.sign(bad)); inWords(code, answer) != "400 100000 success_url: This value should not be blank." {
		t.Errorf("%d %v", code, answer)
	}
}
