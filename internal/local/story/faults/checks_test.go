package faults

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
	"checkout/internal/money"
	"checkout/internal/operator"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// settles ends all faults and lets everything come to its end.
func (x *faultRun) settles() {
	x.calm = true
	x.sim.Chance = 0
	for _, s := range x.shops {
		s.mood = takes
		s.set(s.setUp)
	}
	for _, o := range x.sim.Operations() {
		if o.State == simulator.Waiting && o.Step != simulator.NoStep && x.n(10) > 0 {
			x.sim.Act(o.ID, pick(x, []simulator.Choice{simulator.Approve, simulator.Approve, simulator.Expire}))
		}
	}
	for passed := time.Duration(0); passed < 96*time.Hour; passed += 10 * time.Minute {
		if passed == 4*time.Hour || passed == 90*time.Hour {
			x.noticesAgain()
		}
		if x.HasDue() {
			x.sweeps()
		}
		if passed > 4*time.Hour && !x.busy() {
			break
		}
		x.runUntil(x.Clock.Now().Add(10 * time.Minute))
	}
	x.endsSchedules()
	x.decides()
	x.endsSchedules() // of a chain that began when a person had decided
	x.voidsTooLate()
}

// looksUp has a person look up all that waits for one, and decides nothing.
func (x *faultRun) looksUp() {
	asked := 0
	for _, p := range x.Stored(x) {
		if !slices.ContainsFunc(p.Jobs, func(j payment.Job) bool { return j.Person }) {
			continue
		}
		asked++
		if _, err := x.operator("").LookUp(context.Background(), p.ID, ""); err != nil {
			x.Errorf("payment %s can't be looked up: %v", p.ID, err)
		}
	}
	for range min(asked, 1) * 6 {
		x.sweeps()
		x.runUntil(x.Clock.Now().Add(10 * time.Minute))
	}
	for _, p := range x.Stored(x) {
		if slices.ContainsFunc(p.Acts, func(a payment.Act) bool { return a.Result == "" }) {
			x.Errorf("payment %s was not looked up: %+v", p.ID, p.Acts)
		}
	}
}

// decides has a person decide most of what waits for one, by what the provider knows.
func (x *faultRun) decides() {
	x.looksUp()
	settled := map[string]bool{}
	for _, p := range x.Stored(x) {
		for _, job := range p.Jobs {
			if !job.Person || p.Test {
				continue
			}
			x.counts("person")
			if job.Kind.ForPerson() { // such as what the provider has said both of: a person alone knows what to do
				continue
			}
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
			verdict := payment.VerdictDeclined
			if o.State == simulator.Approved || o.State == simulator.Authorised {
				verdict = payment.VerdictApproved
			}
			_, err := x.operator("").Settle(context.Background(), operator.Settlement{
				PaymentID: p.ID, Reference: job.Reference, By: "Ada", Reason: "as the provider says", Verdict: verdict,
			})
			if err != nil {
				x.Errorf("payment %s can't be settled: %v", p.ID, err)
			}
		}
	}
	if len(settled) == 0 {
		return
	}
	for i := range 6 {
		if i == 3 {
			x.noticesAgain() // of what followed a request that was unknown, and was refused until then
		}
		x.sweeps()
		x.runUntil(x.Clock.Now().Add(10 * time.Minute))
	}
	for _, p := range x.Stored(x) {
		for _, job := range p.Jobs {
			if settled[job.Reference] && !job.Kind.ForPerson() {
				x.Errorf("payment %s is still not settled: %+v", p.ID, job)
			}
		}
	}
}

// voidsTooLate has a merchant void a payment on the day after it was settled, which is refused.
func (x *faultRun) voidsTooLate() {
	settled := slices.DeleteFunc(x.Stored(x), func(p payment.Payment) bool { return p.Status != payment.StatusSettled })
	if len(settled) == 0 {
		return
	}
	x.runUntil(x.Clock.Now().Add(24 * time.Hour))
	p := pick(x, settled)
	if code, text := x.calls("/api/v1/payment/void", x.shopOf(p.Merchant).AmountBody(p.ID, "")); code < 400 {
		x.Errorf("payment %s was voided the day after: %s", p.ID, text)
	}
}

