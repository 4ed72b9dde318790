package story

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/merchant"
)

// An ordinary business, in which any one read of the store is not answered, or any one write is not made, or made without
// an answer: each request that fails is repeated with its Idempotency-Key, each message comes again, and all ends as if
// nothing had been.
func TestAnyRequestToTheStoreFails(t *testing.T) {
	calm, store := business(t, 0)
	if len(calm) != 19 {
		t.Errorf("%d ends:\n%s", len(calm), strings.Join(calm, "\n"))
	}
	fails := func(what string, read int, saves ...string) {
		if got, _ := business(t, read, saves...); !slices.Equal(got, calm) {
			t.Errorf("%s:\n%s\ninstead of:\n%s", what, strings.Join(got, "\n"), strings.Join(calm, "\n"))
		}
	}
	for n := range store.reads {
		fails(fmt.Sprint("read ", n+1), n+1)
	}
	for n := range store.saves {
		for _, fault := range []string{"before", "after"} {
			fails(fmt.Sprint("save ", n+1, " fails ", fault), 0, append(slices.Repeat([]string{"ok"}, n), fault)...)
		}
	}
}

// business is a chain that begins with a capture and its later payments, a refund, a void, a payout and a payment by a
// saved card, over a store that does not answer this read, and fails these saves. It returns what the shop was told in the end and what was charged.
func business(t *testing.T, read int, saves ...string) (ends []string, store *faultyStore) {
	t.Helper()
	w := open(t, daily(func(s *merchant.Schedule) { s.PaymentsCount = 1 }))
	w.patient = true
	w.store.fails, w.store.faults = read, saves
	first := w.shop.visits("first", with("auth", true), with("recurring_init", true), with("schedule_id", "monthly"))
	first.pays("02/41")
	w.pass(10 * time.Minute)
	w.shop.captures(first.paymentID(), "8.00")
	w.pass(10 * time.Minute)
	w.shop.refunds(first.paymentID(), "3.00")
	token := first.payment().RecurringToken
	w.post("/api/v1/payment/recurring", w.shop.recurringBody(first.paymentID(), token, "later", "5.00"))
	w.pass(10 * time.Minute)
	_, later := w.shop.status("order_id", "later")
	w.shop.retries(later["payment_id"].(string))
	w.skip(23*time.Hour + 30*time.Minute)
	w.pass(time.Hour)
	second := w.shop.visits("second", with("req_token", true))
	second.pays("02/38")
	w.pass(10 * time.Minute)
	second.pays("01/38")
	w.pass(10 * time.Minute)
	tokens := []string{w.shop.last("sale").fields.Get("card_token")}
	w.shop.voids(second.paymentID())
	payOut := w.shop.order("paid-out", with("operation", "credit"), with("card_token", tokens))
	w.post("/api/v1/session", w.shop.sign(payOut))
	third := w.shop.visits("third", with("card_token", tokens))
	third.chooses("1")
	w.pass(time.Hour)
	for _, r := range w.shop.taken() {
		if status := r.fields.Get("status"); status != "undefined" && status != "waiting" {
			ends = append(ends, r.fields.Get("order_number")+" "+r.event()+" "+r.fields.Get("reason"))
		}
	}
	for _, line := range w.ledger() {
		ends = append(ends, line)
	}
	slices.Sort(ends)
	return ends, w.store
}
