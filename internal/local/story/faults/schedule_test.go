package faults

import (
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// daily is the schedule of every shop: two charges, one on each of the days that follow.
var daily = settings.Schedule{
	ID: "daily", Name: "Daily", PaymentsCount: 2,
	Interval: settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitDay},
}

// skipsDay has a day go by if a schedule is due then, as stepsClocks does with less.
func (x *faultRun) skipsDay() {
	if x.late.Load() == 0 && x.isScheduled() {
		x.Clock.Move(24 * time.Hour)
		x.MakeDayKey()
		x.counts("day of a schedule")
	}
}

func (x *faultRun) isScheduled() bool {
	some := x.Clock.Now().AddDate(1, 0, 0)
	return len(x.Listed(store.DueChain, some, 1))+len(x.Listed(store.DueChain.Of(true), some, 1)) > 0
}

// endsSchedules lets the days go by until no schedule is due any more.
func (x *faultRun) endsSchedules() {
	for range 2 * daily.PaymentsCount {
		if !x.isScheduled() {
			return
		}
		x.Clock.Move(24 * time.Hour)
		x.MakeDayKey()
		for range 6 {
			x.sweeps()
			x.runUntil(x.Clock.Now().Add(10 * time.Minute))
		}
	}
}

// schedulesAgree checks that each chain with a schedule was charged as often as that says, unless it was stopped, and
// once on each date.
func (x *faultRun) schedulesAgree(payments []payment.Payment) {
	for _, r := range x.App.Store.Dump() {
		var c checkout.Chain
		if !strings.HasPrefix(r.Key.Sort, "chain/") {
			continue
		}
		if err := r.Decode(&c); err != nil {
			x.Errorf("chain: %v", err)
		}
		numbers := map[string]bool{}
		for _, p := range payments {
			if p.Chain == c.PaymentID && p.Recurring && p.ScheduleID != "" {
				numbers[p.Order.Number] = true
			}
		}
		stopped := c.ScheduleID == "" || c.Cancelled
		if len(numbers) != c.Charges || !c.NextAt.IsZero() || !stopped && c.Charges != daily.PaymentsCount {
			x.Errorf("chain %s was charged %d times by its schedule: %d on %d dates, and then on %s", c.PaymentID,
				len(numbers), c.Charges, daily.PaymentsCount, c.NextAt)
		}
		for range numbers {
			x.counts("charge of a schedule")
		}
	}
}
