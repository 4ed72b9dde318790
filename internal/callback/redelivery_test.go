package callback

import (
	"fmt"
	"testing"
	"time"
)

// A callback that an operator sends by itself is tried although the circuit breaker of its address is open, which stays
// as it is. Nothing else passes, and a slow address gets it through its own queue.
func TestSinglePassesAnOpenBreaker(t *testing.T) {
	open := breaker{OpenUntil: began.Add(10 * time.Minute), FastUntil: began.Add(time.Hour)}
	slow := breaker{OpenUntil: open.OpenUntil, SlowUntil: began.Add(time.Hour)}
	asked := Callback{SentAgainAt: began}
	for name, test := range map[string]struct {
		known        breaker
		callbacks    []Callback
		single       bool
		posted, want string
		sent         string
	}{
		"a single one":      {open, []Callback{asked}, true, "[1]", "delivered", "[]"},
		"one of many":       {open, []Callback{asked}, false, "[]", "waiting 10m0s (callback 10m0s)", "[]"},
		"one not asked for": {open, []Callback{{}}, true, "[]", "waiting 10m0s (callback 10m0s)", "[]"},
		"one that was tried since": {open, []Callback{{SentAgainAt: began, Tries: []Try{{At: began}}}}, true, "[]",
			"waiting 10m0s (callback 10m0s)", "[]"},
		"with those before it": {open, []Callback{asked, asked, {}}, true, "[1 2]",
			"delivered, delivered, waiting 10m0s (callback 10m0s)", "[]"},
		"to a slow address": {slow, []Callback{asked}, true, "[]", "waiting 0s (callback 15m0s)", "[1 slow single 0s]"},
	} {
		w := newShop(t)
		w.know(test.known)
		before := w.known(pens)
		id := w.add(1, test.callbacks...)
		if err := w.Deliver(t.Context(), Message{PaymentID: id, Seq: 1, Single: test.single}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		posted := fmt.Sprint(w.server.numbers)
		if _, got := w.all(id); posted != test.posted || got != test.want || fmt.Sprint(w.queued) != test.sent ||
			w.known(pens) != before {
			t.Errorf("%s: posted %s, %s, messages %s, the address is %s", name, posted, got, w.queued, w.known(pens))
		}
	}
}

// A redelivery is tried once, and is delivered after that whatever the response is. After a failure the later callbacks
// keep their own times.
func TestRedeliveryIsTriedOnce(t *testing.T) {
	later := Callback{NextAt: began.Add(time.Hour)}
	for status, want := range map[int]string{
		200: "delivered, delivered [1 2]", 500: "delivered, waiting 1h0m0s (callback 1m0s) [1]",
	} {
		w := newShop(t)
		w.server.status = status
		id := w.add(1, Callback{State: Delivered, Tries: []Try{{At: began, Status: 200}}}, later)
		if err := w.SendAgain(t.Context(), id, 1); err != nil {
			t.Fatal(err)
		}
		w.deliver(id, 1)
		all, got := w.all(id)
		if got += fmt.Sprint(" ", w.server.numbers); got != want || len(all[0].Tries) != 2 ||
			w.server.posted[0].Header["webhook-redelivery"] != "1" || all[0].AwaitsOperator() {
			t.Errorf("status %d: %s, %+v", status, got, all[0])
		}
		if n := len(w.server.posted); n > 1 && w.server.posted[1].Header["webhook-redelivery"] != "" {
			t.Error("the callback after it is marked as well")
		}
		w.deliver(id, 1) // its message comes twice
		if posted := fmt.Sprint(w.server.numbers); posted != got[len(got)-len(posted):] {
			t.Errorf("status %d: then posted %s", status, posted)
		}
	}
	w := newShop(t)
	gone := of("bare", "") // its merchant has no address any more
	gone.SentAgainAt, gone.Redelivery = began, true
	id := w.add(1, gone)
	w.deliver(id, 1)
	if _, got := w.all(id); got != "delivered" {
		t.Errorf("without an address: %s", got)
	}
}
