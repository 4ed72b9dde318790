package callback

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// An operator has one callback sent now, and with it those that wait before it. Those of a payment are due with the
// first of them, which has the message.
func TestSendOneAgain(t *testing.T) {
	parked, later := Callback{State: Parked}, Callback{NextAt: began.Add(time.Hour)}
	const missing, tried = "not-found: Callback not found", "not-allowed: It is about to be tried."
	for name, test := range map[string]struct {
		callbacks  []Callback
		seq        int
		want, sent string // the error, or what is stored; messages
	}{
		"parked":             {[]Callback{parked}, 1, "waiting 0s (callback 0s)", "[1 single 0s]"},
		"waits for a repeat": {[]Callback{later}, 1, "waiting 0s (callback 0s)", "[1 single 0s]"},
		"of a test payment": {[]Callback{{Owner: fault.Owner{Test: true}, State: Parked}}, 1,
			"waiting 0s (test-callback 0s)", "[1 test single 0s]"},
		"behind others": {[]Callback{parked, later, parked, later}, 3, "parked (parked 0s), waiting 0s (callback 0s), " +
			"waiting 0s (callback 1m0s), waiting 1h0m0s (callback 1m0s)", "[2 single 0s]"},
		"behind more than fit into one write": {slices.Repeat([]Callback{later}, 60), 60,
			"waiting 0s (callback 0s)" + strings.Repeat(", waiting 0s (callback 1m0s)", 59), "[1 single 0s]"},
		"delivered": {[]Callback{{State: Delivered}, parked, later}, 1, "waiting 0s (callback 0s), parked (parked 0s), " +
			"waiting 1h0m0s (callback 1m0s)", "[1 single 0s]"},
		"dropped": {[]Callback{{State: Dropped}}, 1,
			"not-allowed: It is not sent: the payer has tried again since, and only the last decline is told.", "[]"},
		"withheld": {[]Callback{{SessionID: "s", NextAt: later.NextAt}}, 1,
			"not-allowed: It waits until the payer has tried again or left: only the last decline is told.", "[]"},
		"about to be tried":      {[]Callback{{NextAt: began.Add(leaseTTL)}}, 1, tried, "[]"},
		"tried soon, behind one": {[]Callback{later, {NextAt: began.Add(leaseTTL)}}, 2, tried, "[]"},
		"of no such number":      {[]Callback{parked}, 2, missing, "[]"},
		"of number 0":            {[]Callback{parked}, 0, missing, "[]"},
		"of no such payment":     {nil, 1, missing, "[]"},
		"nowhere to send it":     {[]Callback{of("bare", "")}, 1, "not-allowed: The merchant has no notification_url.", "[]"},
	} {
		w := newShop(t)
		w.Act = audit.Act{ID: "act"}
		id, note := w.add(1, test.callbacks...), store.Encode(store.SettingsVersionKey("pens", 1), 0, "stored with it")
		stored, before := w.all(id)
		err := w.SendAgain(t.Context(), id, test.seq, note)
		all, got := w.all(id)
		acts, notes, why := (len(stored)+sendAgainBatch-1)/sendAgainBatch, 1, ""
		if err != nil && got == before {
			code := map[fault.Code]string{fault.CodeNotFound: "not-found", fault.CodeNotAllowed: "not-allowed"}
			acts, notes, why = 0, 0, err.(*fault.Error).Faults[0].Text
			got = code[fault.CodeOf(err)] + ": " + why
		}
		if got != test.want || fmt.Sprint(w.queued) != test.sent || len(w.acts()) != acts {
			t.Errorf("%s: %s, messages %s, %d acts", name, got, w.queued, len(w.acts()))
		}
		if i := test.seq - 1; i >= 0 && i < len(stored) {
			m, err := w.Accounts.ByID(t.Context(), stored[i].Merchant, w.now)
			if told := stored[i].WhyNotSent(w.now, stored[i].Address(m)); told != why || err != nil {
				t.Errorf("%s: before, the reason is %q, %v", name, told, err)
			}
		}
		r, readErr := store.GetOne(t.Context(), w.docs, w.now, note.Key)
		if readErr != nil || int(r.Version) != notes {
			t.Errorf("%s: the other record has version %d, %v", name, r.Version, readErr)
		}
		if name == "behind others" && (fmt.Sprint(w.acts()) !=
			"[payment/"+id+"/callbacks: payment "+id+": sent now: callback 2, 3]" ||
			!all[0].SentAgainAt.IsZero() || !all[2].SentAgainAt.Equal(began)) {
			t.Errorf("%s: %s, %+v", name, w.acts(), all)
		}
	}
	w := newShop(t)
	if err := w.SendAgain(t.Context(), "1", 1); fault.CodeOf(err) != fault.CodeNotFound {
		t.Errorf("of a payment that is none of ours: %v", err)
	}
	storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
		w := newShop(t)
		id := w.add(1, parked)
		return w.script, func() error { return w.SendAgain(t.Context(), id, 1) }
	})
}

