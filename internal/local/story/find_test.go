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
