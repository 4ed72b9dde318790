package callback

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

var pens = BreakerAddress(fault.Owner{Merchant: "pens"}, hook)

// know stores what is known of the shop's address.
func (w *shop) know(b breaker) { w.save(store.Encode(store.BreakerKey(pens), 0, b)) }

// known says what is stored of an address.
func (w *shop) known(address string) string {
	w.t.Helper()
	r, err := store.GetOne(w.t.Context(), w.docs, w.now, store.BreakerKey(address))
	var b breaker
	if err == nil {
		err = r.Decode(&b)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	var words []string
	for i, until := range []time.Time{b.OpenUntil, b.FastUntil, b.SlowUntil, b.ProbeUntil} {
		if !until.IsZero() {
			words = append(words, []string{"open ", "fast ", "slow ", "probe "}[i]+until.Sub(w.now).String())
		}
	}
	if n := len(b.Timeouts); n > 0 {
		words = append(words, fmt.Sprint("timeouts ", n))
	}
	return strings.Join(words, ", ")
}

// until is what is known until a time after the beginning.
func until(fast, slow, probe time.Duration) (b breaker) {
	for to, d := range map[*time.Time]time.Duration{&b.FastUntil: fast, &b.SlowUntil: slow, &b.ProbeUntil: probe} {
		if d >= 0 {
			*to = began.Add(d)
		}
	}
	return b
}

// A callback is sent at once to a fast address, and by the slow queue to a slow one. One callback at a time finds out
// which of these an address is. Callbacks of test payments and of the slow queue pass: their queues are their own.
func TestSpeedOfAddresses(t *testing.T) {
	const no, minute = -1, time.Minute
	slow, test := Message{Slow: true}, Message{Test: true}
	live := Message{}
	const posted, apart, later = "posted", "1 slow 0s, due 15m0s", "1 250ms, due 1m0s"
	for name, row := range map[string]struct {
		known   breaker
		running int // callbacks to the address
		message Message
		takes   time.Duration
		want    string
		states  string // while it is posted, and afterwards
		writes  int    // to the address
	}{
		"nothing is known":           {until(no, no, no), 0, live, 0, posted, "probe 15s > fast 5m0s", 2},
		"nothing is known, slow":     {until(no, no, no), 0, live, SlowAfter, posted, "probe 15s > slow 30m0s", 2},
		"a moment less":              {until(no, no, no), 0, live, SlowAfter - 1, posted, "probe 15s > fast 5m0s", 2},
		"fast":                       {until(3*minute, no, no), 0, live, 0, posted, "fast 3m0s", 0},
		"fast, for half of its time": {until(150*time.Second, no, no), 0, live, 0, posted, "fast 2m30s > fast 5m0s", 1},
		"was fast":                   {until(0, no, no), 0, live, 0, posted, "fast 0s, probe 15s > fast 5m0s", 2},
		"fast, now slow": {until(3*minute, no, no), 0, live, 3 * time.Second, posted,
			"fast 3m0s > slow 30m0s", 1},
		"slow":                       {until(no, 1, no), 0, live, 0, apart, "slow 1ns", 0},
		"was slow":                   {until(no, 0, no), 0, live, 0, posted, "slow 0s, probe 15s > fast 5m0s, slow 0s", 2},
		"being found out":            {until(no, no, 1), 0, live, 0, later, "probe 1ns", 0},
		"being found out anew":       {until(3*minute, no, 1), 0, live, 0, later, "fast 3m0s, probe 1ns", 0},
		"whoever found out is dead":  {until(no, no, 0), 0, live, 0, posted, "probe 15s > fast 5m0s", 2},
		"49 are being sent":          {until(3*minute, no, no), crowded - 1, live, 0, posted, "fast 3m0s", 0},
		"50 are being sent":          {until(3*minute, no, no), crowded, live, 0, later, "fast 3m0s", 0},
		"50, and it is slow":         {until(no, 1, no), crowded, live, 0, apart, "slow 1ns", 0},
		"slow queue":                 {until(no, 1, no), crowded, slow, 0, posted, "slow 1ns", 0},
		"slow queue, slow no longer": {until(no, 0, no), 0, slow, 0, posted, "slow 0s", 0},
		"slow queue, and slow":       {until(no, 1, no), 0, slow, 2 * time.Second, posted, "slow 1ns > slow 30m0s", 1},
		"slow queue, known for half an hour": {until(no, 15*minute+2*time.Second+1, no), 0, slow, 2 * time.Second, posted,
			"slow 15m2.000000001s > slow 15m0.000000001s", 0},
		"slow queue, for a moment less": {until(no, 15*minute+2*time.Second, no), 0, slow, 2 * time.Second, posted,
			"slow 15m2s > slow 30m0s", 1},
		"test": {until(no, 1, 1), crowded, test, 2 * time.Second, posted,
			"slow 1ns, probe 1ns > slow -1.999999999s, probe -1.999999999s", 0},
		"test, and fast": {until(no, no, no), 0, test, 0, posted, "", 0},
	} {
		w := newShop(t)
		address, c := pens, Callback{Owner: fault.Owner{Test: row.message.Test}}
		if row.message.Test {
			address = BreakerAddress(fault.Owner{Merchant: "pens", Test: true}, hook+"/test")
		}
		w.save(store.Encode(store.BreakerKey(address), 0, row.known))
		id := w.add(1, c, c)
		for range row.running {
			w.Breakers.running.Take(address, math.MaxInt)
		}
		w.server.takes = row.takes
		during := ""
		w.server.during = func() {
			during = w.known(address) + " > "
			taken := w.Breakers.running.Taken(address) - row.running
			if own := !row.message.Test && !row.message.Slow; own != (taken == 1) {
				t.Errorf("%s: %d places are taken", name, taken)
			}
			w.server.during, w.server.status = nil, 404 // the next one is not sent
		}
		row.message.PaymentID, row.message.Seq = id, 1
		if err := w.Deliver(t.Context(), row.message); err != nil {
			t.Fatal(err)
		}
		got := posted
		all, _ := w.all(id)
		if len(w.server.posted) == 0 {
			got = fmt.Sprint(strings.Join(w.queued, " "), ", due ", all[0].dueAt.Sub(began))
		}
		states, writes := w.known(address), strings.Count(fmt.Sprint(w.script.Requests()), "save callback-circuit")
		if during != states+" > " {
			states = during + states
		}
		if got != row.want || states != row.states || writes != row.writes || len(all[0].Tries) != len(w.server.posted) {
			t.Errorf("%s: %s, known: %s after %d writes, tries: %+v", name, got, states, writes, all[0].Tries)
		}
		if taken := w.Breakers.running.Taken(address); taken != row.running {
			t.Errorf("%s: %d places are taken afterwards", name, taken-row.running)
		}
	}
}

// What another process stores meanwhile counts.
func TestSpeedIsFoundOutByOne(t *testing.T) {
	const no = -1
	for name, test := range map[string]struct {
		stored breaker // before the n-th write to the address
		n      int
		want   string
		after  string
		writes int
	}{
		"somebody did, and died": {until(no, 0, 0), 1, "posted", "fast 5m0s, slow 0s", 3},
		"slow since it was sent": {until(no, time.Minute, no), 2, "posted", "slow 1m0s", 2},
		"fast since it was sent": {until(3*time.Minute, no, 1), 2, "posted", "fast 3m0s, probe 1ns", 2},
		"too many at once":       {until(no, no, 0), 0, "1 250ms", "probe 0s", store.ConflictTries},
	} {
		w := newShop(t)
		id, saves := w.add(1, Callback{}), 0
		w.script.Before = func(request string) error {
			if request == "save callback-circuit" {
				if saves++; saves == test.n || test.n == 0 {
					w.know(test.stored)
				}
			}
			return nil
		}
		w.deliver(id, 1)
		got := strings.Join(w.queued, " ")
		if len(w.server.posted) > 0 {
			got = "posted"
		}
		if after := w.known(pens); got != test.want || after != test.after || saves != test.writes {
			t.Errorf("%s: %s, known: %s after %d writes", name, got, after, saves)
		}
	}
}

// What is known of a fast or slow address is cached for 10 seconds. Where it is not known, each callback reads it.
func TestKnownAddressIsCached(t *testing.T) {
	for name, test := range map[string]struct {
		known breaker
		test  bool
		reads string // of the address, by callbacks at 0, 9 and 10 seconds
	}{
		"fast":   {until(time.Hour, -1, -1), false, "[1 0 1]"},
		"slow":   {until(-1, time.Hour, -1), false, "[1 0 1]"},
		"open":   {breaker{OpenUntil: began.Add(time.Hour)}, false, "[1 0 1]"},
		"probed": {until(-1, -1, time.Hour), false, "[1 1 1]"},
		"over": {breaker{OpenUntil: began, FastUntil: began, SlowUntil: began, ProbeUntil: began.Add(1e12)}, false,
			"[1 1 1]"},
		"test": {breaker{}, true, "[1 0 1]"},
		"found out by the first, once to decide, to begin and to end": {breaker{}, false, "[3 0 1]"},
	} {
		w := newShop(t)
		w.know(test.known)
		var reads []int
		for i, at := range []time.Duration{0, 9, 10} {
			w.now = began.Add(at * time.Second)
			id := w.add(i, Callback{Owner: fault.Owner{Test: test.test}})
			w.script.Requests()
			w.deliver(id, 1)
			reads = append(reads, strings.Count(fmt.Sprint(w.script.Requests()), "get callback-circuit"))
		}
		if got := fmt.Sprint(reads); got != test.reads {
			t.Errorf("%s: %s reads", name, got)
		}
	}
}

// A callback to a slow address is moved once, and left alone where another message has moved or sent it.
func TestMovedToTheSlowQueue(t *testing.T) {
	w := newShop(t)
	w.know(until(-1, time.Hour, -1))
	id := w.add(1, Callback{})
	w.script.Before = func(request string) error {
		if request == "save callback" {
			w.add(1, Callback{})
		}
		return nil
	}
	if w.deliver(id, 1); len(w.queued) > 0 {
		t.Errorf("moved twice: %s", w.queued)
	}
	storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
		w := newShop(t)
		w.know(until(-1, time.Hour, -1))
		id := w.add(1, Callback{})
		return w.script, func() error { return w.Deliver(t.Context(), Message{PaymentID: id, Seq: 1}) }
	})
	w = newShop(t)
	w.know(until(-1, time.Hour, -1))
	w.full = errors.New("full")
	if err := w.Deliver(t.Context(), Message{PaymentID: w.add(1, Callback{}), Seq: 1}); !errors.Is(err, w.full) {
		t.Errorf("the slow queue is full: %v", err)
	}
}

