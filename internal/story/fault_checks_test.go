package story

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
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

// decides has a person decide most of what waits for one, by what the provider knows.
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
			if x.n(4) == 0 {
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
			if !t.SucceededAt.IsZero() {
				x.counts(string(t.Type) + " failed later")
			}
		}
		if p.Status == checkout.StatusSettled {
			x.counts(p.Connector)
		}
	}
	x.sentOnce()
	x.shopHasAll()
	x.checkOrders()
	x.findLeaks()
	x.findCards()
	if strings.Contains(x.log.String(), `"msg":"panic"`) {
		x.Errorf("a function has panicked")
	}
}

// sentOnce checks that no request that moves money was sent again after the provider had executed it.
func (x *faultRun) sentOnce() {
	sent := map[string]bool{}
	for _, r := range x.sim.Requests() {
		parts := strings.Split(r.Path, "/")
		what := parts[len(parts)-1]
		if r.Method != "POST" || r.Status >= 400 || r.Fault == simulator.TooManyRequests ||
			r.Fault == simulator.LosesRequest || r.Family == "collection" || // whose payers may enter the same code twice
			!slices.Contains([]string{"confirm", "capture", "refunds", "payments", "charges"}, what) {
			continue
		}
		id := r.Path + " " + r.Header.Get("Idempotency-Key") + " " + r.Body
		if sent[id] {
			x.Errorf("%s was sent again", r.Path)
		}
		sent[id] = true
	}
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
