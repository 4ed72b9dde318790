package story

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/money"
	"checkout/internal/simulator"
)

// settles ends all faults and lets everything come to its end.
func (x *faultRun) settles() {
	x.calm, x.mood = true, takes
	x.sim.Chance = 0
	x.shop.set(x.setUp)
	x.shop.merchant.Disabled = false
	x.shop.set()
	for _, o := range x.sim.Operations() {
		if o.State == simulator.Waiting && o.Step != simulator.NoStep && x.n(10) > 0 {
			x.sim.Act(o.ID, pick(x, []simulator.Choice{simulator.Approve, simulator.Approve, simulator.Expire}))
		}
	}
	for passed := time.Duration(0); passed < 96*time.Hour; passed += 10 * time.Minute {
		if passed == 4*time.Hour || passed == 90*time.Hour {
			x.noticesAgain()
		}
		if x.hasDue() {
			x.invoke(x.sweeps)
		}
		if passed > 4*time.Hour && !x.busy() {
			break
		}
		x.runUntil(x.clock.Now().Add(10 * time.Minute))
	}
	x.decides()
}

// decides has a person decide half of what waits for one, by what the provider knows.
func (x *faultRun) decides() {
	settled := map[string]bool{}
	for _, p := range x.stored(x) {
		for _, job := range p.Jobs {
			if !job.Person {
				continue
			}
			x.counts("person")
			o, known := x.sim.Find(p.Connector, job.Reference)
			clear := o.Moved == o.Amount || o.State == simulator.Declined || o.State == simulator.Expired
			if !known || clear && o.State != simulator.Waiting {
				x.Errorf("%s of payment %s is left to a person, and the provider has decided: %s", job.Kind, p.ID, o.State)
			}
			if x.n(2) == 0 {
				continue
			}
			settled[job.Reference] = true
			x.counts("decided by a person")
			err := x.app.Service.Settle(context.Background(), checkout.Settlement{
				PaymentID: p.ID, Reference: job.Reference, By: "Ada", Reason: "as the provider says",
				Approved: o.State == simulator.Approved || o.State == simulator.Authorised,
			})
			if err != nil {
				x.Errorf("payment %s can't be settled: %v", p.ID, err)
			}
		}
	}
	if len(settled) == 0 {
		return
	}
	for range 6 {
		x.invoke(x.sweeps)
		x.runUntil(x.clock.Now().Add(10 * time.Minute))
	}
	for _, p := range x.stored(x) {
		for _, job := range p.Jobs {
			if settled[job.Reference] {
				x.Errorf("payment %s is still not settled: %+v", p.ID, job)
			}
		}
	}
}

// busy reports whether anything is still to happen.
func (x *faultRun) busy() bool {
	for _, p := range x.stored(x) {
		if slices.ContainsFunc(p.Jobs, func(j checkout.Job) bool { return !j.Person }) {
			return true
		}
	}
	for _, c := range x.callbacks() {
		if c.State == callback.Waiting {
			return true
		}
	}
	return len(x.events) > 0
}

// noticesAgain has the provider send the notices of everything again, as one whose notices were not taken.
func (x *faultRun) noticesAgain() {
	for _, o := range x.sim.Operations() {
		if r := x.sim.Notice(o.Family, o.Reference); r != nil && o.NoticeURL != "" {
			_, _ = x.overAPI(r)
		}
	}
}

// checks compares what everybody knows in the end.
func (x *faultRun) checks() {
	operations := x.sim.Operations()
	for _, p := range x.stored(x) {
		x.ledgerAgrees(p, operations)
		for _, t := range p.Transactions {
			x.counts(string(t.Type) + " " + string(t.Status))
		}
		if p.Status == checkout.StatusSettled {
			x.counts(p.Connector)
		}
	}
	x.shopHasAll()
	x.checkOrders()
	x.findLeaks()
	x.findCards()
	if strings.Contains(x.log.String(), `"msg":"panic"`) {
		x.Errorf("a function has panicked")
	}
}

// ledgerAgrees compares a payment with the provider's ledger.
func (x *faultRun) ledgerAgrees(p checkout.Payment, operations []simulator.Operation) {
	var charged, waiting []simulator.Operation
	for _, o := range operations {
		if o.Kind != simulator.Charge || paymentOf(o.Reference) != p.ID {
			continue
		}
		switch o.State {
		case simulator.Waiting:
			waiting = append(waiting, o)
		case simulator.Authorised, simulator.Approved, simulator.Reversed:
			charged = append(charged, o)
		}
	}
	// A charge that its payer had to confirm is looked up for longer, also if the provider says another amount.
	lookedUp := len(waiting) > 0 || p.Action != nil && slices.ContainsFunc(charged, otherAmount)
	says := fmt.Sprintf("payment %s is %s, %q", p.ID, p.Status, p.Reason)
	switch {
	case !lookedUp && slices.ContainsFunc(p.Jobs, func(j checkout.Job) bool { return !j.Person }):
		x.Errorf("%s, and neither final nor left to a person: %+v", says, p.Jobs)
	case slices.ContainsFunc(p.Jobs, func(j checkout.Job) bool { return j.Person && j.UnknownSince.IsZero() }):
		x.Errorf("%s, and a person can't see why to decide: %+v", says, p.Jobs)
	case len(charged) > 1:
		x.Errorf("%s: the provider charged it %d times", says, len(charged))
	case !decided(p) && len(p.Jobs) == 0:
		x.Errorf("%s, and nothing is to be done", says)
	case len(charged) == 0 && !decided(p) && len(waiting) == 0:
		x.Errorf("%s, and the provider has decided", says)
	case len(charged) == 0 && decided(p) && p.Status != checkout.StatusDecline:
		x.Errorf("%s, and the provider has charged nothing", says)
	case len(charged) == 1:
		x.chargeAgrees(p, charged[0], says, operations)
	}
}

