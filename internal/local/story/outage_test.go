package story

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/store"
)

// takingShop takes all callbacks at once and lists their webhook-ids in their order, by address.
type takingShop struct {
	mu    sync.Mutex
	taken map[string][]string
}

func (s *takingShop) Send(_ context.Context, out callback.Outgoing) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[out.URL] = append(s.taken[out.URL], out.Header["webhook-id"])
	return 200, nil
}

// parks stores n parked callbacks of a shop.
func (w *World) parks(s *Shop, n int) {
	w.t.Helper()
	for records := range slices.Chunk(ParkedCallbacks(s.merchant.ID, n, w.clock.Now()), 100) {
		if err := w.app.Store.Save(w.t.(*testing.T).Context(), w.clock.Now(), records...); err != nil {
			w.t.Fatalf("park: %v", err)
		}
	}
}

// listsOnByPages reads all pages of undelivered callbacks from the first one on: each callback is there once, and the
// counts stay. A later page takes fewer requests than the first.
func (w *World) listsOnByPages(by grant.Person, page query.Deliveries, url string) {
	w.t.Helper()
	seen, parked := map[string]bool{}, page.Parked
	for f := (query.Filter{Mode: "test"}); ; {
		for _, c := range page.Callbacks {
			seen[fmt.Sprint(c.PaymentID, c.Seq)] = true
		}
		if f.Cursor = page.Cursor; f.Cursor == "" {
			break
		}
		reads, rest := w.store.reads, len(page.Callbacks)
		var err error
		page, err = w.app.Reader.Deliveries(context.Background(), by, f, url)
		if err != nil || page.Parked != parked || page.More {
			w.t.Fatalf("%+v, %v", page, err)
		}
		if took := w.store.reads - reads; took > 2*96 || rest == 0 {
			w.t.Errorf("a page took %d requests, after one of %d callbacks", took, rest)
		}
	}
	if len(seen) != parked {
		w.t.Errorf("%d of %d callbacks are listed", len(seen), parked)
	}
}

// A dead address has parked a thousand callbacks for two days. They are found and counted in one request, and sent by
// one command that goes on with the cursor: each once, those of a payment in their order. Callbacks of other addresses
// are not sent, and new ones are not delayed.
func TestOutageIsSentAgain(t *testing.T) {
	const n = 1000
	w := open(t)
	other := w.newShop("-2")
	w.parks(w.shop, n)
	w.parks(other, 5)
	w.skip(48 * time.Hour)
	shop := &takingShop{taken: map[string][]string{}}
	w.app.Callbacks.Sender = shop
	dead, healthy := w.shop.merchant.TestNotificationURL, other.merchant.TestNotificationURL
	by := grant.Person{Who: ann, Grants: []grant.Grant{
		{Role: grant.Support, Merchants: []string{w.shop.merchant.ID}, Mode: grant.Both},
	}}
	found, err := w.app.Reader.Deliveries(t.Context(), by, query.Filter{Mode: "test"}, dead)
	if err != nil || found.Parked != n || found.Waiting > 0 || found.More {
		t.Fatalf("%d found, %d waiting, more: %t, %v", found.Parked, found.Waiting, found.More, err)
	}
	w.listsOnByPages(by, found, dead)
	ask := operator.BulkSend{Filter: query.Filter{Mode: "test"}, Expected: n - 1}
	act := actOf(ann, "send")
	_, err = w.app.Actor.By(act).SendMany(t.Context(), by, ask)
	if fault.CodeOf(err) != fault.CodeNotAllowed || !strings.Contains(fmt.Sprintf("%+v", err.(*fault.Error)),
		fmt.Sprintf("There are %d callbacks now, and %d were shown.", n, n-1)) {
		t.Errorf("more than were shown: %v", err)
	}
	ask.Expected = n
	sent, requests := 0, 0
	for {
		act.Key = fmt.Sprint("key ", requests)
		reads, saves := w.store.reads, w.store.saves
		got, err := w.app.Actor.By(act).SendMany(t.Context(), by, ask)
		if err != nil {
			t.Fatal(err)
		}
		if got.Left != n-sent-got.Sent {
			t.Errorf("%+v after %d", got, sent)
		}
		if took := w.store.reads - reads + w.store.saves - saves; requests > 0 && took > 900 {
			t.Errorf("request %d took %d requests of the table", requests, took)
		}
		if again, err := w.app.Actor.By(act).SendMany(t.Context(), by, ask); err != nil || again != got {
			t.Errorf("first %+v, again %+v, %v", got, again, err)
		}
		if requests == 0 {
			w.refusesCursor(by, act, ask, got.Cursor)
		}
		if sent, requests = sent+got.Sent, requests+1; requests == 1 {
			other.visits("pen-1").pays("01/38")
			if len(shop.taken[healthy]) != 1 {
				t.Error("a callback of another address is delayed")
			}
		}
		if ask.Cursor = got.Cursor; got.Cursor == "" || requests > n {
			break
		}
	}
	if sent != n || requests > n/400+1 {
		t.Errorf("%d sent by %d requests", sent, requests)
	}
	w.pass(10 * time.Minute)
	times, latest := map[string]int{}, map[string]string{}
	for _, id := range shop.taken[dead] {
		payment := id[:strings.LastIndexByte(id, '_')]
		if times[id]++; times[id] > 1 || id < latest[payment] {
			t.Errorf("%s comes for the %d. time, after %s", id, times[id], latest[payment])
		}
		latest[payment] = id
	}
	if len(times) != n || len(shop.taken[healthy]) != 1 {
		t.Errorf("%d of %d delivered, and %d of another address", len(times), n, len(shop.taken[healthy]))
	}
	if got := w.acted(); len(got) > n/40+store.DueParked.Shards() || !strings.HasPrefix(got[0], "ann callbacks payment ") {
		t.Errorf("%d entries in the audit log, the first: %.80s", len(got), got[0])
	}
}

