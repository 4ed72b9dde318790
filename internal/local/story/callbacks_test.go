package story

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/callback/post"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// repeats is the schedule of protocol.md, Delivery.
var repeats = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// A callback that the shop never takes is sent nine times, at the scheduled times and with the same webhook-id. Then it
// is parked.
func TestScheduleOfACallback(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	w.shop.visits("pen-1").pays("01/38")
	w.pass(48 * time.Hour)
	w.shop.responds(200)
	w.pass(7 * 24 * time.Hour)
	requests := w.shop.Received()
	if len(requests) != len(repeats)+1 {
		t.Fatalf("%d requests", len(requests))
	}
	for i, r := range requests {
		same := r.Header.Get("webhook-id") == requests[0].Header.Get("webhook-id")
		if !same || string(r.Body) != string(requests[0].Body) {
			t.Error("a repeat is another callback")
		}
		w.shop.verify(r)
		if i == 0 {
			continue
		}
		late := time.Duration(0)
		if repeats[i-1] > 15*time.Minute {
			late = time.Minute // longer than a message can wait, so it is sent by a sweep
		}
		if gap := r.At.Sub(requests[i-1].At); gap < repeats[i-1] || gap > repeats[i-1]+late {
			t.Errorf("repeat %d came after %s, want %s", i, gap, repeats[i-1])
		}
	}
	c := w.Callbacks()
	if len(c) != 1 || c[0].State != callback.Parked || len(c[0].Tries) != 9 || c[0].Tries[8].Status != 500 {
		t.Errorf("stored: %+v", c)
	}
	if parked := w.due(store.DueParked); len(parked) != 1 || !parked[0].At.Equal(requests[8].At) {
		t.Errorf("parked: %v, want one at %s", parked, requests[8].At)
	}
}

// Every repeat is sent by the sweep, within two minutes of its time, when all messages are lost.
func TestSweepRepeatsCallbacks(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	w.queue.lose = loseCallbacks
	w.shop.visits("pen-1").pays("01/38")
	sweepNow(t, w)
	for i, repeat := range repeats {
		w.skip(repeat + 2*time.Minute)
		sweepNow(t, w)
		if got := len(w.shop.Received()); got != i+1 {
			t.Fatalf("%d requests before repeat %d", got, i+1)
		}
	}
}

// The callbacks of one payment keep their order: a later one waits until the earlier one is delivered. Callbacks of
// other payments don't wait.
func TestCallbacksOfAPaymentKeepTheirOrder(t *testing.T) {
	w := open(t)
	w.shop.respond = func(r Received) int {
		if r.Fields.Get("type") == "3ds" {
			return 500
		}
		return 200
	}
	payer := w.shop.visits("pen-1")
	payer.pays("05/38")
	payer.presses("confirm")
	w.work()
	payer.is("settled")
	w.shop.visits("pen-2").pays("02/38")
	w.pass(30 * time.Minute)
	w.shop.told("sale fail decline") // pen-2's alone
	w.shop.responds(200)
	w.pass(2 * time.Hour)
	w.shop.told("sale fail decline", "3ds success 3ds", "sale success settled")
}

// Five timeouts within five minutes open the circuit breaker of an address for fifteen minutes. Other addresses are not
// affected.
func TestTimeoutsOpenTheCircuitBreaker(t *testing.T) {
	w := open(t)
	w.shop.responds(0)
	other := w.newShop("-2")
	for n := range 5 {
		w.shop.visits(pen(n)).pays("01/38")
		w.skip(10 * time.Second)
	}
	if got := len(w.shop.Received()); got != 5 {
		t.Fatalf("%d requests", got)
	}
	openedAt := w.clock.Now().Add(-10 * time.Second)
	w.shop.responds(200)
	w.shop.visits(pen(5)).pays("01/38")
	w.pass(openedAt.Add(15*time.Minute - time.Second).Sub(w.clock.Now()))
	if got := len(w.shop.Received()); got != 5 {
		t.Errorf("with an open circuit breaker the address got %d requests", got-5)
	}
	other.visits("pen-1").pays("01/38")
	other.told("sale success settled")
	w.pass(3 * time.Minute)
	w.shop.told(slices.Repeat([]string{"sale success settled"}, 6)...)
}