// chargeAgrees compares a payment with its charge at the provider.
func (x *faultRun) chargeAgrees(p checkout.Payment, o simulator.Operation, says string, all []simulator.Operation) {
	totals := x.totals(o, all)
	if totals.captureFailed {
		o.State = simulator.Reversed
	}
	want := map[simulator.State][]checkout.Status{
		simulator.Authorised: {checkout.StatusPending},
		simulator.Approved:   {checkout.StatusSettled, checkout.StatusRefund},
		simulator.Reversed:   {checkout.StatusChargeback, checkout.StatusReversal},
	}[o.State]
	if !totals.refunded.IsZero() && totals.refunded == p.Captured { // a dispute of nothing
		want = append(want, checkout.StatusRefund)
	}
	if o.State == simulator.Reversed && p.Captured.IsZero() { // disputed before the service knew of the approval
		want = append(want, checkout.StatusDecline)
	}
	if o.Reason == "voided" {
		want = append(want, checkout.StatusVoid)
	}
	if !totals.refunded.IsZero() && totals.refunded == p.Captured { // a void after the capture, or a dispute of nothing
		want = append(want, checkout.StatusVoid, checkout.StatusRefund)
	}
	if o.State == simulator.Reversed && p.Captured.IsZero() { // disputed before the service knew of the approval
		want = append(want, checkout.StatusDecline)
	}
	if o.Reason == "voided" || !totals.refunded.IsZero() && totals.refunded == o.Moved {
		want = append(want, checkout.StatusVoid)
	}
	if totals.doubtful { // a person decides
		return
	}
	if !slices.Contains(want, p.Status) {
		x.Errorf("%s, the provider's charge is %s %s", says, o.State, o.Reason)
		return
	}
	if len(p.Jobs) > 0 {
		x.Errorf("%s, and still has the jobs %+v", says, p.Jobs)
	}
	if o.State == simulator.Approved && p.Captured.Cmp(o.Moved) != 0 {
		x.Errorf("%s: captured %s, the provider says %s", says, p.Captured, o.Moved)
	}
	if sum := refunded(x, p); p.Status != checkout.StatusVoid && sum.Cmp(totals.refunded) != 0 {
		x.Errorf("%s: refunded %s, the provider says %s", says, sum, totals.refunded)
	}
}

// chargeTotals are what has followed from a charge.
type chargeTotals struct {
	refunded money.Amount
	doubtful bool // the provider has moved another amount than was asked for

	captureFailed bool // after its success
}

// otherAmount reports whether the provider has moved another amount than was asked for.
func otherAmount(o simulator.Operation) bool {
	return (o.State == simulator.Approved || o.State == simulator.Authorised) && o.Moved.Cmp(o.Amount) != 0
}

func (x *faultRun) totals(charge simulator.Operation, all []simulator.Operation) chargeTotals {
	t := chargeTotals{refunded: money.Zero(usd())}
	captured := slices.ContainsFunc(all, func(o simulator.Operation) bool {
		return o.Parent == charge.ID && o.Kind == simulator.Capture && o.State == simulator.Approved
	})
	t.doubtful = otherAmount(charge) && !captured
	for _, o := range all {
		if o.Parent != charge.ID {
			continue
		}
		t.doubtful = t.doubtful || otherAmount(o)
		t.captureFailed = t.captureFailed || o.Kind == simulator.Capture && o.State == simulator.Reversed
		// A refund that fails after its success is for a person, too.
		if o.Kind == simulator.Refund && (o.State == simulator.Approved || o.State == simulator.Reversed) {
			t.refunded, _ = t.refunded.Add(o.Amount)
		}
	}
	return t
}

// shopHasAll checks that the shop was told all, in order, once and with right signatures.
func (x *faultRun) shopHasAll() {
	last, body := map[string]int{}, map[string]string{}
	for _, got := range x.shop.taken() {
		x.shop.verify(got)
		id := got.header.Get("webhook-id")
		payment := got.fields.Get("id")
		number := 0
		_, _ = fmt.Sscanf(strings.TrimPrefix(id, "msg_"+payment), "_%d", &number)
		if number <= last[payment] {
			x.Errorf("the shop took %s after number %d", id, last[payment])
		}
		last[payment] = number
		body[id] = string(got.body)
	}
	for _, got := range x.shop.received() {
		id := got.header.Get("webhook-id")
		if taken, ok := body[id]; ok && string(got.body) != taken {
			x.Errorf("the shop was told differently by %s", id)
		}
	}
	stored := x.callbacks()
	for _, c := range stored {
		if _, taken := body[c.ID]; !taken && c.State != callback.Dropped {
			x.Errorf("callback %s (%s) is %s and was not taken", c.ID, c.Event(), c.State)
		}
	}
	for id := range body {
		if !slices.ContainsFunc(stored, func(c callback.Callback) bool { return c.ID == id }) {
			x.Errorf("the shop was told %s, which is not stored", id)
		}
	}
	x.shopKnowsAll(x)
}

// findCards searches for the numbers of all cards.
func (x *faultRun) findCards() {
	places := map[string]string{"log": x.log.String(), "queues": x.queue.messages()}
	for _, r := range x.app.Store.Dump() {
		places["store"] += string(r.Doc)
	}
	for _, r := range x.shop.received() {
		places["callbacks"] += string(r.body)
	}
	for place, text := range places {
		for _, number := range faultCards {
			if strings.Contains(text, number) {
				x.Errorf("the %s has a card number", place)
			}
		}
	}
}
