package faults

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/simulator"
)

// doesElsewhere has somebody capture, void or refund a payment on Stripe's website, or its payer dispute it, mostly
// while the merchant asks for the same.
func (x *faultRun) doesElsewhere() {
	charges := slices.DeleteFunc(x.sim.Operations(), func(o simulator.Operation) bool {
		return o.Family != "stripe" || o.Kind != simulator.Charge ||
			o.State != simulator.Authorised && o.State != simulator.Approved
	})
	if len(charges) == 0 {
		return
	}
	o := pick(x, charges)
	p, kind := x.stored(paymentOf(o.Reference)), "refund"
	if p == nil {
		return
	}
	path, form := "/refunds", "payment_intent="+o.Values["intent"]+"&amount=100"
	if o.State == simulator.Authorised {
		kind = pick(x, []string{"capture", "capture", "void"})
		path, form = "/payment_intents/"+o.Values["intent"]+"/capture", ""
		if kind == "void" {
			path = strings.TrimSuffix(path, "capture") + "cancel"
		}
	}
	does := func() { x.onDashboard(o.Account, path, form) }
	// Before the service knows that a charge was approved, its dispute has to come again.
	known := p.Status == payment.StatusSettled || p.Status == payment.StatusPending && !p.Undecided()
	if kind == "refund" && known && x.n(2) == 0 {
		does = func() { x.sim.Act(o.ID, simulator.Dispute) }
	}
	amount := ""
	if kind != "void" {
		amount = pick(x, []string{"", "1.00"})
	}
	asks := func() { x.asksFor(*p, kind, amount) }
	switch way := x.n(3); {
	case way == 0 || kind == "void": // who has made a void can't be told at Stripe
		does()
	case way == 1: // soon after the merchant has asked, also while that is under way
		x.after(x.between(0, 2*time.Second), does)
		asks()
	default:
		x.after(x.between(0, 2*time.Second), asks)
		does()
	}
}

// dashboard begins the references of what the service has not asked for.
const dashboard = "dashboard-"

// onDashboard sends a request to an account at Stripe that is none of the service's.
func (x *faultRun) onDashboard(account, path, form string) {
	x.called++
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, "POST", "/stripe/v1"+path, strings.NewReader(form))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+account)
	r.Header.Set("Idempotency-Key", fmt.Sprint(dashboard, x.called))
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // of a connection that the provider drops
		x.sim.ServeHTTP(httptest.NewRecorder(), r)
	}()
	<-done
	x.counts("done elsewhere")
}
