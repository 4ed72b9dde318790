package story

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"

	"pgregory.net/rapid"
)

// Anything happens to one session in any order: clicks, lost and repeated messages, notices, lost responses of the
// store, functions that die between any two writes. The payer is charged at most once, and after enough sweeps all
// parts agree.
func TestAnythingInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := open(t)
		r := &random{World: w, visit: w.shop.visits("pen-1"), statuses: map[string]payment.Status{}}
		r.form = r.visit.screen()
		r.promised = r.visit.paymentID()
		t.Repeat(map[string]func(*rapid.T){
			"":        r.invariants,
			"pay":     r.pay,
			"repeat":  r.repeat,
			"another": func(t *rapid.T) { r.post(t, "/another", nil) },
			"close":   func(t *rapid.T) { r.post(t, "/cancel", nil) },
			"return":  r.comeBack,
			"bank":    r.bank,
			"notice":  r.sendNotice,
			"work":    func(t *rapid.T) { r.troubled(t, w.work) },
			"sweep":   func(t *rapid.T) { r.troubled(t, func() { _ = w.app.Sweeper.Sweep(context.Background()) }) },
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
	waits = []time.Duration{
		time.Second, 5 * time.Second, 31 * time.Second, 91 * time.Second,
		6 * time.Minute, 21 * time.Minute, 61 * time.Minute,
	}
	cards = []string{
		"01/38", "02/38", "05/38", "06/38", "12/38",
		"01/39", "02/39", "03/39", "04/39", "05/39", "06/39", "07/39",
	}
	faults = []string{"ok", "ok", "ok", "ok", "before", "after", "dies before", "dies after"}
)

// random is a session with random events.
type random struct {
	*World
	visit    *Visit
	form     screen.Screen
	promised string
	clicks   []form.Request
	statuses map[string]payment.Status // of the payments, at the last check
}

// troubled calls do while some saves fail and some messages are lost.
func (r *random) troubled(t *rapid.T, do func()) {
	r.store.next(rapid.SliceOfN(rapid.SampledFrom(faults), 0, 6).Draw(t, "store")...)
	queue := rapid.SampledFrom([]string{"ok", "ok", "fails", "loses"}).Draw(t, "queue")
	r.queue.lose = func(string) (bool, bool) { return queue == "fails", queue == "loses" }
	defer func() {
		r.store.next()
		r.queue.lose = nil
		if p := recover(); p != nil && p != errStore {
			panic(p) // a panic that the store did not cause
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
	click := r.visit.Fill(r.form, paymentCard(t, rapid.SampledFrom(cards).Draw(t, "card")))
	r.clicks = append(r.clicks, click)
	r.post(t, "/pay", click)
}

func (r *random) repeat(t *rapid.T) {
	if len(r.clicks) > 0 {
		r.post(t, "/pay", rapid.SampledFrom(r.clicks).Draw(t, "click"))
	}
}

func (r *random) comeBack(t *rapid.T) {
	r.troubled(t, func() { _, _ = r.app.Page.PayerReturned(context.Background(), r.visit.session) })
}

// bank presses a button on the sandbox's page of any payment, old ones too.
func (r *random) bank(t *rapid.T) {
	if payments := r.Stored(t); len(payments) > 0 {
		p := rapid.SampledFrom(payments).Draw(t, "payment")
		confirmed := rapid.Bool().Draw(t, "confirms")
		r.troubled(t, func() { _, _ = r.app.Sandbox.Finish(context.Background(), p.ID, confirmed) })
	}
}

func (r *random) sendNotice(t *rapid.T) {
	if payments := r.Stored(t); len(payments) > 0 {
		p := rapid.SampledFrom(payments).Draw(t, "payment")
		r.troubled(t, func() { r.call("POST", "/api/v1/notify/sandbox", map[string]string{"reference": p.ID}) })
	}
}

// message delivers the message of any job or callback once more, due or not.
func (r *random) message(t *rapid.T) {
	payments := r.Stored(t)
	if len(payments) == 0 {
		return
	}
	p := rapid.SampledFrom(payments).Draw(t, "payment")
	seq := rapid.IntRange(0, 3).Draw(t, "number of the callback, or the job")
	r.troubled(t, func() {
		if seq == 0 {
			_ = r.app.Runner.RunJob(context.Background(), payment.JobMessage{PaymentID: p.ID})
			return
		}
		_ = r.app.Callbacks.SendCallback(context.Background(), callback.Message{PaymentID: p.ID, Seq: seq})
	})
}

// attempts returns the page's ids of all attempts, without repeats.
func (w *World) attempts(t Tester) []string {
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

// mayBecome are the moves of protocol.md, Statuses and moves, that a sale can make.
var mayBecome = map[payment.Status]string{
	payment.StatusPrepare:  "prepare 3ds redirect settled decline",
	payment.Status3DS:      "3ds settled decline",
	payment.StatusRedirect: "redirect settled decline",
	payment.StatusSettled:  "settled",
	payment.StatusDecline:  "decline",
}

// invariants checks what is always true.
func (r *random) invariants(t *rapid.T) {
	r.skip(time.Millisecond) // so that ids are in order
	settled, underWay := 0, 0
	payments := r.Stored(t)
	for i, p := range payments {
		r.moved(t, p, mayBecome)
		switch {
		case p.Status == payment.StatusSettled:
			settled++
		case !Decided(p):
			underWay++
		}
		if Decided(p) != (len(p.Jobs) == 0) {
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
			t.Errorf("the sandbox's ledger: %s %s", reference, line)
		}
	}
	if settled > 1 || approved > 1 || settled > approved || settled+underWay > 1 || len(payments) > 3 {
		t.Errorf("of %d payments %d are settled and %d under way; the sandbox approved %d",
			len(payments), settled, underWay, approved)
	}
	if len(payments) > 0 && payments[0].ID != r.promised {
		t.Errorf("the first payment is %s, promised was %s", payments[0].ID, r.promised)
	}
}

// moved checks that a payment has its status of the last check or one that this may become.
func (r *random) moved(t *rapid.T, p payment.Payment, may map[payment.Status]string) {
	before, seen := r.statuses[p.ID]
	if seen && before != p.Status && !slices.Contains(strings.Fields(may[before]), string(p.Status)) {
		t.Errorf("payment %s went from %s to %s", p.ID, before, p.Status)
	}
	r.statuses[p.ID] = p.Status
}

// everyoneAgrees checks that in the end the ledger, the payments, the page and the shop agree.
func (r *random) everyoneAgrees(t *rapid.T) {
	ledger, page, declined := r.ledger(), "go https://shop.example/late", 0
	want := map[string][]string{} // the shop's events by payment
	for _, p := range r.Stored(t) {
		switch p.Status {
		case payment.StatusSettled:
			page = "go https://shop.example/paid"
			want[p.ID] = []string{"sale success settled"}
		case payment.StatusDecline:
			want[p.ID] = []string{"sale fail decline"}
			declined++
		default:
			t.Errorf("a payment is still %s", p.Status)
		}
		if approved := strings.HasSuffix(ledger[p.ID], "approved"); approved != (p.Status == payment.StatusSettled) {
			t.Errorf("a payment is %s, the ledger says %q", p.Status, ledger[p.ID])
		}
	}
	got := words(r.visit.screen())
	ends := []string{page, "go https://shop.example/cart"} // if the payer closed the form
	if text, _, _ := strings.Cut(got, " ("); declined == 3 && text == "message: too_many_declines" {
		ends = append(ends, got) // with the reason of the last
	}
	if page == "go https://shop.example/paid" {
		ends = ends[:1]
	}
	if !slices.Contains(ends, got) {
		t.Errorf("the payer sees %q, want one of %q", got, ends)
	}
	r.shopKnows(t, want)
}

// shopKnows compares the callbacks that the shop took with the last event of each payment. It skips payments with a
// parked callback, which the shop never took.
func (r *random) shopKnows(t *rapid.T, last map[string][]string) {
	stored, parked := map[string][]string{}, map[string]bool{}
	for _, c := range r.Callbacks() {
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
	for _, got := range r.shop.Taken() {
		id := got.Fields.Get("id")
		taken[id] = append(taken[id], got.Header.Get("webhook-id"))
		event := got.Event()
		passing := strings.HasPrefix(event, "sale undefined") || strings.HasPrefix(event, "sale waiting")
		if strings.HasPrefix(event, "sale") && !passing {
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