// busy reports whether anything is still to happen.
func (x *faultRun) busy() bool {
	some := x.Clock.Now().AddDate(1, 0, 0)
	return len(x.events) > 0 || len(x.Listed(store.DuePayment, some, 1))+len(x.Listed(store.DueCallback, some, 1)) > 0
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
	operations, all, callbacks := x.sim.Operations(), x.Stored(x), x.Callbacks()
	payments := x.live(all)
	for _, p := range payments {
		x.ledgerAgrees(p, operations)
		x.countsWallets(p, operations)
		for _, t := range p.Transactions {
			x.counts(string(t.Type) + " " + string(t.Status))
			if !t.SucceededAt.IsZero() {
				x.counts(string(t.Type) + " failed later")
			}
		}
		if p.Status == payment.StatusSettled {
			x.counts(p.Connector + " " + p.Method)
		}
	}
	if strings.Contains(x.Log.String(), "circuit breaker opens") {
		x.counts("circuit opens")
	}
	if strings.Contains(x.Log.String(), `"msg":"bypass"`) {
		x.counts("MID not reached")
	}
	if strings.Contains(x.Log.String(), `"msg":"cascade"`) {
		x.counts("cascade")
	}
	x.ordersApart(payments, operations)
	x.oneCharge(payments, operations)
	x.chargesAsked(all)
	x.schedulesAgree(all)
	x.payersAgree(all)
	x.actsAgree(all)
	x.sentOnce()
	x.tokensUsedOnce()
	for _, s := range x.shops {
		s.toldAll(callbacks)
		s.acceptedOnce()
		s.oldEnded()
	}
	x.CheckOrders()
	x.sumsAgree(payments, operations)
	x.listsAll(x.Stored(x)) // later than the shops have tried their old keys
	x.FindSealedCards()
	x.findSecrets()
	if strings.Contains(x.Log.String(), `"msg":"panic"`) {
		x.Errorf("a function has panicked")
	}
}

// live are the payments that the simulated providers have made. The others, in test mode, are made by the sandbox, and
// have to come to an end.
func (x *faultRun) live(all []payment.Payment) []payment.Payment {
	return slices.DeleteFunc(slices.Clone(all), func(p payment.Payment) bool {
		if p.Test && (p.Connector != settings.SandboxConnector && p.Connector != "" ||
			slices.ContainsFunc(p.Jobs, func(j payment.Job) bool { return !j.Person })) {
			x.Errorf("test payment %s by %s is %s, and neither final nor left to a person", p.ID, p.Connector, p.Status)
		}
		return p.Test
	})
}

// ordersApart checks that no payment, and no request to a provider, has anything of another order.
func (x *faultRun) ordersApart(payments []payment.Payment, operations []simulator.Operation) {
	byID := map[string]orderedPayment{}
	for _, p := range payments {
		byID[p.ID] = orderedPayment{p, story.Cents(x, p.Order.Amount.Text)}
		known := p.Recurring || isPayout(p) || slices.ContainsFunc(x.opened, func(o *faultOrder) bool {
			return o.shop == x.shopOf(p.Merchant) && o.number == p.Order.Number && o.amount == p.Order.Amount.Text &&
				(o.session == p.SessionID || o.server) && o.method.id == p.Method
		})
		if !known {
			x.Errorf("payment %s is of no order: %s, %s by %s", p.ID, p.Order.Number, p.Order.Amount.Text, p.Method)
		}
	}
	charges := map[string]simulator.Operation{}
	for _, o := range operations {
		charges[o.ID] = o
		about := o
		if o.Parent != "" {
			about = charges[o.Parent]
		}
		p, known := byID[paymentOf(about.Reference)]
		switch {
		case strings.HasPrefix(o.Reference, dashboard):
		case !known || !p.asked(o.Reference):
			x.Errorf("the provider was asked for a %s of no payment: %s", o.Kind, o.Reference)
		case o.Parent == "" && o.Amount.Cmp(p.ordered) != 0:
			x.Errorf("the provider was asked for %s, payment %s is of %s", o.Amount, p.ID, p.ordered)
		case o.Family == "stripe" && !slices.Contains(x.shopOf(p.Merchant).accounts[:], o.Account):
			x.Errorf("payment %s was charged by the account of another shop", p.ID)
		}
	}
}

// orderedPayment is a payment with the amount of its order, which a capture of less does not change.
type orderedPayment struct {
	payment.Payment
	ordered money.Amount
}

// asked reports whether a reference is of one of the payment's requests.
func (p orderedPayment) asked(reference string) bool {
	return paymentOf(reference) == p.ID ||
		slices.ContainsFunc(p.Jobs, func(j payment.Job) bool { return j.Reference == reference }) ||
		slices.ContainsFunc(p.Transactions, func(t payment.Transaction) bool { return t.Reference == reference })
}

// sentOnce checks that no request that moves money was sent again after the provider had executed it.
func (x *faultRun) sentOnce() {
	sent := map[string]bool{}
	for _, r := range x.sim.Requests() {
		parts := strings.Split(r.Path, "/")
		what := parts[len(parts)-1]
		if r.Method != "POST" || r.Status >= 400 || r.Fault == simulator.TooManyRequests ||
			r.Fault == simulator.LosesRequest || r.Family == "collection" || // whose payers may enter the same code twice
			!slices.Contains([]string{"confirm", "capture", "refunds", "payments", "charges", "charge", "refund"}, what) {
			continue
		}
		id := r.Path + " " + cmp.Or(r.Header.Get("Idempotency-Key"), r.Body)
		if sent[id] {
			x.Errorf("%s was sent again", r.Path)
		}
		sent[id] = true
	}
}
