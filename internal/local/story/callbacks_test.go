package story

import (
	"net/http"
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
	for name, status := range map[string]int{"an error": 500, "a redirect": 302, "not found": 404, "not modified": 304} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.shop.responds(status)
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
			if len(c) != 1 || c[0].State != callback.Parked || len(c[0].Tries) != 9 || c[0].Tries[8].Status != status {
				t.Errorf("stored: %+v", c)
			}
			if parked := w.due(store.DueParked); len(parked) != 1 || !parked[0].At.Equal(requests[8].At) {
				t.Errorf("parked: %v, want one at %s", parked, requests[8].At)
			}
			if waiting := w.due(store.DueCallback); len(waiting) != 0 {
				t.Errorf("still due: %v", waiting)
			}
		})
	}
}

// Every repeat is sent in time by the sweep when all messages are lost.
func TestSweepRepeatsCallbacks(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	w.queue.lose = loseCallbacks
	w.shop.visits("pen-1").pays("01/38")
	for range 48 * 60 {
		w.skip(time.Minute)
		sweepNow(t, w)
	}
	if got := len(w.shop.Received()); got != 9 {
		t.Errorf("%d requests", got)
	}
}

// The shop is down for a while and takes the callback later.
func TestCallbackIsTakenLater(t *testing.T) {
	w := open(t)
	w.shop.responds(503)
	w.shop.visits("pen-1").pays("01/38")
	w.pass(3 * time.Minute)
	w.shop.told()
	w.shop.responds(200)
	w.pass(48 * time.Hour)
	w.shop.told("sale success settled")
	if got := len(w.shop.Received()); got != 3 {
		t.Errorf("%d requests", got)
	}
}

// The callbacks of one payment keep their order: a later one waits until the earlier one is delivered or parked.
// Callbacks of other payments don't wait.
func TestCallbacksOfAPaymentKeepTheirOrder(t *testing.T) {
	tests := []struct {
		name   string
		passes time.Duration // before the events are compared
		first  []string      // the events of pen-1
	}{
		{"delivered", 30 * time.Minute, []string{"3ds success 3ds", "sale success settled"}},
		{"parked", 48 * time.Hour, []string{"sale success settled"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
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
			w.shop.told("sale fail decline") // pen-2's alone

			w.pass(test.passes)
			if test.name == "delivered" {
				w.shop.told("sale fail decline")
				w.shop.responds(200)
				w.pass(2 * time.Hour)
			}
			w.shop.told(append([]string{"sale fail decline"}, test.first...)...)
			states := map[string]int{}
			for _, c := range w.Callbacks() {
				states[string(c.State)]++
			}
			if states["waiting"] != 0 {
				t.Errorf("callbacks: %v", states)
			}
		})
	}
}

// A repeated message doesn't repeat a callback before it is due.
func TestCallbackMessageComesAgain(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	message := callback.Message{PaymentID: payer.paymentID(), Seq: 1}
	for _, seq := range []int{1, 1, 2, 0, 1} {
		message.Seq = seq
		if err := w.app.Callbacks.SendCallback(t.Context(), message); err != nil {
			t.Error(err)
		}
	}
	if got := len(w.shop.Received()); got != 1 {
		t.Errorf("%d requests", got)
	}
	w.shop.responds(200)
	w.pass(2 * time.Minute)
	w.shop.told("sale success settled")
	if got := len(w.shop.Received()); got != 2 {
		t.Errorf("%d requests", got)
	}
}

// Redirects are not followed: their target never gets a callback.
func TestRedirectOfACallbackIsNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		w := open(t)
		w.shop.responds(status)
		w.shop.visits("pen-1").pays("01/38")
		w.pass(30 * time.Second)
		if got := len(w.shop.Received()); got != 1 {
			t.Errorf("%d: %d requests", status, got)
		}
		w.shop.told()
	}
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

// A merchant that names another's address does not hold up that one's callbacks, and neither does its own test key.
func TestCircuitBreakersOfOneURLAreApart(t *testing.T) {
	w := open(t)
	w.goesLive(w.bank)
	w.shop.live = true
	sameURL := func(m *settings.Merchant) {
		m.NotificationURL, m.TestNotificationURL = w.shop.merchant.NotificationURL, w.shop.merchant.NotificationURL
	}
	w.shop.set(sameURL)
	other := w.newShop("-2", sameURL)
	w.shop.responds(0)
	for n := range 5 {
		other.visits(pen(n)).pays("01/38")
		w.skip(10 * time.Second)
	}
	w.shop.live = false
	for n := range 5 {
		w.shop.visits(pen(n)).pays("01/38")
		w.skip(10 * time.Second)
	}
	w.shop.responds(200)
	before := len(w.shop.Received())
	w.shop.live = true
	w.shop.visits("pen-live").pays("01/38")
	if got := w.shop.Received()[before:]; len(got) != 1 || got[0].Fields.Get("order_number") != "pen-live" {
		t.Errorf("the address got %d callbacks", len(got))
	}
}

// Four timeouts, or five in more than five minutes, don't open the circuit breaker.
func TestFewTimeoutsDoNotOpenTheCircuitBreaker(t *testing.T) {
	for name, test := range map[string]struct {
		timeouts int
		apart    time.Duration
	}{"four": {4, time.Second}, "five in more than five minutes": {5, 75 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.shop.responds(0)
			// Nothing is repeated.
			w.queue.lose = loseCallbacks
			for _, message := range w.undelivered(test.timeouts) {
				if err := w.app.Callbacks.SendCallback(t.Context(), message); err != nil {
					t.Error(err)
				}
				w.skip(test.apart)
			}
			w.queue.lose = nil
			w.shop.responds(200)
			w.shop.visits("pen-last").pays("01/38")
			w.shop.told("sale success settled")
		})
	}
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
	for _, address := range []string{
		"", "https://127.0.0.1/x", "https://10.0.0.1/x", "https://169.254.169.254/latest", "https://[::1]/x",
	} {
		t.Run(address, func(t *testing.T) {
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
		})
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

// Any status from 200 to 299 means that the callback was taken.
func TestAny2xxIsTaken(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusCreated, http.StatusNoContent} {
		w := open(t)
		w.shop.responds(status)
		w.shop.visits("pen-1").pays("01/38")
		if c := w.Callbacks(); len(c) != 1 || c[0].State != callback.Delivered {
			t.Errorf("%d: %+v", status, c)
		}
	}
}