// A slow address takes no further callback of this process, whoever has stored that it is slow. Where that can't be
// stored the try is not lost, and the address is not taken for a fast one.
func TestFoundSlow(t *testing.T) {
	for name, test := range map[string]struct {
		known         breaker
		fails         int // this write to the address
		during        breaker
		after, second string
	}{
		"stored":     {breaker{}, 0, until(-1, -1, probeFor), "slow 30m0s", "[1 slow 0s]"},
		"not stored": {breaker{}, 2, until(-1, -1, probeFor), "probe 13s", "[1 250ms]"},
		"by another": {until(time.Hour, -1, -1), 0, until(-1, time.Hour, -1), "slow 59m58s", "[1 slow 0s]"},
	} {
		w := newShop(t)
		w.know(test.known)
		id, saves := w.add(1, Callback{}), 0
		w.server.takes, w.server.during = SlowAfter, func() { w.know(test.during) }
		w.script.Before = func(request string) error {
			if request == "save callback-circuit" {
				if saves++; saves == test.fails {
					return storetest.ErrFails
				}
			}
			return nil
		}
		w.deliver(id, 1)
		_, state := w.all(id)
		if got := w.known(pens); got != test.after || state != "delivered" ||
			strings.Contains(w.log.String(), "speed of an address not stored") != (test.fails > 0) {
			t.Errorf("%s: %s, known: %s, %s", name, state, got, w.log.String())
		}
		if w.deliver(w.add(2, Callback{}), 1); fmt.Sprint(w.queued) != test.second {
			t.Errorf("%s: the second: %s", name, w.queued)
		}
	}
}

// Of two processes that begin to find out at one moment, one does.
func TestOneProcessFindsOut(t *testing.T) {
	for name, stored := range map[string]breaker{
		"another one finds out": until(-1, -1, 1), "another one has found it slow": until(-1, time.Minute, -1),
	} {
		w := newShop(t)
		id, saves := w.add(1, Callback{}), 0
		w.script.Before = func(request string) error {
			if request == "save callback-circuit" {
				if saves++; saves == 1 {
					w.know(stored)
				}
			}
			return nil
		}
		w.deliver(id, 1)
		if got := fmt.Sprint(w.queued); got != "[1 250ms]" || len(w.server.posted) > 0 || saves != 1 {
			t.Errorf("%s: messages %s, %d posted, %d saves", name, got, len(w.server.posted), saves)
		}
	}
}
