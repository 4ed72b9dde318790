package story

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/store"
)

// supporter has the role support for live and test payments of a merchant.
func supporter(merchant string) grant.Person {
	return grant.Person{Who: "ann", Grants: []grant.Grant{{
		Who: "ann", Role: grant.Support, Merchants: []string{merchant}, Mode: grant.Both,
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

// A payment with all that people may have in their hands is found by each of it, also when it was refunded, and by the
// page's addresses; and a viewer, who sees no more of the e-mail address than its beginning, finds by the same.
func TestFindByEveryHandle(t *testing.T) {
	w := open(t, operations)
	visit := w.shop.visits("pen-1", customer, customData(map[string]any{"customer_id": 4711}),
		with("billing_address", map[string]any{
			"country": "US", "city": "New York", "address": "5th Avenue 1", "zip": "10001", "state": "NY",
			"phone": "(212) 555-0100", "phone_country_code": "+1",
		}), with("payer_ip", "2001:db8:0:0::1"))
	visit.pays("01/38")
	refund := w.postAs("/api/v1/payment/refund", w.shop.Sign(w.shop.AmountBody(visit.paymentID(), "3.00")))
	w.work()
	w.indexes()
	p := visit.payment()
	handles := HandlesOf(&p, visit.Session, refund)
	for kind, text := range map[string]string{
		"turned name": "Lovelace, Ada", "whole phone number": "+1 212 555 0100", "stated address": "2001:DB8::1",
		"customer id": "4711", "page": "https://pay.example/?session=" + visit.Session, "day": "$10.00 4 March",
		"page of operators": "http://127.0.0.1:1/#/payments/" + p.ID + "?mode=test", "quotes": `"pen-1"`,
		"day alone": "04.03.2030", "newest": "10,00 USD",
	} {
		handles[kind] = text
	}
	for _, kind := range []string{"name", "phone number", "IP address", "session's request", "refund reference", "mask"} {
		if handles[kind] == "" {
			t.Errorf("there is no %s", kind)
		}
	}
	viewer := supporter("shop")
	viewer.Grants[0].Role = grant.Viewer
	for kind, text := range handles {
		for email, role := range map[string]string{"ada@example.org": "support", "a***@example.org": "viewer"} {
			by := map[string]grant.Person{"support": supporter("shop"), "viewer": viewer}[role]
			found, err := w.app.Reader.Find(context.Background(), by, text, query.Filter{})
			if err != nil || len(found.Rows) != 1 || found.Rows[0].ID != p.ID || found.Rows[0].Email != email {
				t.Errorf("by %s %q for %s: %+v, %v", kind, text, role, found, err)
			}
		}
		none, err := w.app.Reader.Find(context.Background(), supporter("other"), text, query.Filter{})
		if err != nil || len(none.Rows) > 0 {
			t.Errorf("by %s %q for another merchant: %+v, %v", kind, text, none, err)
		}
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
