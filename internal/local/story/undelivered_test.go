package story

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/settings"
)

// outbox has the callbacks of all merchants, without the grants of people.
func (w *World) outbox() callback.Outbox {
	core := w.app.Core
	return callback.Outbox{
		Meter: core.Meter(), Store: core.Store, Queue: w.app.Queues, Accounts: core.Accounts(),
		Breakers: &callback.BreakerCache{},
	}
}

// parked lists the parked callbacks that a query selects: event and number of tries.
func (w *World) parked(query callback.Query) []string {
	w.t.Helper()
	return w.listed(callback.Parked, query)
}

// listed lists the callbacks of a state that a query selects: event and number of tries.
func (w *World) listed(state callback.State, query callback.Query) (list []string) {
	w.t.Helper()
	found, err := w.outbox().Undelivered(w.t.(*testing.T).Context(), query)
	if err != nil {
		w.t.Fatalf("list undelivered: %v", err)
	}
	for _, c := range found {
		if c.State == state {
			list = append(list, fmt.Sprint(c.Event, ", ", c.Tries, " tries"))
		}
	}
	return list
}

// sendsNow sends undelivered callbacks and compares their number.
func (w *World) sendsNow(query callback.Query, want int) {
	w.t.Helper()
	sent := 0
	for at := (callback.Position{}); !at.End; {
		n, next, err := w.outbox().SendSome(w.t.(*testing.T).Context(), query, at)
		if err != nil {
			w.t.Fatalf("send again: %v", err)
		}
		sent, at = sent+n, next
	}
	if sent != want {
		w.t.Errorf("%d sent again, want %d", sent, want)
	}
}

// Callbacks that were parked after their whole schedule are listed and sent again in their order. A later callback of
// the payment waits for them. They have a new schedule, the same webhook-id, and all earlier tries.
func TestParkedCallbacksAreSentAgain(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	payer := w.shop.visits("pen-1")
	payer.pays("05/38")
	w.pass(30 * time.Second)
	payer.presses("confirm")
	w.pass(5 * 24 * time.Hour) // the schedule of the second one starts when the first one is parked
	want := []string{"3ds success 3ds, 9 tries", "sale success settled, 9 tries"}
	if got := w.parked(callback.Query{}); !slices.Equal(got, want) {
		t.Fatalf("parked: %q, want %q", got, want)
	}
	if got := payer.status(); got != "settled" {
		t.Errorf("status %q", got)
	}
	w.shop.refunds(payer.paymentID(), "3.00")
	w.pass(30 * time.Second) // the refund's callback waits for its repeat
	before := len(w.shop.Received())
	w.sendsNow(callback.Query{Since: w.clock.Now()}, 0)
	want = []string{"refund success settled, 1 tries"}
	if got := w.listed(callback.Waiting, callback.Query{}); !slices.Equal(got, want) {
		t.Errorf("waiting: %q", got)
	}
	w.sendsNow(callback.Query{URL: w.shop.merchant.TestNotificationURL}, 3)
	w.sendsNow(callback.Query{URL: w.shop.merchant.TestNotificationURL}, 0) // they are due already
	w.pass(10 * time.Minute)
	tries := w.Callbacks()[0].Tries
	if len(tries) < 11 || tries[10].At.Sub(tries[9].At).Round(time.Minute) != time.Minute {
		t.Errorf("tries of the new schedule: %+v", tries[9:])
	}
	for _, r := range w.shop.Received()[before:] {
		if r.Fields.Get("type") != "3ds" {
			t.Errorf("a %s callback overtook the first one", r.Fields.Get("type"))
		}
	}
	w.shop.responds(200)
	w.pass(time.Hour)
	w.shop.told("3ds success 3ds", "sale success settled", "refund success settled")
	for i, c := range w.Callbacks() {
		if want := fmt.Sprintf("msg_%s_%d", payer.paymentID(), i+1); c.ID != want || c.State != callback.Delivered {
			t.Errorf("callback %d: %s %s", i+1, c.ID, c.State)
		}
	}
	if got := w.parked(callback.Query{}); len(got) != 0 {
		t.Errorf("still parked: %q", got)
	}
	if text := payer.history(payer.paymentID()); !strings.Contains(text, "Callback 1 is sent again by an operator.\n") {
		t.Errorf("history: %s", text)
	}
}

