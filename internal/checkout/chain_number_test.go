package checkout

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// The chains with a schedule of one order number are counted, each once, also if two begin at one moment.
func TestSchedulesOfOneOrderNumber(t *testing.T) {
	now := time.Date(2030, 3, 4, 15, 0, 0, 0, time.UTC)
	m := &settings.Merchant{Schedules: []settings.Schedule{{ID: "daily",
		Interval: settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitDay}}}}
	docs := memory.NewStore()
	s := &Core{Store: docs, Random: func(n int) []byte { return make([]byte, n) }}
	starts := func(p *payment.Payment) []store.Record {
		records, err := s.startedChain(t.Context(), now, m, p)
		if err != nil {
			t.Fatal(err)
		}
		return records
	}
	initial := func(random byte) *payment.Payment {
		p := paid(payment.StatusSettled)
		p.ID = store.NewPaymentID(store.OrderHash("live/shop", "1"), now, []byte{0, 0, 0, random})
		p.Order.Number, p.ScheduleID, p.ScheduleAmount = "1", "daily", request.Entered(usd("3.00"))
		return p
	}
	first, second, third := initial(1), initial(2), initial(3)
	one, other := starts(first), starts(second)
	if err := docs.Save(t.Context(), now, one...); err != nil {
		t.Fatal(err)
	}
	if err := docs.Save(t.Context(), now, other...); !store.IsConflict(err) {
		t.Fatalf("two chains were counted as one: %v", err)
	}
	for _, p := range []*payment.Payment{second, third} {
		if err := docs.Save(t.Context(), now, starts(p)...); err != nil {
			t.Fatal(err)
		}
	}
	again := initial(4) // a later payment that puts the second chain on a schedule again
	again.Recurring, again.Chain = true, second.ID
	if err := docs.Save(t.Context(), now, starts(again)...); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{first.ID: "1-7", second.ID: "1-s2-7", third.ID: "1-s3-7"} {
		c, err := s.Chain(t.Context(), now, id)
		if err != nil {
			t.Fatal(err)
		}
		if c.OrderSuffix = 7; c.ScheduledNumber() != want {
			t.Errorf("the charges have numbers such as %s, want %s", c.ScheduledNumber(), want)
		}
	}
}

// A long order number is cut, so that the charge's number fits.
func TestScheduledNumber(t *testing.T) {
	for _, test := range []struct {
		number        string
		suffix, chain int
		want          string
	}{
		{"pen-1", 1, 0, "pen-1-1"}, {"pen-1", 12, 1, "pen-1-12"}, {"pen-1", 12, 10, "pen-1-s10-12"},
		{strings.Repeat("é", 255), 12, 1, strings.Repeat("é", 252) + "-12"},
		{strings.Repeat("é", 252), 12, 1, strings.Repeat("é", 252) + "-12"},
		{strings.Repeat("é", 255), 12, 2, strings.Repeat("é", 249) + "-s2-12"},
	} {
		c := Chain{OrderSuffix: test.suffix, Schedule: test.chain}
		c.Order.Number = test.number
		if got := c.ScheduledNumber(); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}
