package faults

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/local/simulator"
	"checkout/internal/operator"
	"checkout/internal/store"
)

// operates has an operator ask for a capture, void or refund, and returns the status of the response.
func (x *faultRun) operates(f operator.FollowUp) int {
	x.called++
	f.IdempotencyKey = fmt.Sprintf("key-%d", x.called)
	code, _ := x.repeats(func() (int, []byte) {
		act, err := x.act("The payer called."), error(nil)
		survived := x.invoke(func(ctx context.Context) { _, err = x.App.Actor.By(act).FollowUp(ctx, f) })
		switch {
		case !survived:
			return http.StatusBadGateway, nil
		case err == nil:
			x.counts("act of an operator")
			return http.StatusOK, nil
		case fault.CodeOf(err) == fault.CodeInternal:
			return http.StatusInternalServerError, nil
		}
		return http.StatusBadRequest, nil
	})
	return code
}

// act is what an operator does, in a session of a role. Each session has a name of its own, also of the same person.
func (x *faultRun) act(reason string) audit.Act {
	x.sessions++
	return audit.Act{
		ID: store.NewUUID(x.bytes(16)), Who: fmt.Sprintf("arn:aws:sts::1:assumed-role/support/%d", x.sessions),
		Command: "payments", Reason: reason,
	}
}

// operator is the actor as an operator calls it, in a session of a role.
func (x *faultRun) operator(key string) *operator.Actor {
	act := x.act("It is due.")
	act.Key = key
	return x.App.Actor.By(act)
}

// reconsiders has a provider approve a charge after all that it has declined: most often of a payment that was retried,
// or whose payer has tried again. Two people decide soon what becomes of that.
func (x *faultRun) reconsiders() {
	var declined, again []simulator.Operation
	for _, o := range x.sim.Operations() {
		if o.Kind != simulator.Charge || o.State != simulator.Declined || o.Family != "stripe" && o.Family != "adapter" {
			continue
		}
		declined = append(declined, o)
		if p := x.stored(paymentOf(o.Reference)); p != nil && p.RetriedBy != "" {
			again = append(again, o)
		}
	}
	if len(again) > 0 {
		declined = again
	}
	if len(declined) == 0 {
		return
	}
	o := pick(x, declined)
	if o, _ = x.sim.Act(o.ID, simulator.AfterAll); o.Moved != o.Amount {
		x.counts("another amount approved after a decline")
	}
	x.reconsidered[o.Reference] = true
	for range 2 + x.n(3) {
		x.after(x.between(time.Second, 3*time.Minute), func() { x.settlesTwice(paymentOf(o.Reference)) })
	}
}

// stored is a payment as it is stored, nil if there is none.
func (x *faultRun) stored(id string) *payment.Payment {
	all := x.Stored(x)
	i := slices.IndexFunc(all, func(p payment.Payment) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// settlesTwice has two people decide about a contradiction or about money that does not count, the second one while the
// first decision is executed.
func (x *faultRun) settlesTwice(id string) {
	p := x.stored(id)
	if p == nil {
		return
	}
	i := slices.IndexFunc(p.Jobs, func(j payment.Job) bool { return j.Kind.ForPerson() })
	if i < 0 {
		return
	}
	verdicts := []payment.Verdict{
		payment.VerdictAccept, payment.VerdictAccept, payment.VerdictGiveBack, payment.VerdictClose,
	}
	for n, who := range []string{"Ada", "Bob"} {
		d := operator.Settlement{
			PaymentID: id, Reference: p.Jobs[i].Reference, By: who, Reason: "as we have agreed", Verdict: pick(x, verdicts),
		}
		if coins := p.Jobs[i].Coins; coins != nil && x.n(3) == 0 {
			d.Verdict, d.Amount, d.Transfer = payment.VerdictReturned, coins.Amount, "by "+who
		}
		x.after(time.Duration(n)*x.between(0, time.Second), func() {
			x.counts("settlement")
			x.invoke(func(ctx context.Context) { _, _ = x.operator("").Settle(ctx, d) })
		})
	}
}

// actsAgree checks that the audit log has each act of an operator once.
func (x *faultRun) actsAgree(payments []payment.Payment) {
	ctx, now := context.Background(), x.Clock.Now().Add(maxSkew)
	began := now.AddDate(0, 0, -10)
	page, err := audit.List(ctx, x.App.Store, audit.Query{Since: began, Until: now, Limit: 10_000})
	if err != nil || page.Cursor != "" {
		x.Errorf("the audit log: %v", err)
	}
	logged, stored := map[string]int{}, map[string]int{}
	for _, e := range page.Entries {
		if !strings.HasSuffix(e.Changes[0], "is looked up") {
			logged[e.What]++
		}
	}
	for _, p := range payments {
		for _, act := range p.Acts {
			if act.Do != payment.VerdictLookUp { // of which the latest is stored
				stored["payment/"+p.ID]++
			}
		}
	}
	if !maps.Equal(logged, stored) {
		x.Errorf("operators have asked %v, and the audit log has %v", stored, logged)
	}
}

// forgetsAudit stores acts of operators without their entries in the audit log.
func forgetsAudit(_ *faultRun, records []store.Record) []store.Record {
	return slices.DeleteFunc(records, isAudit)
}

// forgetsKeys stores acts of operators without their Idempotency-Keys.
func forgetsKeys(_ *faultRun, records []store.Record) []store.Record {
	if !slices.ContainsFunc(records, isAudit) {
		return records
	}
	return slices.DeleteFunc(records, func(r store.Record) bool {
		return strings.HasPrefix(r.Key.Partition, "idempotency/")
	})
}

func isAudit(r store.Record) bool { return strings.HasPrefix(r.Key.Partition, "audit/") }