// An operator selects callbacks by address and time. Others stay parked.
func TestParkedCallbacksOfAnAddressAndSinceATime(t *testing.T) {
	w := open(t)
	other := w.newShop("-2")
	w.shop.responds(500)
	other.responds(404)
	w.shop.visits("pen-1").pays("01/38")
	w.skip(time.Hour)
	since := w.clock.Now()
	w.shop.visits("pen-2").pays("01/38")
	other.visits("pen-3").pays("01/38")
	w.pass(4 * 24 * time.Hour)
	w.shop.responds(200)
	other.responds(200)
	if got := w.parked(callback.Query{}); len(got) != 3 {
		t.Fatalf("parked: %q", got)
	}
	if got := w.parked(callback.Query{URL: other.merchant.TestNotificationURL, Since: since}); len(got) != 1 {
		t.Errorf("of the other shop since then: %q", got)
	}
	w.sendsNow(callback.Query{URL: w.shop.merchant.TestNotificationURL, Since: since}, 1)
	w.pass(2 * time.Minute)
	w.shop.told("sale success settled")
	if number := w.shop.Taken()[0].Fields.Get("order_number"); number != "pen-2" {
		t.Errorf("sent again: %s", number)
	}
	other.told()
	w.sendsNow(callback.Query{URL: "https://nobody.example/"}, 0)
	w.sendsNow(callback.Query{}, 2)
	w.pass(2 * time.Minute)
	w.shop.told("sale success settled", "sale success settled")
	other.told("sale success settled")
}

// One callback can be sent on its own, unless it is delivered or about to be tried.
func TestOneCallbackIsSentNow(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	again := func(id string, seq int) fault.Code {
		return fault.CodeOf(w.app.Actor.SendAgain(t.Context(), id, seq))
	}
	w.skip(50 * time.Second)
	if got := again(id, 1); got != fault.CodeNotAllowed {
		t.Errorf("one that is about to be tried: %v", got)
	}
	w.pass(3 * 24 * time.Hour)
	for _, unknown := range []struct {
		id  string
		seq int
	}{{id, 2}, {id, 0}, {id, -1}, {"x", 1}, {strings.Repeat("0", 36), 1}} {
		if got := again(unknown.id, unknown.seq); got != fault.CodeNotFound {
			t.Errorf("%v: %v", unknown, got)
		}
	}
	w.shop.responds(200)
	if err := w.app.Actor.SendAgain(t.Context(), id, 1); err != nil {
		t.Fatal(err)
	}
	w.work() // which no sweep has to start
	w.shop.told("sale success settled")
	if got := again(id, 1); got != fault.CodeNotAllowed {
		t.Errorf("one that was delivered: %v", got)
	}
}

// Callbacks that wait for a receiver that was down are listed and sent at once, those of a payment in their order: who
// has a later one sent has those before it sent, too.
func TestWaitingCallbacksAreSentNow(t *testing.T) {
	for name, send := range map[string]func(w *World, id string) error{
		"all": func(w *World, _ string) error {
			w.sendsNow(callback.Query{URL: w.shop.merchant.TestNotificationURL}, 2)
			return nil
		},
		"the second": func(w *World, id string) error {
			return w.app.Actor.SendAgain(w.t.(*testing.T).Context(), id, 2)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.shop.responds(500)
			payer := w.shop.visits("pen-1")
			payer.pays("05/38")
			payer.presses("confirm")
			w.pass(2 * time.Hour)
			want := []string{"3ds success 3ds, 5 tries", "sale success settled, 0 tries"}
			if got := w.listed(callback.Waiting, callback.Query{}); !slices.Equal(got, want) {
				t.Fatalf("waiting: %q, want %q", got, want)
			}
			found, err := w.outbox().Undelivered(t.Context(), callback.Query{})
			if err != nil || found[0].LastTry != "HTTP 500" || found[0].At.Sub(w.clock.Now()) < time.Hour {
				t.Errorf("listed %+v: %v", found, err)
			}
			w.shop.responds(200)
			if err := send(w, payer.paymentID()); err != nil {
				t.Fatal(err)
			}
			w.work() // which no sweep has to start
			w.shop.told("3ds success 3ds", "sale success settled")
			if got := w.listed(callback.Waiting, callback.Query{}); len(got) != 0 {
				t.Errorf("still waiting: %q", got)
			}
		})
	}
}

// The message of a callback that an operator has sent, and the one of its own repeat, never send it at the same time.
func TestSentNowIsSentOnce(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(2 * time.Hour)
	w.sendsNow(callback.Query{}, 1)
	message, before := callback.Message{PaymentID: payer.paymentID(), Seq: 1}, len(w.shop.Received())
	w.shop.respond = func(Received) int {
		w.shop.respond = func(Received) int { return 200 }
		if err := w.app.Callbacks.SendCallback(t.Context(), message); err != nil {
			t.Error(err)
		}
		return 200
	}
	if err := w.app.Callbacks.SendCallback(t.Context(), message); err != nil {
		t.Error(err)
	}
	w.pass(time.Hour)
	if got := len(w.shop.Received()) - before; got != 1 || w.Callbacks()[0].State != callback.Delivered {
		t.Errorf("%d requests, %s", got, w.Callbacks()[0].State)
	}
}

