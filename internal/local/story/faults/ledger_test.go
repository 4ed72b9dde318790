package faults

import (
	"cmp"
	"fmt"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
	"checkout/internal/money"
	"checkout/internal/settings"
)

// paymentLedger is a payment with what the provider knows of it.
type paymentLedger struct {
	payment.Payment
	reconsidered map[string]bool // references of charges that their providers have approved after all
	outcomes     []outcome
	charges      []simulator.Operation // and payouts
	follow       []simulator.Operation // captures, voids and refunds
}

func (x *faultRun) ledgerOf(p payment.Payment, operations []simulator.Operation) paymentLedger {
	l := paymentLedger{Payment: p, reconsidered: x.reconsidered, outcomes: outcomesOf(p)}
	ids := map[string]bool{}
	for _, o := range operations {
		switch {
		case o.Parent == "" && paymentOf(o.Reference) == p.ID:
			l.charges, ids[o.ID] = append(l.charges, o), true
		case ids[o.Parent]:
			l.follow = append(l.follow, o)
		}
	}
	return l
}

// reported reports whether the provider has approved a charge after it was declined, as is stored.
func (l paymentLedger) reported(reference string) bool {
	return l.reconsidered[reference] && l.Transactions.WasDeclined(reference) &&
		slices.ContainsFunc(l.Transactions, func(t payment.Transaction) bool {
			return t.Type == payment.EventContradiction && t.Reference == reference && t.Status == payment.Success
		})
}

// afterAll reports whether that was so, and no person has accepted it: the charge counts as declined.
func (l paymentLedger) afterAll(reference string) bool {
	return l.reported(reference) && l.Transactions.SuccessOf(reference) < 0
}

func (l paymentLedger) says() string {
	return fmt.Sprintf("payment %s is %s, %q", l.ID, l.Status, l.Reason)
}

// executed reports whether an operation has moved money, or has held it, at any time.
func executed(o simulator.Operation) bool {
	return o.State == simulator.Authorised || o.State == simulator.Approved || o.State == simulator.Reversed
}

// otherAmount reports whether the provider has moved another amount than was asked for.
func otherAmount(o simulator.Operation, follow []simulator.Operation) bool {
	captured := slices.ContainsFunc(follow, func(f simulator.Operation) bool {
		return f.Parent == o.ID && f.Kind == simulator.Capture && executed(f)
	})
	return executed(o) && !captured && o.Kind != simulator.Void && o.Reason != "voided" && o.Moved.Cmp(o.Amount) != 0
}

// ledgerAgrees compares a payment with the provider's ledger: each request, and then what the payment ends as.
func (x *faultRun) ledgerAgrees(p payment.Payment, operations []simulator.Operation) {
	l := x.ledgerOf(p, operations)
	x.asksAgree(p, l.outcomes)
	for _, o := range l.outcomes {
		x.outcomeAgrees(l, o)
	}
	x.chargeIsOne(l)
	x.endAgrees(l)
}

// outcomeAgrees compares what the service knows of a request with what the provider has done.
func (x *faultRun) outcomeAgrees(l paymentLedger, o outcome) {
	var done []simulator.Operation
	waits := false
	for _, op := range slices.Concat(l.charges, l.follow) {
		if op.Reference != o.reference {
			continue
		}
		waits = waits || op.State == simulator.Waiting
		if executed(op) {
			done = append(done, op)
		}
	}
	says := fmt.Sprintf("payment %s: %s", l.ID, o)
	switch {
	case o.elsewhere || o.reference == "" || l.reported(o.reference) && o.status == payment.Fail:
	case o.kind == "charge" && o.amount.IsZero():
	case len(done) > 1:
		x.Errorf("%s was executed %d times", says, len(done))
	case o.person:
	case len(done) == 0 && (o.succeeded() || o.later):
		x.Errorf("%s is told as a success, and the provider has not executed it", says)
	case len(done) == 0 && o.status == "" && !waits:
		x.Errorf("%s is still open, and the provider has decided", says)
	case len(done) == 1:
		x.executionAgrees(l, o, done[0], says)
	}
}

