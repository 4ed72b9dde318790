package checkout

import (
	"fmt"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
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

// What a chain keeps of the payment that begins it.
func TestChainOfAPayment(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*payment.Payment)
		amount string
		until  string // when the saved card's token is deleted
		of     string // the network's id of the initial payment
	}{
		{"its own amount", func(p *payment.Payment) { p.ScheduleAmount = request.Entered(usd("3.00")) }, "3.00", "", ""},
		{"the order's amount", func(*payment.Payment) {}, "10.00", "", ""},
		{"what the payer has entered", func(p *payment.Payment) { p.Order.Amount = request.Amount{} }, "10.00", "", ""},
		{"a card", func(p *payment.Payment) { p.Card = &card.View{ExpiryMonth: 12, ExpiryYear: 2031} }, "10.00",
			"2032-03-31 12", ""},
		{"the network's id of the payment", func(p *payment.Payment) { p.NetworkTransactionID = "net" }, "10.00", "", "net"},
		{"that of an earlier one", func(p *payment.Payment) { p.InitialNetworkID = "first" }, "10.00", "", "first"},
		{"both", func(p *payment.Payment) { p.NetworkTransactionID, p.InitialNetworkID = "net", "1st" }, "10.00", "", "net"},
	} {
		p := paid(payment.StatusSettled)
		p.ID, p.ProviderID, p.Customer.Name = aPayment, "provider", "Ada"
		p.Order.Amount = request.Entered(usd("10.00"))
		test.change(p)
		docs := memory.NewStore()
		s := &Core{Store: docs, Random: func(n int) []byte { return make([]byte, n) }}
		records, err := s.startedChain(t.Context(), paidAt, &settings.Merchant{}, p)
		if err != nil || len(records) != 1 || records[0].DueKind != "" {
			t.Fatal(records, err)
		}
		c := &Chain{}
		if err := docs.Save(t.Context(), paidAt, records...); err != nil {
			t.Fatal(err)
		}
		if c, err = s.Chain(t.Context(), paidAt, aPayment); err != nil {
			t.Fatal(err)
		}
		until := ""
		if !c.CardUntil.IsZero() {
			until = c.CardUntil.Format("2006-01-02 15")
		}
		if c.Amount.Text != test.amount || until != test.until || c.InitialNetworkID != test.of ||
			c.InitialTransaction != "provider" || c.CardName != "Ada" || c.Cancelled || p.Chain != aPayment {
			t.Errorf("%s: %+v until %s", test.name, c, until)
		}
		if p.Card == nil {
			continue
		}
		stored := (&card.Saved{View: *p.Card}).Record().ExpiresAt
		if !c.CardDeleted(stored) || c.CardDeleted(stored.Add(-time.Millisecond)) {
			t.Errorf("%s: its card is stored until %s", test.name, stored)
		}
	}
}

// A later payment that has a schedule puts its chain on that. A chain whose retention has ended is none any more.
func TestChainGetsASchedule(t *testing.T) {
	m := &settings.Merchant{Schedules: []settings.Schedule{{ID: "daily",
		Interval: settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitDay}}}}
	for _, stored := range []bool{true, false} {
		docs := memory.NewStore()
		s := &Core{Store: docs, Random: func(n int) []byte { return make([]byte, n) }}
		if c := (&Chain{PaymentID: aPayment, Token: "token", ScheduleID: "old", Charges: 4, OrderSuffix: 4}); stored {
			if err := docs.Save(t.Context(), paidAt, c.Record()); err != nil {
				t.Fatal(err)
			}
		}
		p := paid(payment.StatusSettled)
		p.ID, p.Recurring, p.Chain, p.ScheduleID = "later", true, aPayment, "daily"
		records, err := s.startedChain(t.Context(), paidAt, m, p)
		if err == nil {
			err = docs.Save(t.Context(), paidAt, records...)
		}
		c, errRead := s.Chain(t.Context(), paidAt, aPayment)
		if err != nil || errRead != nil || c != nil != stored || p.Chain != aPayment {
			t.Fatal(c, err, errRead)
		}
		if stored && (c.Token != "token" || c.ScheduleID != "daily" || c.Charges != 0 || c.OrderSuffix != 4 ||
			c.NextAt.IsZero()) {
			t.Errorf("%+v", c)
		}
	}
}

// The dates of a schedule are counted from its beginning, so that a month's last day comes back after a shorter month.
// A new interval counts from the date that was due.
func TestAdvance(t *testing.T) {
	monthly := settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitMonth}
	weekly := settings.Interval{IntervalLength: 7, IntervalUnit: settings.UnitDay}
	began := time.Date(2030, 1, 31, 12, 0, 0, 0, time.UTC)
	c := Chain{Interval: monthly, StartAt: began, NextAt: began}
	for _, test := range []struct {
		interval settings.Interval
		next     string
	}{
		{monthly, "2030-02-28"}, {monthly, "2030-03-31"}, {weekly, "2030-04-07"}, {weekly, "2030-04-14"},
		{monthly, "2030-05-14"}, {monthly, "2030-06-14"},
	} {
		c.Advance(&settings.Schedule{Interval: test.interval})
		if next := c.NextAt.Format(time.DateOnly); next != test.next {
			t.Errorf("%s instead of %s", next, test.next)
		}
	}
}

