package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/settings"
)

// Two tabs pay, or one pays and one closes the form, each between the read and the write of the other: the first write
// counts.
func TestPayOvertaken(t *testing.T) {
	for _, test := range []struct {
		name         string
		first, then  func(*Visit)
		sees, status string
		charged      int
	}{
		{
			"by another tab", pressPay, pressPay,
			"go https://shop.example/paid", "settled", 1,
		},
		{
			"by a tab that closes the form", (*Visit).closes, pressPay,
			"go https://shop.example/cart", "decline (Cancelled by the payer.)", 0,
		},
		{
			"while closing the form", pressPay, (*Visit).closes,
			"go https://shop.example/paid", "settled", 1,
		},
		{
			"closed twice", (*Visit).closes, (*Visit).closes,
			"go https://shop.example/cart", "decline (Cancelled by the payer.)", 0,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1")
			payer.sees("form")
			w.store.overtakes(func() { test.first(payer) })
			test.then(payer)
			w.work()
			payer.sees(test.sees)
			payer.is(test.status)
			w.sealedAre(0)
			if got := len(w.ledger()); got != test.charged {
				t.Errorf("%d charges", got)
			}
		})
	}
}

// pressPay sends a new attempt.
func pressPay(v *Visit) { v.send(v.attempt("01/38")) }

// A worker without a connector for a payment is about to decline it when another worker sends it to the provider: the
// payment is not declined, with or without a response.
func TestDeclineOvertaken(t *testing.T) {
	for name, charge := range map[string]func(connector.Charge) (connector.Result, error){
		"settled": nil,
		"prepare": noResponse,
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			bank := &provider{charge: charge, lookUp: onFollowUp(approved)}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.send(payer.attempt("01/38"))
			delete(w.app.Runner.Connectors, realBank)
			w.store.overtakes(func() {
				w.goesLive(bank)
				if err := payer.runs(); err != nil {
					t.Error(err)
				}
			})
			if err := payer.runs(); err != nil {
				t.Error(err)
			}
			payer.stands(name)
			w.pass(time.Hour)
			payer.is("settled")
			if len(bank.charges) != 1 {
				t.Errorf("charged %d times", len(bank.charges))
			}
		})
	}
}

// Two workers find the same date of a schedule due: it is charged once, or skipped once if the schedule is paused.
func TestScheduleOvertaken(t *testing.T) {
	for _, paused := range []bool{false, true} {
		w := open(t, daily(func(s *settings.Schedule) { s.PaymentsCount = 2 }))
		c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
		w.shop.set(func(m *settings.Merchant) { m.Schedules[0].Paused = paused })
		w.skip(24 * time.Hour)
		due := func() {
			if err := w.app.Runner.RunJob(t.Context(), payment.JobMessage{PaymentID: c.initial, Chain: true}); err != nil {
				t.Error(err)
			}
		}
		w.store.overtakes(due)
		due()
		w.work()
		want := "2030-03-05 pen-1-1 10.00 settled"
		if paused {
			want = ""
		}
		if got := strings.Join(w.shop.charged(), ", "); got != want {
			t.Errorf("paused %v: charged %s", paused, got)
		}
		w.shop.set(func(m *settings.Merchant) { m.Schedules[0].Paused = false })
		w.pass(3 * 24 * time.Hour)
		if got := len(w.shop.charged()); got != 2 {
			t.Errorf("paused %v: charged %d times in all", paused, got)
		}
	}
}

// The response to a call could not be stored for its Idempotency-Key: a repeat returns the current state and changes
// nothing.
func TestIdempotencyKeyWithoutItsResponse(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1", with("auth", true))
	payer.pays("01/38")
	body := w.shop.AmountBody(payer.paymentID(), "4.00")
	w.losesJobs(true)
	w.store.next("ok", "before")
	code, text := w.postWithKey("one", "/api/v1/payment/capture", body)
	if code != 200 || !strings.Contains(text, "WAITING") {
		t.Errorf("%d %s", code, text)
	}
	w.store.next()
	if !strings.Contains(w.log.String(), "response to an idempotency key not stored") {
		t.Error("that is not logged")
	}
	w.losesJobs(false)
	w.pass(2 * time.Minute)
	for range 2 {
		code, text := w.postWithKey("one", "/api/v1/payment/capture", body)
		if code != 200 || !strings.Contains(text, "SUCCESS") {
			t.Errorf("again: %d %s", code, text)
		}
	}
	w.shop.told("sale success pending", "capture success settled")
}

// A repeat with the same Idempotency-Key overtakes the first call between its reads and its write: one of them takes
// effect, and both get its response.
func TestIdempotencyKeyOvertaken(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "01/38")
	payer := w.shop.visits("pen-2", with("auth", true), with("req_token", true))
	payer.pays("01/38")
	id, tokens := payer.paymentID(), []string{w.shop.last("sale").Fields.Get("card_token")}
	for path, body := range map[string]any{
		"payment/recurring": w.shop.RecurringBody(c.initial, c.token, "later", "5.00"),
		"payment/capture":   w.shop.AmountBody(id, "4.00"),
		"payment/refund":    w.shop.AmountBody(c.initial, "3.00"),
		"session":           w.shop.Sign(w.shop.Order("paid-out", with("operation", "credit"), with("card_token", tokens))),
	} {
		var first string
		before := len(w.shop.Taken())
		w.store.overtakes(func() { _, first = w.postWithKey("one "+path, "/api/v1/"+path, body) })
		code, second := w.postWithKey("one "+path, "/api/v1/"+path, body)
		if code != 200 || first != second {
			t.Errorf("%s: %s and %d %s", path, first, code, second)
		}
		w.work()
		if got := len(w.shop.Taken()) - before; got != 1 {
			t.Errorf("%s: the shop was told %d times", path, got)
		}
	}
	w.ledgerIs("1 x 10.00 USD approved", "1 x 10.00 USD approved", "1 x 5.00 USD approved", "1 x 10.00 USD approved")
}