// executionAgrees compares a request with the operation by which the provider has executed it.
func (x *faultRun) executionAgrees(l paymentLedger, o outcome, done simulator.Operation, says string) {
	kinds := map[string][]simulator.Kind{
		"charge": {simulator.Charge, simulator.Payout}, "capture": {simulator.Capture}, "refund": {simulator.Refund},
		"void": {simulator.Void, simulator.Refund}, // some providers refund what was captured
	}
	back := done.State == simulator.Reversed && done.Reason != "voided"
	wholeBack := o.kind == "void" && done.Kind == simulator.Void
	switch {
	case !slices.Contains(kinds[o.kind], done.Kind):
		x.Errorf("%s was executed as a %s", says, done.Kind)
	case !wholeBack && o.amount.Cmp(done.Amount) != 0:
		x.Errorf("%s was executed as one of %s", says, done.Amount)
	case otherAmount(done, l.follow) && o.status != "" && !back: // of a dispute some providers tell the whole
		x.Errorf("%s has moved %s, and no person has decided: it is %s", says, done.Moved, o.status)
	case o.status == "" && l.Action != nil && !l.Action.ExpiresAt.IsZero() && otherAmount(done, l.follow):
		// A charge that its payer had to confirm in a time is looked up for longer.
	case o.status == "":
		x.Errorf("%s is still open, and the provider has executed it", says)
	case o.status == payment.Fail && !back:
		x.Errorf("%s is told as failed, and the provider has executed it", says)
	case o.succeeded() && back && o.kind != "charge" && o.kind != "capture":
		x.Errorf("%s is told as a success, and has failed later", says)
	}
}

// chargeIsOne checks that a payment is charged at most once, whatever references and MIDs it has, and that its jobs
// have an end.
func (x *faultRun) chargeIsOne(l paymentLedger) {
	charged, waiting := 0, false
	for _, o := range l.charges {
		waiting = waiting || o.State == simulator.Waiting
		if executed(o) && !l.afterAll(o.Reference) {
			charged++
		}
	}
	lookedUp := waiting || l.Action != nil && !l.Action.ExpiresAt.IsZero() &&
		slices.ContainsFunc(l.charges, func(o simulator.Operation) bool { return otherAmount(o, l.follow) })
	switch {
	case !lookedUp && slices.ContainsFunc(l.Jobs, func(j payment.Job) bool { return !j.Person }):
		x.Errorf("%s, and neither final nor left to a person: %+v", l.says(), l.Jobs)
	case slices.ContainsFunc(l.Jobs, func(j payment.Job) bool { return j.Person && j.UnknownSince.IsZero() }):
		x.Errorf("%s, and a person can't see why to decide: %+v", l.says(), l.Jobs)
	case charged > 1:
		x.Errorf("%s: the provider charged it %d times", l.says(), charged)
	case !story.Decided(l.Payment) && len(l.Jobs) == 0:
		x.Errorf("%s, and nothing is to be done", l.says())
	case charged == 0 && !story.Decided(l.Payment) && !waiting:
		x.Errorf("%s, and the provider has decided", l.says())
	}
}

// endAgrees compares a payment that has nothing left to do with what its charge and all that followed have led to.
func (x *faultRun) endAgrees(l paymentLedger) {
	if len(l.Jobs) > 0 || !story.Decided(l.Payment) {
		return
	}
	want, captured := x.end(l)
	if captured.Currency().Code == "" {
		captured = money.Zero(story.USD())
	}
	if !slices.Contains(want, l.Status) {
		x.Errorf("%s, and by what the provider has done it is %v", l.says(), want)
	}
	if l.Status != payment.StatusDecline && story.Cents(x, l.Captured.String()).Cmp(captured) != 0 {
		x.Errorf("%s: captured %s, and it is %s", l.says(), l.Captured, captured)
	}
	sum := story.Refunded(x, l.Payment)
	if !captured.IsZero() && sum.Cmp(captured) > 0 {
		x.Errorf("%s: refunded %s of %s", l.says(), sum, captured)
	}
}

