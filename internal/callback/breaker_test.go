package callback

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// Five timeouts within five minutes open an address's circuit breaker for fifteen. Meanwhile a callback waits, without
// a try, and so do those after it. Neither other failures nor other owners of the address count.
func TestTimeoutsOpenTheBreaker(t *testing.T) {
	const minute = time.Minute
	for name, test := range map[string]struct {
		at   []time.Duration
		last error
		want string // what is known after the last one
	}{
		"four":                        {[]time.Duration{0, 1, 2, 3}, ErrTimeout, "timeouts 4"},
		"five at once":                {[]time.Duration{0, 0, 0, 0, 0}, ErrTimeout, "open 15m0s"},
		"five, a moment before":       {[]time.Duration{1, minute, minute, minute, 5 * minute}, ErrTimeout, "open 15m0s"},
		"five, but one no longer":     {[]time.Duration{0, minute, minute, minute, 5 * minute}, ErrTimeout, "timeouts 4"},
		"the fifth fails another way": {[]time.Duration{0, 0, 0, 0, 0}, errors.New("refused"), "timeouts 4"},
		"four after it was open": {[]time.Duration{0, 0, 0, 0, 0, 15 * minute, 15 * minute, 15 * minute, 15 * minute},
			ErrTimeout, "timeouts 4"},
	} {
		w := newShop(t)
		other := BreakerAddress(fault.Owner{Merchant: "bare"}, hook)
		for i, at := range test.at {
			w.now, w.server.err = began.Add(at), ErrTimeout
			if i == len(test.at)-1 {
				w.server.err = test.last
			}
			message := Message{PaymentID: w.add(i, Callback{}), Seq: 1, Slow: true}
			if err := w.Deliver(t.Context(), message); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.known(pens); got != test.want || w.known(other) != "" {
			t.Errorf("%s: %s; of another owner: %s", name, got, w.known(other))
		}
	}
	for name, test := range map[string]struct {
		open   time.Duration
		posted string
		want   string
	}{
		"open": {time.Minute, "[]", "waiting 1m0s (callback 1m0s), waiting 0s (callback 1m0s)"},
		"over": {0, "[1 2]", "delivered, delivered"},
	} {
		w := newShop(t)
		id := w.add(1, Callback{}, Callback{})
		w.know(breaker{OpenUntil: began.Add(test.open), FastUntil: began.Add(time.Hour)})
		w.deliver(id, 1)
		all, got := w.all(id)
		if fmt.Sprint(w.server.numbers) != test.posted || got != test.want || len(all[0].Tries) != len(w.server.posted)/2 {
			t.Errorf("%s: posted %s, %s", name, w.server.numbers, got)
		}
	}
}

// A timeout that can't be counted does not lose the try.
func TestTimeoutNotCounted(t *testing.T) {
	for _, fails := range []bool{false, true} {
		w := newShop(t)
		id := w.add(1, Callback{Owner: fault.Owner{Test: true}})
		w.server.err = ErrTimeout
		w.script.Before = func(request string) error {
			if fails && request == "save callback-circuit" {
				return storetest.ErrFails
			}
			return nil
		}
		w.deliver(id, 1)
		if _, got := w.all(id); got != "waiting 1m0s (test-callback 2m0s)" || fmt.Sprint(w.queued) != "[1 test 1m0s]" ||
			strings.Contains(w.log.String(), "timeout of an address not stored") != fails {
			t.Errorf("fails: %t: %s, %s, %s", fails, got, w.queued, w.log.String())
		}
	}
}

// What is known of an address is stored for as long as any of it counts, and a minute at least.
func TestKnownAddressExpires(t *testing.T) {
	const minute = time.Minute
	for _, test := range []struct {
		known breaker
		want  time.Duration
	}{
		{breaker{}, minute}, {breaker{OpenUntil: began.Add(2 * minute)}, 2 * minute}, {until(3*minute, -1, -1), 3 * minute},
		{until(-1, 4*minute, -1), 4 * minute}, {until(-1, -1, 2*minute), 2 * minute},
		{breaker{Timeouts: []time.Time{began.Add(-minute), began}}, 5 * minute},
	} {
		w := newShop(t)
		err := w.changeBreaker(t.Context(), began, delivery{callback: &Callback{}, address: pens}, func(b *breaker) bool {
			*b = test.known
			return true
		})
		r, readErr := store.GetOne(t.Context(), w.docs, w.now, store.BreakerKey(pens))
		if got := r.ExpiresAt.Sub(began); err != nil || readErr != nil || got != test.want {
			t.Errorf("%+v expires after %s, %v, %v", test.known, got, err, readErr)
		}
	}
}

// An operator closes the circuit breakers of an owner's addresses, who then are not slow either. Nothing else changes,
// and what was closed is in the audit log, without what may be secret of the address.
func TestClose(t *testing.T) {
	timeouts := breaker{Timeouts: []time.Time{began}, FastUntil: began.Add(time.Hour), ProbeUntil: began.Add(1)}
	note := store.Encode(store.SettingsVersionKey("pens", 1), 0, "a record that is stored with it")
	for name, test := range map[string]struct {
		known breaker
		fails string // "address": a timeout comes between; "always": one does each time
		after string
		saves int // of the address
	}{
		"open":                     {breaker{OpenUntil: began.Add(1)}, "", "", 1},
		"slow":                     {until(time.Hour, 1, 1), "", "fast 1h0m0s, probe 1ns", 1},
		"has had a timeout":        {timeouts, "", "fast 1h0m0s, probe 1ns", 1},
		"was open and slow":        {breaker{OpenUntil: began, SlowUntil: began}, "", "open 0s, slow 0s", 0},
		"fast":                     {until(time.Hour, -1, -1), "", "fast 1h0m0s", 0},
		"a timeout comes between":  {breaker{OpenUntil: began.Add(1)}, "address", "", 2},
		"others come all the time": {breaker{OpenUntil: began.Add(1)}, "always", "open 1ns", store.ConflictTries},
		"the record is there":      {breaker{OpenUntil: began.Add(1)}, "record", "open 1ns", 1},
	} {
		w := newShop(t)
		w.know(test.known)
		w.Act = audit.Act{ID: "act", Who: "ann"}
		saves := 0
		w.script.Before = func(request string) error {
			if !strings.HasPrefix(request, "save ") {
				return nil
			}
			switch saves++; {
			case test.fails == "address" && saves == 1, test.fails == "always":
				w.know(test.known)
			case test.fails == "record":
				w.save(note)
			}
			return nil
		}
		owner := fault.Owner{Merchant: "pens"}
		urls := []string{"https://never.example/", hook}
		closed, err := w.Close(t.Context(), owner, urls, note)
		stays := test.saves == 0 || test.fails == "always" || test.fails == "record"
		if failed := stays && test.saves > 0; closed == stays || (err != nil) != failed {
			t.Errorf("%s: closed %t, %v", name, closed, err)
		}
		if after := w.known(pens); after != test.after || saves != test.saves {
			t.Errorf("%s: %s after %d saves", name, after, saves)
		}
		lasts := map[bool]time.Duration{true: time.Minute, false: time.Hour}[test.known.FastUntil.IsZero()]
		r, readErr := store.GetOne(t.Context(), w.docs, w.now, store.BreakerKey(pens))
		if readErr != nil || !stays && !r.ExpiresAt.Equal(began.Add(lasts)) {
			t.Errorf("%s: what is left expires at %s, %v", name, r.ExpiresAt, readErr)
		}
		found, readErr := store.GetOne(t.Context(), w.docs, w.now, note.Key)
		if readErr != nil || (found.Version == 1) != (!stays || test.fails == "record") {
			t.Errorf("%s: the other record has version %d, %v", name, found.Version, readErr)
		}
		want := "[]"
		if !stays {
			want = "[address/live/pens: its circuit breaker is closed: https://pens.example/hook]"
		}
		if got := fmt.Sprint(w.acts()); got != want {
			t.Errorf("%s: the audit log has %s", name, got)
		}
	}
	secretURL := "https://ann:word@pens.example/hook?key=1#part"
	for url, shown := range map[string]string{secretURL: "https://...@pens.example/hook?...", "%": ""} {
		w := newShop(t)
		w.Act = audit.Act{ID: "act"}
		owner := fault.Owner{Merchant: "pens", Test: true}
		w.save(store.Encode(store.BreakerKey(BreakerAddress(owner, url)), 0, breaker{OpenUntil: began.Add(1)}))
		closed, err := w.Close(t.Context(), owner, []string{url})
		if got := fmt.Sprint(w.acts()); !closed || err != nil ||
			got != "[address/test/pens: its circuit breaker is closed: "+shown+"]" {
			t.Errorf("%s: %t, %s, %v", url, closed, got, err)
		}
	}
	storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
		w := newShop(t)
		w.know(breaker{OpenUntil: began.Add(1)})
		return w.script, func() error {
			closed, err := w.Close(t.Context(), fault.Owner{Merchant: "pens"}, []string{hook})
			if closed != (err == nil) {
				t.Errorf("closed %t, %v", closed, err)
			}
			return err
		}
	})
}

