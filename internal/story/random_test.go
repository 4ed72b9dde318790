package story

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/screen"

	"pgregory.net/rapid"
)

// Whatever happens to one session in whatever order - clicks, messages that are
// lost or come again, notices, answers of the store that are lost, functions
// that die between any two writes - the payer is charged once at most, and
// when all has been swept for long enough, everybody knows the same.
func TestAnythingInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := open(t)
		r := &random{world: w, visit: w.shop.visits("pen-1"), statuses: map[string]checkout.Status{}}
		r.form = r.visit.screen()
		r.promised = r.visit.paymentID()
		t.Repeat(map[string]func(*rapid.T){
			"":        r.invariants,
			"pay":     r.pay,
			"repeat":  r.repeat,
			"close":   func(t *rapid.T) { r.post(t, "/cancel", nil) },
			"return":  r.comeBack,
			"bank":    r.bank,
			"notice":  r.sendNotice,
			"work":    func(t *rapid.T) { r.troubled(t, w.work) },
			"sweep":   func(t *rapid.T) { r.troubled(t, func() { _ = w.app.Service.Sweep(context.Background()) }) },
			"message": r.message,
			"time":    func(t *rapid.T) { w.skip(rapid.SampledFrom(waits).Draw(t, "wait")) },
			"shop":    func(t *rapid.T) { w.shop.responds(rapid.SampledFrom([]int{200, 500}).Draw(t, "response")) },
		})
		w.shop.responds(200)
		w.pass(50 * time.Hour)
		r.invariants(t)
		r.everyoneAgrees(t)
	})
}

var (
	waits  = []time.Duration{time.Second, 5 * time.Second, 31 * time.Second, 91 * time.Second, 6 * time.Minute, 21 * time.Minute, 61 * time.Minute}
	cards  = []string{"01/38", "02/38", "05/38", "06/38", "12/38", "01/39", "02/39", "03/39", "04/39", "05/39", "06/39", "07/39"}
	faults = []string{"ok", "ok", "ok", "ok", "before", "after", "dies before", "dies after"}
)

// random is a session to which anything happens.
type random struct {
	*world
	visit    *visit
	form     screen.Screen
	promised string
	clicks   []payRequest
	statuses map[string]checkout.Status // of the payments, when last seen
}

// troubled does something while the store fails and messages are lost now and then.
func (r *random) troubled(t *rapid.T, do func()) {
	r.store.next(rapid.SliceOfN(rapid.SampledFrom(faults), 0, 6).Draw(t, "store")...)
	queue := rapid.SampledFrom([]string{"ok", "ok", "fails", "loses"}).Draw(t, "queue")
	r.queue.lose = func(string) (bool, bool) { return queue == "fails", queue == "loses" }
	defer func() {
		r.store.next()
		r.queue.lose = nil
		if p := recover(); p != nil && p != errStore {
			panic(p) // not the death of a function
		}
	}()
	do()
}

func (r *random) post(t *rapid.T, path string, body any) {
	r.troubled(t, func() { r.call("POST", "/page/v1/"+r.visit.session+path, body) })
}

func (r *random) pay(t *rapid.T) {
	if len(r.clicks) == 12 {
		return
	}
	click := r.visit.fill(r.form, paymentCard(t, rapid.SampledFrom(cards).Draw(t, "card")))
	r.clicks = append(r.clicks, click)
	r.post(t, "/pay", click)
}

func (r *random) repeat(t *rapid.T) {
	if len(r.clicks) > 0 {
		r.post(t, "/pay", rapid.SampledFrom(r.clicks).Draw(t, "click"))
	}
}

func (r *random) comeBack(t *rapid.T) {
	r.troubled(t, func() { _, _ = r.app.Service.PayerReturned(context.Background(), r.visit.session) })
}

// bank presses a button on the sandbox's page of any payment, however old.
func (r *random) bank(t *rapid.T) {
	if payments := r.payments(t); len(payments) > 0 {
		p := rapid.SampledFrom(payments).Draw(t, "payment")
		confirmed := rapid.Bool().Draw(t, "confirms")
		r.troubled(t, func() { _, _ = r.app.API.Sandbox.Finish(context.Background(), p.ID, confirmed) })
	}
}

func (r *random) sendNotice(t *rapid.T) {
	if payments := r.payments(t); len(payments) > 0 {
		p := rapid.SampledFrom(payments).Draw(t, "payment")
		r.troubled(t, func() { r.call("POST", "/api/v1/notify/sandbox", map[string]string{"reference": p.ID}) })
	}
}

// message delivers any job or callback once more, due or not.
func (r *random) message(t *rapid.T) {
	payments := r.payments(t)
	if len(payments) == 0 {
		return
	}
	p := rapid.SampledFrom(payments).Draw(t, "payment")
	seq := rapid.IntRange(0, 3).Draw(t, "number of the callback, or the job")
	r.troubled(t, func() {
		if seq == 0 {
			_ = r.app.Service.RunJob(context.Background(), checkout.JobMessage{PaymentID: p.ID})
			return
		}
		_ = r.app.Service.SendCallback(context.Background(), callback.Message{PaymentID: p.ID, Seq: seq})
	})
}

// payments are all that are stored, the oldest first.
func (r *random) payments(t *rapid.T) []checkout.Payment { return r.stored(t) }

