package story

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/query"
	"checkout/internal/store"
)

// supporter has the role support for live and test payments of merchants.
func supporter(merchants ...string) grant.Person { return holder(grant.Support, merchants...) }

func holder(role grant.Role, merchants ...string) grant.Person {
	return grant.Person{Who: "ann", Grants: []grant.Grant{{
		Who: "ann", Role: role, Merchants: merchants, Mode: grant.Both,
	}}}
}

// counted is a store that counts its requests.
type counted struct {
	store.Store
	requests atomic.Int64
}

func (c *counted) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	c.requests.Add(1 + int64(len(keys)-1)/100) // BatchGetItem takes 100 keys
	return c.Store.Get(ctx, now, keys...)
}

func (c *counted) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	c.requests.Add(1)
	return c.Store.List(ctx, now, query)
}

func (c *counted) Due(ctx context.Context, now time.Time, query store.DueQuery) ([]store.DueEntry, error) {
	c.requests.Add(1)
	return c.Store.Due(ctx, now, query)
}

// countsRequests counts the requests to the store from now on.
func (w *World) countsRequests() *counted {
	c := &counted{Store: w.app.Core.Store}
	w.app.Core.Store = c
	return c
}

// indexes lists all payments.
func (w *World) indexes() {
	w.t.Helper()
	if err := w.app.IndexChanges(context.Background()); err != nil {
		w.t.Fatalf("index: %v", err)
	}
}

// Each handle finds its payment with at most three requests to the store, and not for who may see another merchant's
// payments alone. No result has a session's whole id.
func TestFindByAnyHandle(t *testing.T) {
	w := open(t, all, operations)
	byCard := w.shop.visits("pen-1", knownPayer, with("req_token", true))
	byCard.pays("01/38")
	refund := w.postAs("/api/v1/payment/refund", w.shop.Sign(w.shop.AmountBody(byCard.paymentID(), "3.00")))
	w.work()
	m, _ := method.Find("instant_transfer")
	byTransfer := w.shop.chooses(t, m, "AR", "settled")
	byTransfer.pays(t)
	w.indexes()
	count := w.countsRequests()
	kinds := map[string]bool{}
	for visit, cause := range map[*Visit]string{byCard: refund, byTransfer.Visit: ""} {
		one := visit.payment()
		p := &one
		for kind, text := range HandlesOf(p, visit.session, cause) {
			kinds[kind] = true
			count.requests.Store(0)
			found, err := w.app.Reader.Find(t.Context(), supporter("shop"), text, query.Filter{Mode: "test"})
			i := slices.IndexFunc(found.Rows, func(row query.Row) bool { return row.ID == p.ID })
			if err != nil || i < 0 || found.Rows[i].State != string(p.Status) || len(found.Rows) > 1 && kind != "amount" {
				t.Errorf("by %s %q: %+v, %v", kind, text, found, err)
			}
			if n := count.requests.Load(); n > 3 {
				t.Errorf("by %s: %d requests", kind, n)
			}
			if text, _ := json.Marshal(found); strings.Contains(string(text), visit.session[32:]) {
				t.Errorf("by %s: the session's id is in %s", kind, text)
			}
			for _, other := range []string{"another", "shop-2"} {
				found, err := w.app.Reader.Find(t.Context(), supporter(other), text, query.Filter{Mode: "test"})
				if err != nil || len(found.Rows) != 0 {
					t.Errorf("by %s for the person of %s: %+v, %v", kind, other, found, err)
				}
			}
		}
	}
	if len(kinds) < 13 { // a session id counts twice
		t.Errorf("only by %v", kinds)
	}
}

// Every request that a timeline names finds its payment with at most three requests to the store: the page's call that
// made a job which is under way, what told of its outcome, and the merchant's own calls.
func TestFindByTheRequestsOfATimeline(t *testing.T) {
	w := open(t, operations)
	w.goesLive(silent())
	visit := w.shop.visits("pen-1")
	visit.pays("01/38")
	underWay := w.findsAllRequestsOf(visit.paymentID())
	w.reported(realBank, visit.about("", connector.Result{Outcome: connector.OutcomeApproved}))
	w.work()
	w.postAs("/api/v1/payment/refund", w.shop.Sign(w.shop.AmountBody(visit.paymentID(), "3.00")))
	w.work()
	after := w.findsAllRequestsOf(visit.paymentID())
	if underWay != 1 || after < 2 {
		t.Errorf("%d requests while the charge is under way, %d afterwards", underWay, after)
	}
}

// findsAllRequestsOf finds a payment by each request that its timeline names, and returns how many there are.
func (w *World) findsAllRequestsOf(id string) int {
	w.t.Helper()
	ctx := context.Background()
	w.indexes()
	view, err := w.app.Reader.View(ctx, supporter("shop"), id)
	if err != nil {
		w.t.Fatalf("view: %v", err)
	}
	requests, count := map[string]bool{}, w.countsRequests()
	for _, event := range view.Timeline {
		for _, detail := range event.Details {
			if detail.Name != "request" || requests[detail.Text] {
				continue
			}
			requests[detail.Text] = true
			count.requests.Store(0)
			found, err := w.app.Reader.Find(ctx, supporter("shop"), detail.Text, query.Filter{})
			if err != nil || len(found.Rows) != 1 || found.Rows[0].ID != id || count.requests.Load() > 3 {
				w.t.Errorf("by %s of %q: %+v, %d requests, %v", detail.Text, event.Text, found, count.requests.Load(), err)
			}
		}
	}
	return len(requests)
}