// acts are what the audit log has, each as "what: changes".
func (w *shop) acts() (all []string) {
	w.t.Helper()
	page, err := audit.List(w.t.Context(), w.docs, audit.Query{Until: w.now.Add(1), Limit: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range page.Entries {
		all = append(all, e.What+": "+strings.Join(e.Changes, "; "))
	}
	return all
}

// Operators see which addresses are closed or slow.
func TestAddressStates(t *testing.T) {
	w := newShop(t)
	in := func(d time.Duration) time.Time { return began.Add(d) }
	var addresses []string
	for i, b := range []breaker{
		{OpenUntil: in(1)}, {OpenUntil: in(0), SlowUntil: in(1)}, {SlowUntil: in(0), FastUntil: in(1)}, {},
	} {
		addresses = append(addresses, BreakerAddress(fault.Owner{Merchant: "pens"}, fmt.Sprint(hook, i)))
		w.save(store.Encode(store.BreakerKey(addresses[i]), 0, b))
	}
	addresses = append(addresses, "never seen")
	states, err := w.AddressStates(t.Context(), addresses)
	want := []AddressState{{OpenUntil: in(1)}, {Slow: true}, {}, {}, {}}
	if fmt.Sprint(states) != fmt.Sprint(want) || err != nil {
		t.Errorf("%v, %v", states, err)
	}
	if states, err := w.AddressStates(t.Context(), nil); len(states) > 0 || err != nil {
		t.Errorf("of none: %v, %v", states, err)
	}
	storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
		w := newShop(t)
		return w.script, func() error {
			_, err := w.AddressStates(t.Context(), addresses)
			return err
		}
	})
	w.save(store.Record{Key: store.BreakerKey(pens), Doc: []byte("{")})
	if _, err := w.AddressStates(t.Context(), []string{pens}); err == nil {
		t.Error("what can't be read is taken for an address that does well")
	}
}
