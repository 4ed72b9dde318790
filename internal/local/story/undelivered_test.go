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
	if _, err := w.app.Actor.SendAgain(t.Context(), payer.paymentID(), 1); fault.CodeOf(err) != fault.CodeNotAllowed {
		t.Errorf("without an address: %v", err)
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