// An id of the provider's that looks like another value finds its payment with at most two requests, beside the one
// that reads who asks. What is the id of another payment as well finds both, with at most three.
func TestFindByWhatLooksAlike(t *testing.T) {
	w := open(t, all)
	first, second := w.shop.visits("pen-1"), w.shop.visits("pen-2")
	first.pays("01/38")
	second.pays("01/38")
	w.indexes()
	one, two := first.payment(), second.payment()
	digits := strings.Repeat("0123456789abcdef", 4)
	at := func(digit string) string { return digits[:12] + digit + digits[13:] }
	otherTime := one.ID[:len(one.ID)-8] + "00000000"
	alike := []string{
		at("8"), at("9"), at("8")[:32], at("9")[:32], digits, strings.ToUpper(at("9")), // sessions, a token
		otherTime, "msg_" + otherTime + "_1", "01234567-89ab-8cde-8f01-23456789abcd", // a payment, a callback
		"01234567-89ab-4cde-8f01-23456789abcd", "pen@pens.example", "411111******1111",
		"1111", "a1b2c3", "10.00", "10 USD", "012345678901", "2030-03-04",
		"41111111-1111-4115-8abc-abcdefabcdef", "abcdefab-cdef-4abc-8111-111111111112", // a card's number within
		"01234567-0123-8123-8123-012345678901", strings.Repeat("1", 64), strings.Repeat("8", 32), // digits alone
		"1700000000004", "1e5", "0", "null", "masked", "absent", "today", "order 17 2030-03-04",
	}
	both := []string{one.ID, first.session, first.session[:32], strings.ToUpper(one.ID), one.Order.Number}
	count := w.countsRequests()
	for i, value := range append(alike, both...) {
		key, err := store.FindKey(listing.Handle(value), two.Text(), two.ID)
		entry := store.Record{Key: key, Doc: []byte("{}")}
		if err != nil || w.app.Store.Save(t.Context(), w.clock.Now(), entry) != nil {
			t.Fatalf("list %q: %v", value, err)
		}
		want, most := []string{"pen-2"}, int64(2)
		if i >= len(alike) {
			want, most = []string{"pen-1", "pen-2"}, 3
		}
		count.requests.Store(0)
		found, err := w.app.Reader.Find(t.Context(), supporter("shop"), value, query.Filter{Mode: "test"})
		var numbers []string
		for _, row := range found.Rows {
			numbers = append(numbers, row.Order)
		}
		slices.Sort(numbers)
		if err != nil || !slices.Equal(numbers, want) || count.requests.Load() > most {
			t.Errorf("%q: %q, want %q, by %d requests: %v", value, numbers, want, count.requests.Load(), err)
		}
		if entry.Delete = true; w.app.Store.Save(t.Context(), w.clock.Now(), entry) != nil {
			t.Fatalf("%q stays listed", value)
		}
	}
}

// Whoever may see all merchants need not name one to find what many payments have in common, as long as few merchants
// have payments of that day.
func TestFindInADayOfAllMerchants(t *testing.T) {
	w := open(t)
	w.shop.visits("pen-1").pays("01/38")
	w.indexes()
	count := w.countsRequests()
	mode := ""
	find := func(merchants ...string) query.Found {
		count.requests.Store(0)
		text := "1111 " + w.clock.Now().UTC().Format(time.DateOnly)
		found, err := w.app.Reader.Find(t.Context(), supporter(merchants...), text, query.Filter{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for _, merchants := range [][]string{{grant.AllMerchants}, {"shop", "shop-2"}} {
		if found := find(merchants...); len(found.Rows) != 1 || count.requests.Load() > 3 {
			t.Errorf("of %v: %+v, %d requests", merchants, found, count.requests.Load())
		}
	}
	if found := find("shop-2", "shop-3"); len(found.Rows) > 0 {
		t.Errorf("of other merchants: %+v", found)
	}
	mode = "live"
	if found := find(grant.AllMerchants); len(found.Rows) > 0 {
		t.Errorf("of live payments: %+v", found)
	}
	mode = "test"
	for i := range 11 {
		w.newShop(fmt.Sprint("-", i+2)).visits("pen-1").pays("01/38")
	}
	w.indexes()
	if found := find(grant.AllMerchants); len(found.Rows) > 0 || !strings.Contains(found.Note, "Name the merchant") {
		t.Errorf("of twelve merchants: %+v", found)
	}
	if found := find("shop", "shop-2", "shop-3"); len(found.Rows) != 3 {
		t.Errorf("of three of them: %+v", found)
	}
}
