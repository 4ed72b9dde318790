package story

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/page/form"
)

// What each faulty card of the sandbox leads to: one charge, and one callback with the outcome, whatever goes wrong
// with the provider's response.
func TestFaultsOfTheProvider(t *testing.T) {
	const approved, declined = "1 x 10.00 USD approved", "1 x 10.00 USD declined"
	const no = "decline (Declined by processing.)"
	tests := []struct {
		card, fault   string
		atOnce        string        // the status after the first provider request
		knownAfter    time.Duration // until the outcome is known
		status, event string
		ledger        string
	}{
		{"01/39", "no response", "prepare", 2 * time.Second, "settled", "sale success settled", approved},
		{"02/39", "late response", "prepare", time.Minute, "settled", "sale success settled", approved},
		{"03/39", "two notices", "settled", 0, "settled", "sale success settled", approved},
		{"04/39", "broken response", "prepare", 2 * time.Second, "settled", "sale success settled", approved},
		{"05/39", "soft decline", "decline (Insufficient funds, try again later.)", 0,
			"decline (Insufficient funds, try again later.)", "sale fail decline", declined},
		{"06/39", "lost request", "prepare", time.Minute, "settled", "sale success settled", approved},
		{"07/39", "no response, declined", "prepare", 2 * time.Second, no, "sale fail decline", declined},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1")
			payer.pays(test.card)
			payer.stands(strings.Fields(test.atOnce)[0])
			if test.knownAfter > 0 {
				payer.sees("wait: processing")
				w.shop.told("sale undefined prepare")
			}
			w.pass(test.knownAfter)
			payer.is(test.status)
			w.pass(48 * time.Hour)
			payer.is(test.status)
			w.ledgerIs(test.ledger)
			events := []string{test.event}
			if test.knownAfter > 0 {
				events = []string{"sale undefined prepare", test.event}
			}
			w.shop.told(events...)
			if got := len(w.shop.Received()); got != len(events) {
				t.Errorf("the shop got %d requests", got)
			}
		})
	}
}

// The same message again, one after the other and all at once.
func TestJobDeliveredManyTimes(t *testing.T) {
	for _, card := range []string{"01/38", "02/38", "01/39", "03/39", "05/38", "06/39"} {
		w := open(t)
		payer := w.shop.visits("pen-1")
		payer.send(payer.attempt(card))
		id := payer.paymentID()
		message := payment.JobMessage{PaymentID: id, SessionID: payer.Session}
		w.atOnce(12, func(int) {
			if err := w.app.Runner.RunJob(context.Background(), message); err != nil {
				t.Errorf("%s: %v", card, err)
			}
		})
		for range 3 {
			if err := w.app.Runner.RunJob(context.Background(), payment.JobMessage{PaymentID: id}); err != nil {
				t.Errorf("%s: %v", card, err)
			}
		}
		w.pass(2 * time.Hour)
		if len(w.ledger()) != 1 || !strings.HasPrefix(w.ledger()[id], "1 x ") {
			t.Errorf("%s: ledger %v", card, w.ledger())
		}
		events := map[string]int{}
		for _, r := range w.shop.Taken() {
			events[r.Fields.Get("type")+" "+r.Fields.Get("status")]++
		}
		if events["sale success"]+events["sale fail"] != 1 || events["sale undefined"] > 1 {
			t.Errorf("%s: the shop was told %v", card, events)
		}
	}
}

// A job's function dies after it stored that it sends a request: before it was sent, or after it took effect. The sweep
// finds the job, and a look-up comes first.
func TestDeadDuringAProviderRequest(t *testing.T) {
	tests := []struct {
		name string
		// The job's saves: that it sends a request, the sandbox's ledger, the outcome.
		faults []string
		ledger int  // number of charges when the function has died
		told   bool // the shop is told that the outcome is unknown
	}{
		{"request not stored", []string{"before"}, 0, false},
		{"request stored, but the store's response lost", []string{"after"}, 0, false},
		{"request lost", []string{"ok", "before"}, 0, true},
		{"charged, response lost", []string{"ok", "after"}, 1, true},
		{"charged, outcome not stored", []string{"ok", "ok", "before"}, 1, false},
		{"charged, outcome stored, but the store's response lost", []string{"ok", "ok", "after"}, 1, false},
		{"charged, response lost, that it is unknown not stored", []string{"ok", "after", "before"}, 1, false},
	}
	for _, test := range tests {
		dies := func(t *testing.T, attempt func(*Visit) form.Request) {
			w := open(t, takingWallets)
			payer := w.shop.visits("pen-1")
			w.queue.lose = loseAll // every message is lost, too
			payer.send(attempt(payer))
			w.store.next(test.faults...)
			_ = payer.runs() // the message is gone, with or without an error
			w.store.next()
			w.queue.lose = nil
			if got := len(w.ledger()); got != test.ledger {
				t.Errorf("charged %d times, want %d", got, test.ledger)
			}
			w.sweep()
			w.sweep()
			w.pass(10 * time.Minute)
			payer.is("settled")
			payer.sees("go https://shop.example/paid")
			w.ledgerIs("1 x 10.00 USD approved")
			events := []string{"sale success settled"}
			if test.told {
				events = []string{"sale undefined prepare", "sale success settled"}
			}
			w.shop.told(events...)
		}
		t.Run(test.name, func(t *testing.T) {
			dies(t, func(v *Visit) form.Request { return v.attempt("01/38") })
		})
		if test.name != "charged, response lost" {
			continue
		}
		for _, kind := range walletKinds {
			t.Run(test.name+", "+string(kind), func(t *testing.T) {
				dies(t, func(v *Visit) form.Request { return v.hands(kind, v.w.Token(kind, v.Content("01/38"), "")) })
			})
		}
	}
}