// refusesCursor tries to go on with a cursor as somebody else and for other callbacks, and with one made by hand, which
// has callbacks sent in a year in which nobody looks.
func (w *World) refusesCursor(by grant.Person, act audit.Act, ask operator.BulkSend, cursor string) {
	w.t.Helper()
	other, wider, forged := by, ask, ask
	other.Who = "arn:aws:iam::000000000000:user/bob"
	forged.Cursor = store.Cursor(map[string]any{
		"began": w.clock.Now(), "part": 0, "at": w.clock.Now().AddDate(73, 0, 0), "left": 1,
	})
	ask.Cursor, wider.Cursor, wider.Mode = cursor, cursor, "live"
	for name, try := range map[string]struct {
		by  grant.Person
		ask operator.BulkSend
	}{"another person": {other, ask}, "another filter": {by, wider}, "a forged cursor": {by, forged}} {
		act.Key = name
		got, err := w.app.Actor.By(act).SendMany(w.t.(*testing.T).Context(), try.by, try.ask)
		if fault.CodeOf(err) != fault.CodeInvalid && cursor != "" {
			w.t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Nobody sends callbacks of owners that are not theirs, whatever the filter or the cursor says.
func TestSendManyIsOfThePersonsOwn(t *testing.T) {
	w := open(t)
	w.parks(w.shop, 3)
	for _, grants := range [][]grant.Grant{
		nil,
		{{Role: grant.Support, Merchants: []string{"cups"}, Mode: grant.Both}},
		{{Role: grant.Support, Merchants: []string{grant.AllMerchants}, Mode: grant.Live}},
		{{Role: grant.Finance, Merchants: []string{grant.AllMerchants}, Mode: grant.Both}},
	} {
		by := grant.Person{Who: ann, Grants: grants}
		ask := operator.BulkSend{Filter: query.Filter{Mode: "test", Merchant: w.shop.merchant.ID}, Expected: 3}
		if got, err := w.app.Actor.By(actOf(ann, "x")).SendMany(t.Context(), by, ask); err != nil || got.Sent != 0 {
			t.Errorf("%+v: %+v, %v", grants, got, err)
		}
		for _, cursor := range []string{"x", "e30", "eyJwYXJ0IjotMX0"} {
			ask.Cursor = cursor
			_, err := w.app.Actor.By(actOf(ann, "x")).SendMany(t.Context(), by, ask)
			if fault.CodeOf(err) != fault.CodeInvalid {
				t.Errorf("cursor %s: %v", cursor, err)
			}
		}
	}
	if got := w.acted(); len(got) > 0 {
		t.Errorf("audit log %q", got)
	}
}

// An operator closes the circuit breaker of an address: callbacks flow again before its time is over.
func TestAddressIsOpened(t *testing.T) {
	w := open(t)
	w.shop.responds(0)
	for i := range 8 {
		w.shop.visits(pen(i)).pays("01/38")
	}
	w.pass(2 * time.Minute)
	w.shop.responds(200)
	owner, url := fault.Owner{Merchant: w.shop.merchant.ID, Test: true}, w.shop.merchant.TestNotificationURL
	before := len(w.shop.Taken())
	w.shop.visits("pen-8").pays("01/38")
	if got := len(w.shop.Taken()); got != before {
		t.Fatalf("%d callbacks: the circuit breaker did not open", got-before)
	}
	act := actOf(ann, "open")
	for range 2 { // a second time there is nothing to do
		if err := w.app.Actor.By(act).CloseAddress(t.Context(), owner, url); err != nil {
			t.Fatal(err)
		}
	}
	w.pass(11 * time.Second) // other functions know it then
	w.shop.visits("pen-9").pays("01/38")
	if got := len(w.shop.Taken()); got <= before {
		t.Error("callbacks do not flow")
	}
	if got := w.acted(); len(got) != 1 || got[0] != "ann address/"+owner.Text()+" its circuit breaker is closed: "+url {
		t.Errorf("audit log %q", got)
	}
}