// All that a query chooses are sent 20 ms apart, in batches of 50 with one act each. Those of the first two seconds
// have messages. Nobody else's are sent.
func TestSendAll(t *testing.T) {
	w := newShop(t)
	w.Act = audit.Act{ID: "act"}
	orders := inShard(230)
	for _, order := range orders {
		w.add(order, Callback{State: Parked})
	}
	for order := orders[229]; len(orders) == 230; order++ { // in another shard, parked before
		if key, err := store.CallbackKey(paymentID(order), 1); err == nil && store.DueShard(store.DueParked, key) > 0 {
			orders = append(orders, order)
			w.add(order, Callback{State: Parked, dueAt: began.Add(-time.Hour)})
		}
	}
	parked := of("bare", hook)
	parked.State = Parked
	other := w.add(-1, parked)
	w.add(-2, Callback{NextAt: began.Add(time.Hour)})
	w.add(-3, Callback{})
	chosen := Query{State: Parked, Of: func(o fault.Owner) bool { return o.Merchant == "pens" }}
	sent, err := w.sendAll(chosen)
	if _, got := w.all(other); err != nil || sent != 231 || len(w.queued) != 100 || got != "parked (parked 0s)" {
		t.Errorf("%d sent, %d messages, of another owner: %s, %v", sent, len(w.queued), got, err)
	}
	due := map[time.Duration]bool{}
	for _, order := range orders {
		all, got := w.all(paymentID(order))
		delay := all[0].NextAt.Sub(w.now)
		if due[delay] = true; got != fmt.Sprintf("waiting %s (callback %s)", delay, delay) || delay%sendAgainEvery != 0 ||
			delay >= 231*sendAgainEvery || !all[0].SentAgainAt.Equal(w.now) {
			t.Errorf("order %d: %s", order, got)
		}
	}
	sizes := []int{}
	for _, act := range w.acts() {
		sizes = append(sizes, strings.Count(act, "sent now: callback 1"))
		if together := strings.HasPrefix(act, "callbacks: payment "); together != (sizes[len(sizes)-1] > 1) {
			t.Errorf("an act of %d payments is %q", sizes[len(sizes)-1], act)
		}
	}
	slices.Sort(sizes) // those of the same time have no order
	if len(due) != 231 || fmt.Sprint(sizes) != "[1 30 50 50 50 50]" {
		t.Errorf("%d times, acts of %d payments", len(due), sizes)
	}
	chosen.State = Waiting
	if sent, err := w.sendAll(chosen); sent != 1 || err != nil {
		t.Errorf("%d are sent, of one that waits and those that are about to be tried, %v", sent, err)
	}
}

// All callbacks of a payment are sent at one time, however many they are, and then those of others, also of a test
// payment. What has no address stays parked.
func TestSendAllOfAPayment(t *testing.T) {
	w := newShop(t)
	w.Act = audit.Act{ID: "act"}
	id := w.add(1, slices.Repeat([]Callback{{State: Parked}}, 60)...)
	parked := of("bare", "")
	parked.State = Parked
	nowhere := w.add(2, parked)
	w.add(3, Callback{Owner: fault.Owner{Test: true}, NextAt: began.Add(time.Hour)})
	sent, err := w.sendAll(Query{})
	if sent != 61 || err != nil || fmt.Sprint(w.queued) != "[1 0s 1 test 1.2s]" {
		t.Errorf("%d sent, messages %s, %v", sent, w.queued, err)
	}
	want := "waiting 0s (callback 0s)" + strings.Repeat(", waiting 0s (callback 1m0s)", 59)
	rest := "payment/" + id + "/callbacks: payment " + id + ": sent now: callback 51, 52, 53, 54, 55, 56, 57, 58, 59, 60"
	if _, got := w.all(id); got != want || len(w.acts()) != 3 || !slices.Contains(w.acts(), rest) {
		t.Errorf("%s, acts %q", got, w.acts())
	}
	if _, got := w.all(nowhere); got != "parked (parked 0s)" {
		t.Errorf("without an address: %s", got)
	}
}

// inShard returns orders of payments whose first callback is listed in the same shard.
func inShard(n int) (orders []int) {
	for order := 0; len(orders) < n; order++ {
		key, err := store.CallbackKey(paymentID(order), 1)
		if err == nil && store.DueShard(store.DueParked, key) == 0 {
			orders = append(orders, order)
		}
	}
	return orders
}