// undelivered makes n payments whose callback messages are lost, and returns these messages.
func (w *World) undelivered(n int) []callback.Message {
	w.t.Helper()
	var messages []callback.Message
	for i := range n {
		payer := w.shop.visits(pen(i))
		payer.pays("01/38")
		messages = append(messages, callback.Message{PaymentID: payer.paymentID(), Seq: 1})
	}
	return messages
}

// Callbacks that time out after the circuit breaker was opened don't make it close before the fifteen minutes are over.
func TestTimeoutsWhileTheCircuitBreakerIsOpen(t *testing.T) {
	w := open(t)
	const n = 8
	var underWay sync.WaitGroup
	underWay.Add(n)
	w.shop.respond = func(Received) int {
		underWay.Done()
		underWay.Wait()
		return 0
	}
	w.queue.lose = loseCallbacks
	messages := w.undelivered(n)
	w.queue.lose = nil
	together(n, func(i int) { // their clocks agree: each is due
		if err := w.app.Callbacks.SendCallback(t.Context(), messages[i]); err != nil {
			t.Error(err)
		}
	})
	if got := len(w.shop.Received()); got != n {
		t.Fatalf("%d requests", got)
	}
	w.shop.responds(200)
	w.pass(6 * time.Minute)
	w.shop.visits("pen-last").pays("01/38")
	w.pass(9*time.Minute - time.Second)
	w.shop.told()
	w.pass(3 * time.Minute)
	w.shop.told(slices.Repeat([]string{"sale success settled"}, n+1)...)
}

func pen(n int) string { return "pen-" + string(rune('0'+n)) }

// Callbacks to private addresses are refused unless the environment allows them. They are parked after the schedule.
func TestPrivateAddressIsRefused(t *testing.T) {
	for _, address := range []string{"", "https://169.254.169.254/latest"} {
		w := open(t)
		w.app.Callbacks.Sender = post.New(post.Options{})
		if address != "" {
			w.shop.set(func(m *settings.Merchant) { m.TestNotificationURL = address })
		}
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		w.pass(3 * 24 * time.Hour)
		payer.is("settled")
		if got := len(w.shop.Received()); got != 0 {
			t.Errorf("%d requests came", got)
		}
		if c := w.Callbacks(); len(c) != 1 || c[0].State != callback.Parked || len(c[0].Tries) != 9 ||
			!strings.Contains(c[0].Tries[0].Error, callback.ErrAddress.Error()) {
			t.Errorf("stored: %+v", c)
		}
	}
}

// The notification_url is removed while a callback waits: the callback is parked, not lost.
func TestNotificationURLIsRemoved(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	w.shop.visits("pen-1").pays("01/38")
	w.shop.set(func(m *settings.Merchant) { m.TestNotificationURL = "" })
	w.pass(time.Hour)
	if c := w.Callbacks(); len(c) != 1 || c[0].State != callback.Parked {
		t.Errorf("stored: %+v", c)
	}
}

// The shop took a callback, but that could not be stored: it is sent again with the same webhook-id.
func TestCallbackTakenButNotStored(t *testing.T) {
	for _, fault := range []string{"before", "after"} {
		w := open(t)
		w.shop.visits("pen-0") // so that the merchant is in the cache
		payer := w.shop.visits("pen-1")
		payer.send(payer.attempt("01/38"))
		w.store.next("ok", "ok", "ok", fault) // the provider request, the sandbox's ledger, the outcome, the callback
		w.work()
		w.store.next()
		w.pass(10 * time.Minute)
		w.shop.told("sale success settled")
		if got := len(w.shop.Received()); got != map[string]int{"before": 2, "after": 1}[fault] {
			t.Errorf("%s: %d requests", fault, got)
		}
	}
}