// A payment that is voided or disputed stops the chain that began with it, and no other one.
func TestStoppedChain(t *testing.T) {
	for _, test := range []struct {
		name           string
		chain          string // of the payment
		consent, after string // of both, and of the payment
		stored         bool   // there is a chain
		stops          bool
	}{
		{"its own", aPayment, "active", payment.ConsentCancelled, true, true},
		{"its own, without a consent", aPayment, "", "", true, true},
		{"one that is deleted", aPayment, "active", payment.ConsentCancelled, false, false},
		{"the chain that it is a later payment of", "another", "active", payment.ConsentCancelled, true, false},
		{"none", "", "", "", false, false},
	} {
		docs := memory.NewStore()
		s := &Core{Store: docs}
		p := paid(payment.StatusVoid)
		p.ID, p.Chain, p.ConsentState = aPayment, test.chain, test.consent
		c := &Chain{PaymentID: aPayment, NextAt: paidAt, StartAt: paidAt}
		c.ConsentState = test.consent
		if test.stored {
			if err := docs.Save(t.Context(), paidAt, c.Record()); err != nil {
				t.Fatal(err)
			}
		}
		records, err := s.stoppedChain(t.Context(), paidAt, p)
		if err == nil {
			err = docs.Save(t.Context(), paidAt, records...)
		}
		if err != nil || p.ConsentState != test.after || len(records) > 0 != test.stops {
			t.Errorf("%s: %d documents, consent %q, %v", test.name, len(records), p.ConsentState, err)
		}
		if c, err = s.Chain(t.Context(), paidAt, aPayment); err != nil || c != nil != test.stored {
			t.Fatal(c, err)
		}
		if c != nil && (c.Cancelled != test.stops || c.NextAt.IsZero() != test.stops ||
			test.stops && c.ConsentState != test.after) {
			t.Errorf("%s: %+v", test.name, c)
		}
	}
}

// A later payment is one of its chain, with the card's name, the terms and the order that it is made for.
func TestLaterPayment(t *testing.T) {
	c := &Chain{PaymentID: aPayment, Token: "token", CardName: "Ada"}
	c.Owner, c.SavedCard = fault.Owner{Merchant: "shop"}, "card"
	s := &Core{Random: func(n int) []byte { return make([]byte, n) }}
	details := c.Details
	if p, err := s.LaterPayment(paidAt, c, details); err == nil {
		t.Errorf("a payment of nothing: %+v", p)
	}
	details.Order = request.Order{Number: "2", Currency: "USD", Amount: request.Entered(usd("3.00"))}
	p, err := s.LaterPayment(paidAt, c, details)
	if err != nil {
		t.Fatal(err)
	}
	link := payment.ChainLink{Recurring: true, Chain: aPayment, RecurringToken: "token"}
	if p.ChainLink != link || p.Amount != usd("3.00") || p.SavedCard != "card" || p.Status != payment.StatusPrepare ||
		!p.CreatedAt.Equal(paidAt) || !p.ChangedAt.Equal(paidAt) || p.Order.Number != "2" {
		t.Errorf("%+v", p)
	}
	job := payment.Job{Kind: payment.JobCharge, Reference: p.ID,
		ChargeInput: payment.ChargeInput{CardName: "Ada"}, DueAt: paidAt.Add(payment.NewJobGrace)}
	if len(p.Jobs) != 1 || fmt.Sprintf("%+v", p.Jobs[0]) != fmt.Sprintf("%+v", job) {
		t.Errorf("%+v", p.Jobs)
	}
}

// A chain is charged no more when its MID or mapping is disabled or gone.
func TestChainIsDisabled(t *testing.T) {
	var none *Chain
	c := &Chain{ChargeTerms: payment.ChargeTerms{Mapping: "all", MID: "one"}}
	if none.MappingName() != "" || c.MappingName() != "all" {
		t.Errorf("%q, %q", none.MappingName(), c.MappingName())
	}
	for _, test := range []struct {
		name, mid           string
		mapping, mids, want bool // disabled
	}{
		{"usable", "one", false, false, false}, {"its MID is disabled", "one", false, true, true},
		{"its mapping is disabled", "one", true, false, true}, {"its MID is gone", "two", false, false, true},
	} {
		m := &settings.Merchant{Mappings: []settings.Mapping{{Name: "all", Disabled: test.mapping,
			MIDs: []settings.MID{{Name: test.mid, Disabled: test.mids}}}}}
		if got := c.Disabled(m); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}
