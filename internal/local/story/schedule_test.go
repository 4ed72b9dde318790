package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
)

// daily adds a schedule with a payment every day, without an end.
func daily(change func(*settings.Schedule)) func(*settings.Merchant) {
	return monthly(func(s *settings.Schedule) {
		s.IntervalUnit, s.PaymentsCount = settings.UnitDay, 0
		if change != nil {
			change(s)
		}
	})
}

// A recurring payment can begin its chain's schedule again. Order numbers are never used twice.
func TestScheduleBegunAgain(t *testing.T) {
	w := open(t, daily(nil))
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	w.pass(25 * time.Hour)
	body := w.shop.RecurringBody(c.initial, c.token, "extra", "3.00")
	body["schedule_id"] = "monthly"
	if got := inWords(w.post("/api/v1/payment/recurring", body)); got != "200 settled" {
		t.Fatalf("recurring: %s", got)
	}
	w.pass(25 * time.Hour)
	var numbers []string
	for _, r := range w.shop.Taken() {
		numbers = append(numbers, r.Fields.Get("order_number")+" "+r.Fields.Get("order_amount"))
	}
	if got := strings.Join(numbers, ", "); got != "pen-1 10.00, pen-1-1 10.00, extra 3.00, pen-1-2 3.00" {
		t.Errorf("orders %s", got)
	}
}

// Captured after schedule_start_date: the dates before the capture are skipped, and no charge is lost.
func TestCapturedAfterStartDate(t *testing.T) {
	w := open(t, daily(func(s *settings.Schedule) { s.PaymentsCount = 3 }))
	payer := w.shop.visits("pen-1", with("recurring_init", true), with("auth", true),
		with("schedule_id", "monthly"), with("schedule_start_date", "2030-03-05"))
	payer.pays("01/38")
	w.skip(7 * 24 * time.Hour)
	if got := w.shop.captures(payer.paymentID(), ""); got != "200 SUCCESS settled" {
		t.Fatalf("capture: %s", got)
	}
	w.pass(5 * 24 * time.Hour)
	want := "2030-03-11 pen-1-1 10.00 settled, 2030-03-12 pen-1-2 10.00 settled, 2030-03-13 pen-1-3 10.00 settled"
	if got := strings.Join(w.shop.charged(), ", "); got != want {
		t.Errorf("charged %s, want %s", got, want)
	}
}