// Callbacks that are sent again wait for an open circuit breaker like others, and don't delay those of another address.
func TestSentAgainWaitsForTheCircuitBreaker(t *testing.T) {
	w := open(t)
	other := w.newShop("-2")
	w.shop.responds(500)
	const n = 8
	for i := range n {
		w.shop.visits(pen(i)).pays("01/38")
	}
	w.pass(3 * 24 * time.Hour)
	w.shop.responds(0)
	before := len(w.shop.Received())
	w.sendsNow(callback.Query{}, n)
	w.pass(4 * time.Minute)
	if got := len(w.shop.Received()) - before; got != 5 {
		t.Errorf("%d requests before the circuit breaker opened", got)
	}
	other.visits("pen-1").pays("01/38")
	other.told("sale success settled")
	w.shop.responds(200)
	w.pass(30 * time.Minute)
	w.shop.told(slices.Repeat([]string{"sale success settled"}, n)...)
}

// The number of tries that a callback stores is limited, however often it is sent again.
func TestTriesOfACallbackAreBounded(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	w.shop.visits("pen-1").pays("01/38")
	for range 6 {
		w.pass(3 * 24 * time.Hour)
		w.sendsNow(callback.Query{}, 1)
	}
	w.pass(3 * 24 * time.Hour)
	if got := len(w.shop.Received()); got != 7*9 {
		t.Errorf("%d requests, want the whole schedule each time", got)
	}
	c := w.Callbacks()[0]
	if len(c.Tries) != 45 || c.State != callback.Parked || !c.Tries[44].At.Equal(w.shop.Received()[62].At) {
		t.Errorf("%d tries, %s", len(c.Tries), c.State)
	}
}

// Callbacks of a merchant without a notification_url are parked at once. They can be sent when there is one, and don't
// show in the status.
func TestEventsWithoutAnAddressAreParked(t *testing.T) {
	w := open(t, func(m *settings.Merchant) { m.TestNotificationURL = "" })
	url := w.shop.server.URL + "/test"
	payer := w.shop.visits("pen-1")
	payer.pays("05/38")
	payer.presses("confirm")
	payer.is("settled")
	w.pass(time.Hour)
	if sent := w.queue.messages(); strings.Contains(sent, "callback") {
		t.Errorf("messages: %s", sent)
	}
	want := []string{"3ds success 3ds, 0 tries", "sale success settled, 0 tries"}
	if got := w.parked(callback.Query{}); !slices.Equal(got, want) {
		t.Errorf("parked: %q, want %q", got, want)
	}
	w.sendsNow(callback.Query{}, 0)
	code := fault.CodeOf(w.app.Actor.SendAgain(t.Context(), payer.paymentID(), 1))
	if code != fault.CodeNotAllowed {
		t.Errorf("without an address: %v", code)
	}
	w.shop.set(func(m *settings.Merchant) { m.TestNotificationURL = url })
	w.pass(2 * time.Minute)
	w.shop.told() // no operator has sent them yet
	w.sendsNow(callback.Query{URL: url}, 2)
	w.pass(2 * time.Minute)
	w.shop.told("3ds success 3ds", "sale success settled")
	_, one := w.shop.status("payment_id", payer.paymentID())
	_, all := w.shop.status("order_id", "pen-1", "size", "5")
	if one["status"] != "settled" || len(all["list"].([]any)) != 1 {
		t.Errorf("status: %v, %v", one, all)
	}
}

// TestSentAgainWithTheSave sends many callbacks again: the first hundred have their messages with the save, and a sweep
// sends the others'.
func TestSentAgainWithTheSave(t *testing.T) {
	const all = 110
	w := open(t)
	w.shop.responds(500)
	for i := range all {
		w.shop.visits(fmt.Sprintf("pen-%d", i)).pays("01/38")
	}
	w.pass(5 * 24 * time.Hour)
	w.shop.responds(200)
	w.sendsNow(callback.Query{}, all)
	for range 3 { // seconds, which is less than until the next sweep
		w.work()
		w.skip(time.Second)
	}
	w.work()
	if left := len(w.listed(callback.Waiting, callback.Query{})); left != all-100 {
		t.Errorf("%d wait for the sweep, want %d", left, all-100)
	}
	w.pass(2 * time.Minute)
	if left := w.listed(callback.Waiting, callback.Query{}); len(left) > 0 {
		t.Errorf("still waiting: %q", left)
	}
}