// Messages can't be sent, or get lost, until the sweep sends them again.
func TestQueuesFail(t *testing.T) {
	for name, lose := range map[string]func(string) (bool, bool){
		"unreachable": failAll,
		"lost":        loseAll,
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1")
			w.queue.lose = lose
			payer.pays("01/38")
			payer.sees("wait: processing")
			payer.is("prepare")
			w.skip(46 * time.Second)
			w.queue.lose = func(kind string) (bool, bool) { return kind == "callback", false }
			w.sweep()
			w.work()
			payer.is("settled")
			payer.sees("go https://shop.example/paid")
			w.shop.told()
			w.queue.lose = nil
			w.skip(61 * time.Second)
			w.sweep()
			w.sweep()
			w.work()
			w.shop.told("sale success settled")
			w.ledgerIs("1 x 10.00 USD approved")
		})
	}
}

// The sweep alone finishes everything when all messages get lost.
func TestSweepAloneFinishesEverything(t *testing.T) {
	w := open(t)
	w.queue.lose = loseAll
	cards := []string{"01/38", "02/38", "01/39", "04/39", "06/39"}
	for _, card := range cards {
		w.shop.visits("pen-" + card).pays(card)
	}
	for range 30 {
		w.skip(time.Minute)
		sweepNow(t, w)
	}
	for _, card := range cards {
		want := "settled"
		if card == "02/38" {
			want = "decline (Declined by processing.)"
		}
		if _, response := w.shop.status("order_id", "pen-"+card); response["status"] != strings.Fields(want)[0] {
			t.Errorf("%s: %v", card, response)
		}
	}
	decided := 0
	for _, r := range w.shop.Taken() {
		if r.Fields.Get("status") != "undefined" {
			decided++
		}
	}
	if decided != len(cards) {
		t.Errorf("%d callbacks of outcomes, want %d", decided, len(cards))
	}
}

// sweepNow sweeps with a queue that loses nothing meanwhile, and lets the workers work.
func sweepNow(t *testing.T, w *World) {
	t.Helper()
	lossy := w.queue.lose
	w.queue.lose = nil
	w.sweep()
	w.queue.lose = lossy
	w.work()
}

// A notice arrives before the provider's response: the first one counts.
func TestNoticeBeforeTheResponse(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/39"))
	id := payer.paymentID()
	w.bank.hold = make(chan struct{})
	returned := make(chan error)
	go func() { returned <- payer.runs() }()
	until(t, "the sandbox is charged", func() bool { return len(w.ledger()) == 1 })
	if err := payer.runs(); err != nil { // a repeat of the message
		t.Error(err)
	}
	if got := w.bank.lookups; got != 0 {
		t.Errorf("looked up %d times while the response was on its way", got)
	}
	w.notice(id)
	payer.is("settled")
	close(w.bank.hold)
	if err := <-returned; err != nil {
		t.Error(err)
	}
	w.pass(time.Hour)
	payer.is("settled")
	w.shop.told("sale success settled")
	w.ledgerIs("1 x 10.00 USD approved")
}

// notice sends a notice of the sandbox about a payment.
func (w *World) notice(reference string) {
	w.t.Helper()
	code, body := w.call("POST", "/api/v1/notify/sandbox", map[string]string{"reference": reference})
	if code != http.StatusOK {
		w.t.Errorf("notice: %d %s", code, body)
	}
}

// The payer's decision, notices, messages and the page at the same moment.
func TestEverythingAtOnce(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.pays("05/38")
	bank, id := payer.bankPage(), payer.paymentID()
	w.atOnce(12, func(i int) {
		switch i % 4 {
		case 0:
			payer.pressesAt(bank, "confirm")
		case 1:
			w.notice(id)
		case 2:
			_ = payer.runs()
		case 3:
			payer.screen()
		}
	})
	w.pass(2 * time.Hour)
	payer.is("settled")
	w.shop.told("3ds success 3ds", "sale success settled")
	w.ledgerIs("1 x 10.00 USD approved")
	if got := slices.Collect(eventIDs(w)); !slices.Equal(got, []string{"msg_" + id + "_1", "msg_" + id + "_2"}) {
		t.Errorf("webhook-ids %v", got)
	}
}
