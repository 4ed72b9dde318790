package callback

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// Parked and waiting callbacks are listed that a query chooses, in the order of their events. None that is withheld is.
// What can't have them is not read.
func TestUndelivered(t *testing.T) {
	w := newShop(t)
	at := func(d time.Duration) time.Time { return began.Add(d) }
	refund := Fields{{Name: "status", Value: "fail"}, {Name: "type", Value: "refund"}, {Name: "hash", Value: "no"}}
	w.add(1, Callback{State: Delivered}, Callback{State: Parked, Fields: refund, Tries: []Try{{}, {Status: 500}}},
		Callback{NextAt: at(time.Hour), Tries: []Try{{}}}, Callback{NextAt: at(time.Hour), SessionID: "s"},
		Callback{State: Dropped})
	const own, shown = "https://ann:word@own.example/hook?key=1", "https://...@own.example/hook?..."
	w.add(2, Callback{URL: own, State: Parked, CreatedAt: at(-1), dueAt: at(time.Minute),
		Tries: []Try{{Error: "refused"}}})
	w.add(3, Callback{Owner: fault.Owner{Test: true}, CreatedAt: at(1), NextAt: at(1)})
	bare := of("bare", "")
	bare.State = Parked
	w.add(6, bare)
	texts := map[string]string{}
	for name, row := range map[string]struct {
		query       Query
		want, reads string // order.number of each; parked ones, waiting ones, those of test payments, documents
	}{
		"all":                  {Query{}, "2.1 1.2 1.3 6.1 3.1", "pwtd"},
		"parked":               {Query{State: Parked}, "2.1 1.2 6.1", "pd"},
		"waiting":              {Query{State: Waiting}, "1.3 3.1", "wtd"},
		"since it happened":    {Query{Since: at(0)}, "1.2 1.3 6.1 3.1", "pwtd"},
		"since then":           {Query{Since: at(1)}, "3.1", "pwtd"},
		"since nothing is due": {Query{Since: at(2 * time.Hour)}, "", "pwt"},
		"until it happened":    {Query{Until: at(0)}, "2.1", "pwtd"},
		"until then":           {Query{Until: at(1)}, "2.1 1.2 1.3 6.1", "pwtd"},
		"of an address":        {Query{URL: hook}, "1.2 1.3", "pwtd"},
		"of one with a secret": {Query{URL: own}, "2.1", "pwtd"},
		"of what is shown":     {Query{URL: shown}, "2.1", "pwtd"},
		"of test payments":     {Query{Of: func(o fault.Owner) bool { return o.Test }}, "3.1", "pwtd"},
	} {
		w.script.Requests()
		found, err := w.Undelivered(t.Context(), row.query)
		got, reads, requests := "", "", w.script.Requests()
		for i, part := range []string{"due parked", "due callback", "due test-callback", "get callback"} {
			if slices.Contains(requests, part) {
				reads += "pwtd"[i : i+1]
			}
		}
		for _, c := range found {
			order := 1
			for paymentID(order) != c.PaymentID {
				order++
			}
			name := fmt.Sprint(order, ".", c.Seq)
			got += " " + name
			texts[name] = fmt.Sprintf("%q %s %s, %d tries: %s, to %s",
				c.Event, c.State, c.At.Sub(began), c.Tries, c.LastTry, c.URL)
		}
		if strings.TrimSpace(got) != row.want || reads != row.reads || err != nil {
			t.Errorf("%s: %s, read: %s, %v", name, got, reads, err)
		}
	}
	for name, want := range map[string]string{
		"1.2": `"refund fail" parked 0s, 2 tries: HTTP 500, to ` + hook,
		"1.3": `"" waiting 1h0m0s, 1 tries: no answer, to ` + hook,
		"2.1": `"" parked 1m0s, 1 tries: refused, to ` + own,
		"3.1": `"" waiting 1ns, 0 tries: , to ` + hook + "/test",
		"6.1": `"" parked 0s, 0 tries: , to `,
	} {
		if texts[name] != want {
			t.Errorf("%s: %s", name, texts[name])
		}
	}
	for _, fails := range []string{"due test-callback", "get callback", "get merchant"} {
		w := newShop(t)
		w.add(1, Callback{State: Parked})
		w.script.Before = func(request string) error { return map[string]error{fails: storetest.ErrFails}[request] }
		if _, err := w.Undelivered(t.Context(), Query{}); !errors.Is(err, storetest.ErrFails) {
			t.Errorf("%s fails: %v", fails, err)
		}
	}
}

