package story

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
)

var everyRequest = flag.Bool("every", false, "let every request to the store fail, not one in twelve")

// A shop's usual calls, while any one read of the store fails, or any one write, before or after it took effect. Failed
// requests are repeated with their Idempotency-Key, messages come again, and the result is the same as without
// failures. Without -every one in twelve fails: the fault runs let them fail, too.
func TestAnyRequestToTheStoreFails(t *testing.T) {
	calm, store := usualCalls(t, 0)
	if len(calm) != 19 {
		t.Errorf("%d ends:\n%s", len(calm), strings.Join(calm, "\n"))
	}
	cases := 0
	fails := func(what string, read int, saves ...string) {
		if cases++; cases%12 != 0 && !*everyRequest {
			return
		}
		if got, _ := usualCalls(t, read, saves...); !slices.Equal(got, calm) {
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

// usualCalls makes a shop's usual calls: a chain that begins with a capture, recurring payments, a refund, a void, a
// payout and a payment with a saved card. One read and some saves of the store fail. It returns the shop's last
// callbacks and the ledger.
func usualCalls(t *testing.T, read int, saves ...string) (ends []string, store *faultyStore) {
	t.Helper()
	w := open(t, daily(func(s *settings.Schedule) { s.PaymentsCount = 1 }))
	w.patient = true
	w.store.fails, w.store.faults = read, saves
	first := w.shop.visits("first", with("auth", true), with("recurring_init", true), with("schedule_id", "monthly"))
	first.pays("02/41")
	w.pass(10 * time.Minute)
	w.shop.captures(first.paymentID(), "8.00")
	w.pass(10 * time.Minute)
	w.shop.refunds(first.paymentID(), "3.00")
	token := first.payment().RecurringToken
	w.post("/api/v1/payment/recurring", w.shop.RecurringBody(first.paymentID(), token, "later", "5.00"))
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
	tokens := []string{w.shop.last("sale").Fields.Get("card_token")}
	w.shop.voids(second.paymentID())
	payOut := w.shop.Order("paid-out", with("operation", "credit"), with("card_token", tokens))
	w.post("/api/v1/session", w.shop.Sign(payOut))
	third := w.shop.visits("third", with("card_token", tokens))
	third.chooses("1")
	w.pass(time.Hour)
	for _, r := range w.shop.Taken() {
		if status := r.Fields.Get("status"); status != "undefined" && status != "waiting" {
			ends = append(ends, r.Fields.Get("order_number")+" "+r.Event()+" "+r.Fields.Get("reason"))
		}
	}
	for _, line := range w.ledger() {
		ends = append(ends, line)
	}
	slices.Sort(ends)
	return ends, w.store
}
