package story

import (
	"fmt"
	"slices"

	"checkout/internal/checkout"
	"checkout/internal/money"
	"checkout/internal/simulator"
)

// ledgerAgrees compares a payment with the provider's ledger.
func (x *faultRun) ledgerAgrees(p checkout.Payment, operations []simulator.Operation) {
	var charged, waiting []simulator.Operation
	for _, o := range operations {
		if o.Kind != simulator.Charge && o.Kind != simulator.Payout || paymentOf(o.Reference) != p.ID {
			continue
		}
		switch o.State {
		case simulator.Waiting:
			waiting = append(waiting, o)
		case simulator.Authorised, simulator.Approved, simulator.Reversed:
			charged = append(charged, o)
		}
	}
	// A charge that its payer had to confirm in a time is looked up for longer, also if the provider says another amount.
	lookedUp := len(waiting) > 0 || p.Action != nil && !p.Action.ExpiresAt.IsZero() &&
		slices.ContainsFunc(charged, otherAmount)
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
	if all := totals.refunded; !all.IsZero() && all.Cmp(p.Captured) == 0 { // voided after the capture, or disputed
		want = append(want, checkout.StatusVoid, checkout.StatusRefund)
	}
	if o.State == simulator.Reversed && p.Captured.IsZero() { // disputed before the service knew of the approval
		want = append(want, checkout.StatusDecline)
	}
	if o.Reason == "voided" || !totals.refunded.IsZero() && totals.refunded == o.Moved {
		want = append(want, checkout.StatusVoid)
	}
	disputed := o.State == simulator.Reversed && o.Moved.Cmp(o.Amount) != 0
	if totals.doubtful || disputed && slices.ContainsFunc(p.Jobs, func(j checkout.Job) bool { return j.Person }) {
		return // a person decides
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
	moved := o.State == simulator.Approved || o.State == simulator.Authorised ||
		o.Kind == simulator.Refund && o.State == simulator.Reversed
	return moved && o.Moved.Cmp(o.Amount) != 0
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
		if o.Kind == simulator.Refund && o.State == simulator.Approved {
			t.refunded, _ = t.refunded.Add(o.Amount)
		}
	}
	return t
}
