package callback

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/local/golden"
	"checkout/internal/request"
	"checkout/internal/store"
)

// What operators do with callbacks and addresses, and what they see of them: testdata/acts.golden.
func TestActs(t *testing.T) {
	five := waiting(in(tried(1), Delivered), in(tried(9), Parked), waitsUntil(tried(4), time.Hour),
		waitsUntil(Callback{SessionID: "s"}, time.Hour), in(tried(9), Parked), waitsUntil(tried(1), leaseTTL))
	again := func(seq int) func(*world) error {
		return func(w *world) error { return w.SendAgain(t.Context(), aPayment, seq) }
	}
	all := func(query Query) func(*world) error {
		return func(w *world) error {
			found, err := w.Undelivered(t.Context(), query)
			for _, c := range found {
				w.done = append(w.done, fmt.Sprintf("listed %d %s %s, %d tries %q", c.Seq, c.State, c.URL, c.Tries, c.LastTry))
			}
			sent, errSent := w.SendAll(t.Context(), query)
			w.done = append(w.done, fmt.Sprintf("%d sent", sent))
			return errors.Join(err, errSent)
		}
	}
	opens := func(w *world) error {
		closed, err := w.Open(t.Context(), owner, []string{address})
		states, errStates := w.AddressStates(t.Context(), []string{BreakerAddress(owner, address)})
		w.done = append(w.done, fmt.Sprintf("closed %t, then %+v", closed, states))
		return errors.Join(err, errStates)
	}
	states := func(w *world) error {
		states, err := w.AddressStates(t.Context(), []string{"another", BreakerAddress(owner, address)})
		w.done = append(w.done, fmt.Sprintf("%+v", states))
		return err
	}
	open := breaker{OpenUntil: happened.Add(time.Minute), FastUntil: happened.Add(time.Second)}
	slow := breaker{SlowUntil: happened.Add(time.Minute), ProbeUntil: happened.Add(2 * time.Minute)}
	over := breaker{OpenUntil: happened, SlowUntil: happened, FastUntil: happened.Add(time.Hour)}
	var got strings.Builder
	for _, act := range []struct {
		name   string
		do     func(*world) error
		stored []store.Record
	}{
		{"the second is sent again", again(2), five},
		{"the fifth is sent again", again(5), five},
		{"the third is sent now", again(3), five},
		{"the first, which is delivered", again(1), five},
		{"the fourth, which is withheld", again(4), five},
		{"the sixth, which is being sent", again(6), five},
		{"number 0", again(0), five}, {"one that does not exist", again(9), five},
		{"all", all(Query{}), five},
		{"all that are parked", all(Query{State: Parked}), five},
		{"all that wait", all(Query{State: Waiting}), five},
		{"all of an address", all(Query{URL: address}), five},
		{"all of another address", all(Query{URL: "https://another.example"}), five},
		{"all since they happened", all(Query{Since: happened}), five},
		{"all since later", all(Query{Since: happened.Add(1)}), five},
		{"all until they happened", all(Query{Until: happened}), five},
		{"all until later", all(Query{Until: happened.Add(1)}), five},
		{"all of the shop", all(Query{Of: func(o request.Owner) bool { return o == owner }}), five},
		{"all of nobody", all(Query{Of: func(request.Owner) bool { return false }}), five},
		{"closing a circuit breaker", opens, known(open)}, {"forgetting that an address is slow", opens, known(slow)},
		{"closing one that closes by itself now", opens, known(over)},
		{"forgetting a timeout", opens, known(breaker{Timeouts: []time.Time{happened}})},
		{"closing one of an address of which nothing is known", opens, nil},
		{"addresses, one open", states, known(open)}, {"addresses, one slow", states, known(slow)},
		{"addresses, one no longer", states, known(over)},
	} {
		w := newWorld(t, happened, responses[0], act.stored...)
		w.Act = audit.Act{ID: "id", Who: "Ann", Command: "callbacks send"}
		before := w.documents()
		fmt.Fprintf(&got, "%s:%s\n", act.name, w.told(before, act.do(w)))
		kept, err := audit.List(t.Context(), w.Store, audit.Query{Until: happened.Add(time.Hour), Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range slices.Backward(kept.Entries) {
			fmt.Fprintf(&got, "    audit: %s: %s\n", strings.ReplaceAll(entry.What, aPayment, "payment"),
				strings.ReplaceAll(strings.Join(entry.Changes, "; "), aPayment, "payment"))
		}
	}
	golden.Compare(t, "testdata/acts.golden", got.String(), *update)
}
