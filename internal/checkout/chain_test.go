package checkout

import (
	"testing"
	"time"

	"checkout/internal/payment"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// The schedule of a chain begins with the first date that is not over: today's counts, also when its time has passed.
func TestStartedChain(t *testing.T) {
	now := time.Date(2030, 3, 4, 15, 0, 0, 0, time.UTC)
	daily := settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitDay}
	m := &settings.Merchant{Schedules: []settings.Schedule{{ID: "daily", Interval: daily},
		{ID: "later", Interval: daily, Delays: 2}}}
	for _, test := range []struct{ schedule, start, next string }{
		{"daily", "2030-03-01", "2030-03-04 12"}, {"daily", "2030-03-04", "2030-03-04 12"},
		{"daily", "2030-03-05", "2030-03-05 12"}, {"daily", "", "2030-03-05 15"}, {"later", "", "2030-03-07 15"},
		{"none", "", "0001-01-01 00"},
	} {
		p := paid(payment.StatusSettled)
		p.ID = store.NewPaymentID(store.OrderHash("live/shop", "1"), now, make([]byte, 4))
		p.ScheduleID, p.ScheduleStart, p.ScheduleAmount = test.schedule, test.start, request.Entered(usd("3.00"))
		docs := memory.NewStore()
		s := &Core{Store: docs, Random: func(n int) []byte { return make([]byte, n) }}
		records, err := s.startedChain(t.Context(), now, m, p)
		if err == nil {
			err = docs.Save(t.Context(), now, records...)
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Chain(t.Context(), now, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		if next := c.NextAt.Format("2006-01-02 15"); next != test.next || p.Chain != p.ID || p.RecurringToken != c.Token ||
			c.Amount.Text != "3.00" || c.NextAt.IsZero() != (records[0].DueKind == "") {
			t.Errorf("%+v: %s, %+v", test, next, c)
		}
	}
}
