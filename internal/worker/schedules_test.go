package worker

import (
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// due is when the second charge of a monthly schedule of three is due.
var due = storedAt.AddDate(0, 2, 0)

// chain is a chain whose second charge is due.
func chain() *checkout.Chain {
	c := &checkout.Chain{PaymentID: chargeID, Token: "token", ScheduleID: "monthly", StartAt: storedAt, Period: 2,
		Charges: 1, OrderSuffix: 1, NextAt: due,
		Interval: settings.Interval{IntervalUnit: settings.UnitMonth, IntervalLength: 1}}
	c.Owner, c.Mapping, c.MID, c.Connector = fault.Owner{Merchant: "shop"}, "all", "one", "bank"
	c.Order.Number, c.Order.Currency, c.Method = "1", "USD", "pull_wallet"
	c.Amount = request.Entered(amountOf("4.00 USD"))
	return c
}

// What a chain's run does when it comes at a time: testdata/schedules.golden.
func TestSchedules(t *testing.T) {
	table := golden.Table{}
	for _, when := range []struct {
		name string
		now  time.Time
	}{
		{"before the date", due.Add(-1)}, {"on the date", due}, {"on the next date", due.AddDate(0, 1, 0)},
	} {
		table.Begin(when.name)
		for _, c := range []struct {
			name   string
			change func(c *checkout.Chain, initial *payment.Payment, m *settings.Merchant)
		}{
			{"as it is", func(*checkout.Chain, *payment.Payment, *settings.Merchant) {}},
			{"it is the last charge", func(c *checkout.Chain, _ *payment.Payment, _ *settings.Merchant) { c.Charges = 2 }},
			{"all charges were made", func(c *checkout.Chain, _ *payment.Payment, _ *settings.Merchant) { c.Charges = 3 }},
			{"without an end", func(c *checkout.Chain, _ *payment.Payment, m *settings.Merchant) {
				c.Charges, m.Schedules[0].PaymentsCount = 100, 0
			}},
			{"its interval was changed", func(_ *checkout.Chain, _ *payment.Payment, m *settings.Merchant) {
				m.Schedules[0].Interval = settings.Interval{IntervalUnit: settings.UnitDay, IntervalLength: 45}
			}},
			{"it is paused", func(_ *checkout.Chain, _ *payment.Payment, m *settings.Merchant) {
				m.Schedules[0].Paused = true
			}},
			{"its schedule is gone", func(_ *checkout.Chain, _ *payment.Payment, m *settings.Merchant) { m.Schedules = nil }},
			{"it is cancelled", func(c *checkout.Chain, _ *payment.Payment, _ *settings.Merchant) { c.Cancelled = true }},
			{"it has ended", func(c *checkout.Chain, _ *payment.Payment, _ *settings.Merchant) { c.NextAt = time.Time{} }},
			{"the initial payment is voided", func(_ *checkout.Chain, p *payment.Payment, _ *settings.Merchant) {
				p.Status = payment.StatusVoid
			}},
			{"the initial payment is charged back", func(_ *checkout.Chain, p *payment.Payment, _ *settings.Merchant) {
				p.Status = payment.StatusChargeback
			}},
			{"the initial payment is refunded", func(_ *checkout.Chain, p *payment.Payment, _ *settings.Merchant) {
				p.Status = payment.StatusRefund
			}},
			{"the merchant is disabled", func(_ *checkout.Chain, _ *payment.Payment, m *settings.Merchant) {
				m.Disabled = true
			}},
			{"the MID is disabled", func(_ *checkout.Chain, _ *payment.Payment, m *settings.Merchant) {
				m.Mappings[0].MIDs[0].Disabled = true
			}},
			{"the connector charges nobody again", func(c *checkout.Chain, _ *payment.Payment, _ *settings.Merchant) {
				c.Connector = "other"
			}},
			{"its amount is none", func(c *checkout.Chain, _ *payment.Payment, _ *settings.Merchant) {
				c.Amount = request.Amount{}
			}},
		} {
			initial, made, m := at{make: charged(settled)}.payment(), chain(), shop()
			c.change(made, initial, &m)
			w := newWorld(t, reply{}, when.now, initial.Record(), made.Record(), store.Encode(store.SettingsKey("shop"), 0, m))
			table.Add(c.name, w.told(w.RunJob(t.Context(), payment.JobMessage{PaymentID: chargeID, Chain: true})))
		}
	}
	golden.Compare(t, "testdata/schedules.golden", table.Text(), *update)
}