// lagging is a store whose due listing lists everywhere what another store has parked.
type lagging struct {
	store.Store
	before store.Store
}

func (s lagging) Due(ctx context.Context, now time.Time, query store.DueQuery) ([]store.DueEntry, error) {
	query.Kind = store.DueParked
	return s.before.Due(ctx, now, query)
}

// While the due listing lags behind, what has moved is listed once, and nothing that is delivered.
func TestUndeliveredWhileListingLags(t *testing.T) {
	before, w := newShop(t), newShop(t)
	before.add(1, slices.Repeat([]Callback{{State: Parked}}, 40)...)
	w.Store = lagging{w.docs, before.docs}
	w.add(1, slices.Repeat([]Callback{{State: Delivered}, {}}, 20)...)
	found, err := w.Undelivered(t.Context(), Query{})
	if len(found) != 20 || err != nil {
		t.Fatalf("%d listed, %v", len(found), err)
	}
	for i, c := range found {
		if c.Seq != 2*(i+1) {
			t.Errorf("number %d at place %d", c.Seq, i)
		}
	}
}

// People see no user, password or query of an address.
func TestShownURL(t *testing.T) {
	for url, want := range map[string]string{
		hook: hook, hook + "?key=1#part": hook + "?...", "https://ann@pens.example": "https://...@pens.example", "%": "",
	} {
		if got := ShownURL(url); got != want {
			t.Errorf("%s is shown as %s", url, got)
		}
	}
}

// At most so many of each shard are listed, however many pages these are, and only then it is said that there are more.
func TestSomeOfEachShard(t *testing.T) {
	w := newShop(t)
	in := map[int]int{} // how many each shard has
	for i := range 4000 {
		key, err := store.CallbackKey(paymentID(i+1), 1)
		if err != nil {
			t.Fatal(err)
		}
		if shard := store.DueShard(store.DueParked, key); shard < 2 {
			w.add(i+1, Callback{State: Parked, dueAt: w.now})
			in[shard]++
		}
	}
	most := 0
	for _, n := range in {
		most = max(most, n)
	}
	if most <= listedPage {
		t.Fatalf("no shard has more than a page: %v", in)
	}
	for _, atMost := range []int{1, listedPage - 1, listedPage, listedPage + 1, most - 1, most, most + 1, math.MaxInt} {
		want := 0
		for _, n := range in {
			want += min(n, atMost)
		}
		found, end, err := w.UndeliveredOf(t.Context(), Query{}, atMost)
		more := !end.At.IsZero()
		if len(found) != want || more != (atMost < most) || err != nil {
			t.Errorf("at most %d: %d of %d listed, more: %t, %v", atMost, len(found), want, more, err)
		}
	}
	var pages []Undelivered
	for query := (Query{}); ; {
		found, end, err := w.UndeliveredOf(t.Context(), query, 7)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(found, func(a, b Undelivered) int { return store.CompareDue(a.Listed, b.Listed) })
		for _, c := range found {
			if end.At.IsZero() || store.CompareDue(c.Listed, end) <= 0 {
				pages = append(pages, c)
			}
		}
		if query.After = end; end.At.IsZero() {
			break
		}
	}
	all, err := w.Undelivered(t.Context(), Query{})
	if len(pages) != len(all) || err != nil || !slices.IsSortedFunc(pages, func(a, b Undelivered) int {
		return store.CompareDue(a.Listed, b.Listed)
	}) {
		t.Errorf("%d of %d are listed page by page, %v", len(pages), len(all), err)
	}
}