func (w *world) stored(t tester) []checkout.Payment {
	var all []checkout.Payment
	for _, record := range w.app.Store.Dump() {
		if strings.HasSuffix(record.Key.Sort, "/payment") {
			var p checkout.Payment
			if err := record.Decode(&p); err != nil {
				t.Fatalf("payment: %v", err)
			}
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b checkout.Payment) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// attempts are the page's own ids of all attempts, each once.
func (w *world) attempts(t tester) []string {
	var all []string
	for _, record := range w.app.Store.Dump() {
		if strings.Contains(record.Key.Sort, "/session/") {
			var sess checkout.Session
			if err := record.Decode(&sess); err != nil {
				t.Fatalf("session: %v", err)
			}
			all = append(all, sess.Attempts...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mayBecome is decisions.md 5 for what a sale can reach.
var mayBecome = map[checkout.Status]string{
	checkout.StatusPrepare:  "prepare 3ds redirect settled decline",
	checkout.Status3DS:      "3ds settled decline",
	checkout.StatusRedirect: "redirect settled decline",
	checkout.StatusSettled:  "settled",
	checkout.StatusDecline:  "decline",
}

// invariants is what is true at any time.
func (r *random) invariants(t *rapid.T) {
	r.skip(time.Millisecond) // ids of one instant have no order
	settled, underWay := 0, 0
	payments := r.payments(t)
	for i, p := range payments {
		if before, seen := r.statuses[p.ID]; seen && !slices.Contains(strings.Fields(mayBecome[before]), string(p.Status)) {
			t.Errorf("payment %d went from %s to %s", i, before, p.Status)
		}
		r.statuses[p.ID] = p.Status
		switch {
		case p.Status == checkout.StatusSettled:
			settled++
		case !decided(p):
			underWay++
		}
		if decided(p) != (len(p.Jobs) == 0) {
			t.Errorf("payment %d is %s, its jobs are %+v", i, p.Status, p.Jobs)
		}
	}
	if clicks := r.attempts(t); len(clicks) != len(payments) {
		t.Errorf("%d payments of %d clicks", len(payments), len(clicks))
	}
	approved := 0
	for reference, line := range r.ledger() {
		if strings.HasSuffix(line, "approved") {
			approved++
		}
		if !strings.HasPrefix(line, "1 x 10.00 USD ") || r.statuses[reference] == "" {
			t.Errorf("the sandbox's books: %s %s", reference, line)
		}
	}
	if settled > 1 || approved > 1 || settled > approved || settled+underWay > 1 || len(payments) > 3 {
		t.Errorf("of %d payments %d are settled and %d under way; the sandbox approved %d", len(payments), settled, underWay, approved)
	}
	if len(payments) > 0 && payments[0].ID != r.promised {
		t.Errorf("the first payment is %s, promised was %s", payments[0].ID, r.promised)
	}
}

// everyoneAgrees is what is true in the end: the books, the payments, the page
// and the shop agree.
func (r *random) everyoneAgrees(t *rapid.T) {
	ledger, page := r.ledger(), "go https://shop.example/late"
	want := map[string][]string{} // the shop's events by payment
	for _, p := range r.payments(t) {
		switch p.Status {
		case checkout.StatusSettled:
			page = "go https://shop.example/paid"
			want[p.ID] = []string{"sale success settled"}
		case checkout.StatusDecline:
			want[p.ID] = []string{"sale fail decline"}
		default:
			t.Errorf("a payment is still %s", p.Status)
		}
		if approved := strings.HasSuffix(ledger[p.ID], "approved"); approved != (p.Status == checkout.StatusSettled) {
			t.Errorf("a payment is %s, the books say %q", p.Status, ledger[p.ID])
		}
	}
	got := words(r.visit.screen())
	ends := []string{page, "go https://shop.example/cart"} // or it was closed, or declined too often
	if page == "go https://shop.example/paid" {
		ends = ends[:1]
	}
	if !slices.Contains(ends, got) {
		t.Errorf("the payer sees %q, want one of %q", got, ends)
	}
	r.shopKnows(t, want)
}

// shopKnows compares what the shop took with the last event of each payment.
// What was parked, because the shop refused it to the end, it need not have taken.
func (r *random) shopKnows(t *rapid.T, last map[string][]string) {
	stored, parked := map[string][]string{}, map[string]bool{}
	for _, c := range r.callbacks() {
		switch c.State {
		case callback.Delivered:
			stored[c.PaymentID] = append(stored[c.PaymentID], c.ID)
		case callback.Parked:
			parked[c.PaymentID] = true
		default:
			t.Errorf("callback %s still waits", c.ID)
		}
	}
	taken, events := map[string][]string{}, map[string][]string{}
	for _, got := range r.shop.taken() {
		id := got.fields.Get("id")
		taken[id] = append(taken[id], got.header.Get("webhook-id"))
		if event := got.event(); strings.HasPrefix(event, "sale") && !strings.HasPrefix(event, "sale undefined") && !strings.HasPrefix(event, "sale waiting") {
			events[id] = append(events[id], event)
		}
		r.shop.verify(got)
	}
	for id, want := range last {
		if !slices.IsSorted(taken[id]) {
			t.Errorf("the shop took %v in this order", taken[id])
		}
		if !parked[id] && (len(stored[id]) != len(taken[id]) || !slices.Equal(events[id], want)) {
			t.Errorf("of %s the shop was told %q, want %q; delivered %v", id, events[id], want, stored[id])
		}
	}
}

// decided reports whether a payment with a card is past its charge.
func decided(p checkout.Payment) bool {
	return p.Status != checkout.StatusPrepare && p.Status != checkout.Status3DS && p.Status != checkout.StatusRedirect
}