// One call has 500 sent. The next goes on behind them, later than them, and sends none of those again that have failed
// meanwhile. All are sent by several calls.
func TestSendSome(t *testing.T) {
	w := newShop(t)
	orders := inShard(sendAgainAtOnce + 100)
	for _, order := range orders {
		w.add(order, Callback{State: Parked})
	}
	failed := func() (n int) {
		for _, order := range orders {
			if all, _ := w.all(paymentID(order)); all[0].State == Waiting {
				n++
				all[0].NextAt = w.now.Add(time.Hour)
				w.save(all[0].Record(all[0].NextAt))
			}
		}
		return n
	}
	first, at, err := w.SendSome(t.Context(), Query{}, Position{})
	if err != nil || first != sendAgainAtOnce || at.End ||
		!at.Began.Equal(began) || !at.At.Equal(began.Add(time.Duration(first)*sendAgainEvery)) || failed() != first {
		t.Fatalf("%d sent until %+v, %v", first, at, err)
	}
	w.now = began.Add(time.Second)
	second, at, err := w.SendSome(t.Context(), Query{}, at)
	if err != nil || second != 100 || !at.End || !at.Began.Equal(began) {
		t.Errorf("%d sent, %+v, %v", second, at, err)
	}
	earliest := time.Hour
	for _, order := range orders {
		all, states := w.all(paymentID(order))
		if next := all[0].NextAt.Sub(began); next < earliest {
			earliest = next
		}
		if all[0].State != Waiting {
			t.Errorf("order %d: %s", order, states)
		}
	}
	if earliest != time.Duration(first)*sendAgainEvery {
		t.Errorf("the second call begins after %s", earliest)
	}
	w.now = w.now.Add(time.Minute)
	all := failed()
	if sent, err := w.sendAll(Query{}); all != len(orders) || sent != all || err != nil {
		t.Errorf("%d of %d sent, %v", sent, all, err)
	}
	late := w.add(-1, Callback{State: Parked})
	if n, _, err := w.SendSome(t.Context(), Query{}, Position{Began: began, At: began}); n < 1 || err != nil {
		t.Errorf("%d sent, %v", n, err)
	}
	if all, got := w.all(late); all[0].NextAt.Before(w.now) {
		t.Errorf("sent in the past: %s", got)
	}
}

// Where somebody else sends one of a batch, the others are stored without it.
func TestSendAllBesideAnotherRun(t *testing.T) {
	orders := inShard(3)
	for taken, want := range map[int]int{-1: 3, orders[0]: 2, orders[1]: 2, orders[2]: 2} {
		w := newShop(t)
		w.Act = audit.Act{ID: "act"}
		for _, order := range orders {
			w.add(order, Callback{State: Parked})
		}
		w.script.Before = func(request string) error {
			if all, _ := w.all(paymentID(max(taken, 0))); request == "save callback" && taken >= 0 && all[0].State == Parked {
				w.add(taken, Callback{State: Delivered})
			}
			return nil
		}
		sent, err := w.sendAll(Query{})
		acts := map[int]int{3: 1, 2: 2}[want] // all in one, or one of each payment
		if err != nil || sent != want || len(w.queued) != want || len(w.acts()) != acts {
			t.Errorf("%d: %d sent, %d messages, %d acts, %v", taken, sent, len(w.queued), len(w.acts()), err)
		}
		for _, order := range orders {
			if _, got := w.all(paymentID(order)); strings.HasPrefix(got, "waiting") == (order == taken) {
				t.Errorf("%d: order %d is %s", taken, order, got)
			}
		}
	}
	for _, conflict := range []bool{false, true} {
		storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
			w := newShop(t)
			w.Queue = nil // as where nothing but due times is set
			for _, order := range orders[:2] {
				w.add(order, slices.Repeat([]Callback{{State: Parked}}, 26)...) // more than one batch
			}
			inner := w.script
			outer := &storetest.Scripted{Store: inner}
			w.Store = outer
			inner.Before = func(request string) error {
				if conflict && request == "save callback" {
					w.add(orders[0], Callback{State: Delivered})
				}
				return nil
			}
			return outer, func() error { _, err := w.sendAll(Query{}); return err }
		})
	}
}

// sendAll has all callbacks sent that a query chooses, and returns their number.
func (w *shop) sendAll(query Query) (sent int, err error) {
	for at := (Position{}); err == nil && !at.End; {
		n := 0
		n, at, err = w.SendSome(w.t.Context(), query, at)
		sent += n
	}
	return sent, err
}
