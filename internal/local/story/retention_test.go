package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/store"
)

// retain sets the retention of payments, in days.
func (w *World) retain(days int) {
	w.app.Core.Store = store.Retain(w.app.Core.Store, time.Duration(days)*24*time.Hour)
}

// retained counts the documents of payments, callbacks and chains.
func (w *World) retained() (payments, callbacks, chains int) {
	now := w.clock.Now()
	for _, r := range w.app.Store.Dump() {
		if !r.ExpiresAt.IsZero() && !now.Before(r.ExpiresAt) {
			continue
		}
		switch {
		case strings.HasSuffix(r.Key.Sort, "/payment"):
			payments++
		case strings.HasPrefix(r.Key.Sort, "callback/"):
			callbacks++
		case strings.HasPrefix(r.Key.Sort, "chain/"):
			chains++
		}
	}
	return payments, callbacks, chains
}

const day = 24 * time.Hour

// A payment and its callbacks expire a fixed time after its last change. A refund is a change.
func TestPaymentsExpireAfterTheirRetention(t *testing.T) {
	w := open(t, operations)
	w.retain(30)
	v := w.shop.visits("vase-1")
	v.pays("01/38")
	id := v.paymentID()
	w.work()
	w.skip(20 * day)
	if got := w.shop.refunds(id, "1.00"); got != "200 accepted" {
		t.Fatalf("refund: %s", got)
	}
	w.work()
	w.skip(29 * day)
	if got := w.shop.refunds(id, "1.00"); got != "200 accepted" {
		t.Errorf("refund 29 days after another: %s", got)
	}
	w.work()
	w.skip(30 * day)
	if got := w.shop.refunds(id, "1.00"); !strings.HasPrefix(got, "404") {
		t.Errorf("refund after 30 days: %s", got)
	}
	if p, c, _ := w.retained(); p != 0 || c != 0 {
		t.Errorf("%d payments and %d callbacks are still stored", p, c)
	}
}

// Work that is due doesn't expire: a callback that was not taken outlives its payment.
func TestWorkThatIsDueOutlivesItsRetention(t *testing.T) {
	w := open(t)
	w.retain(1)
	w.shop.responds(503)
	w.shop.visits("vase-2").pays("01/38")
	w.work()
	w.skip(40 * time.Hour)
	if p, c, _ := w.retained(); p != 0 || c != 1 {
		t.Errorf("%d payments and %d callbacks; the callback is still due", p, c)
	}
	w.shop.responds(200)
	w.sweep()
	w.work()
	w.shop.told("sale success settled")
}

// A chain is stored as long as its card can be charged.
func TestAChainOutlivesTheRetentionOfItsInitialTransaction(t *testing.T) {
	w := open(t, operations)
	w.retain(30)
	c := w.shop.begins("pen-1", "01/38")
	w.skip(400 * day)
	if code, response := c.charge("pen-2", "7.50"); inWords(code, response) != "200 settled" {
		t.Errorf("charge after 400 days: %d %v", code, response)
	}
	w.skip(3000 * day) // the card expired, and its token too
	if _, _, chains := w.retained(); chains != 0 {
		t.Errorf("%d chains are still stored", chains)
	}
}

// A schedule goes on after its initial transaction has expired.
func TestAScheduleOutlivesTheRetentionOfItsInitialTransaction(t *testing.T) {
	w := open(t, monthly(nil))
	w.retain(20)
	w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	w.skip(25 * day)
	if payments, _, chains := w.retained(); payments != 0 || chains != 1 {
		t.Fatalf("%d payments, %d chains", payments, chains)
	}
	w.pass(40 * day)
	if got := w.shop.charged(); len(got) == 0 {
		t.Error("the schedule has ended")
	}
}

// A chain whose initial transaction was voided has no schedule, even after that payment has expired.
func TestAVoidedScheduleDoesNotBeginAgain(t *testing.T) {
	w := open(t, monthly(nil))
	w.retain(20)
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	if got := w.shop.voids(c.initial); got != "200 SUCCESS void" {
		t.Fatalf("void: %s", got)
	}
	w.work()
	w.skip(25 * day)
	body := w.shop.RecurringBody(c.initial, c.token, "pen-2", "7.50")
	body["schedule_id"] = "monthly"
	if code, response := w.post("/api/v1/payment/recurring", body); inWords(code, response) != "200 settled" {
		t.Fatalf("charge: %d %v", code, response)
	}
	w.pass(40 * day)
	if got := w.shop.charged(); len(got) != 1 {
		t.Errorf("charged: %q", got)
	}
}

// Without a retention, payments never expire.
func TestPaymentsStayForEver(t *testing.T) {
	w := open(t, operations)
	w.retain(0)
	w.shop.begins("pen-1", "01/38")
	w.skip(36500 * day)
	if p, c, chains := w.retained(); p != 1 || c != 1 || chains != 1 {
		t.Errorf("%d payments, %d callbacks, %d chains", p, c, chains)
	}
}

// A retention that is not a whole number of days is an error at start.
func TestARetentionThatIsNotANumber(t *testing.T) {
	for _, days := range []string{"-1", "a year", "1.5"} {
		env := map[string]string{"PAYMENT_RETENTION_DAYS": days}
		getenv := func(name string) string { return env[name] }
		if _, err := app.InMemory(getenv, app.Logger(t.Output()), time.Now); err == nil {
			t.Errorf("%q was accepted", days)
		}
	}
}