// end returns what a payment has to end as, and what was captured. It is one status, but for two facts that only their
// order decides: whether the service knew first of a dispute, or of what gave the money back or never reached it.
func (x *faultRun) end(l paymentLedger) (want []payment.Status, captured money.Amount) {
	captured = money.Zero(story.USD())
	i := slices.IndexFunc(l.outcomes, func(o outcome) bool { return o.kind == "charge" && o.succeeded() })
	j := slices.IndexFunc(l.charges, func(o simulator.Operation) bool {
		return executed(o) && !l.afterAll(o.Reference)
	})
	if i < 0 && j >= 0 && l.charges[j].State == simulator.Reversed { // before the service knew of the success
		return []payment.Status{payment.StatusDecline}, captured
	}
	if i < 0 {
		return []payment.Status{payment.StatusDecline}, captured
	}
	if j < 0 {
		return []payment.Status{l.Status}, l.Captured // by a person: outcomeAgrees has the others
	}
	charge := l.charges[j]
	disputed := charge.State == simulator.Reversed && charge.Reason != "voided"
	voided, back := false, money.Zero(story.USD())
	if !charge.HoldOnly {
		captured = l.outcomes[i].amount
	}
	for _, o := range l.outcomes {
		switch {
		case !o.succeeded():
		case o.kind == "capture":
			captured = o.amount
			disputed = disputed || slices.ContainsFunc(l.follow, func(f simulator.Operation) bool {
				return f.Reference == o.reference && f.State == simulator.Reversed
			})
		case o.kind == "void":
			voided = true
		case o.kind == "refund":
			back, _ = back.Add(o.amount)
		}
	}
	status := payment.StatusSettled
	switch {
	case voided:
		status = payment.StatusVoid
	case captured.IsZero():
		status = payment.StatusPending
	case back.Cmp(captured) == 0:
		status = payment.StatusRefund
	}
	if !disputed {
		return []payment.Status{status}, captured
	}
	want = []payment.Status{disputeOf(charge)}
	if status == payment.StatusVoid || status == payment.StatusRefund {
		want = append(want, status)
	}
	return want, captured
}

// disputeOf is the status of a charge that was disputed or has failed: not every provider has two words.
func disputeOf(charge simulator.Operation) payment.Status {
	one := map[string]payment.Status{
		"stripe": payment.StatusChargeback,
		"cash":   payment.StatusReversal, "voucher": payment.StatusReversal,
	}
	byReason := payment.StatusReversal
	if charge.Reason == "chargeback" {
		byReason = payment.StatusChargeback
	}
	return cmp.Or(one[charge.Family], byReason)
}

// reversedBefore reports whether the provider said, when it declined a charge, that its money had gone back: the
// payer may pay again.
func (l paymentLedger) reversedBefore(o simulator.Operation) bool {
	return o.State == simulator.Reversed && slices.ContainsFunc(l.Transactions, func(t payment.Transaction) bool {
		return t.Reference == o.Reference && t.Status == payment.Fail && t.Code == o.Reason
	})
}

// oneCharge checks that no session was charged twice or declined too often, and that each charge is what its payer and
// merchant wanted.
func (x *faultRun) oneCharge(payments []payment.Payment, operations []simulator.Operation) {
	charged, declined := map[string]int{}, map[string]int{}
	initial := map[string]simulator.Operation{}
	for _, p := range payments {
		if p.Status == payment.StatusDecline && p.SessionID != "" {
			declined[p.SessionID]++
		}
		l := x.ledgerOf(p, operations)
		for _, o := range l.charges {
			if executed(o) {
				initial[p.ID] = o
			}
			if executed(o) && !l.reversedBefore(o) && !l.afterAll(o.Reference) {
				charged[p.SessionID]++
			}
			x.wanted(p, o)
		}
	}
	for session, n := range declined {
		if n > settings.DefaultMaxDeclines {
			x.Errorf("%d attempts of one session were declined: %s", n, session)
		}
	}
	for session, n := range charged {
		if n > 1 && session != "" {
			x.Errorf("the payments of one session were charged %d times", n)
		}
	}
	for _, p := range payments {
		o, first := initial[p.ID], initial[p.Chain]
		if p.Recurring && o.Card != "" && first.Card != "" && o.Card != first.Card {
			x.Errorf("payment %s has charged a card that its chain does not have", p.ID)
		}
	}
}

// wanted checks that a charge is of a card that its payer has entered, and held only if the merchant wanted that.
func (x *faultRun) wanted(p payment.Payment, o simulator.Operation) {
	typed := x.typed[p.SessionID]
	if p.SessionID != "" && p.SavedCard == "" && p.Method == "card" && o.Card != "" && !slices.Contains(typed, o.Card) {
		x.Errorf("payment %s has charged a card that its payer has not entered", p.ID)
	}
	i := slices.IndexFunc(x.opened, func(f *faultOrder) bool {
		return f.shop == x.shopOf(p.Merchant) && f.number == p.Order.Number &&
			cmp.Or(f.session, p.SessionID) == p.SessionID
	})
	if i < 0 || p.SessionID == "" {
		return
	}
	asked, changed := x.opened[i].auth, x.opened[i].shop.changed
	if o.HoldOnly && !asked || asked && !o.HoldOnly && !changed && o.Kind == simulator.Charge {
		x.Errorf("payment %s was held: %t, and that was wanted: %t", p.ID, o.HoldOnly, asked)
	}
}
