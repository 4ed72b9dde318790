package faults

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
	"checkout/internal/money"
)

// ask is what a merchant has asked for of a payment, and the status of the last response.
type ask struct {
	payment string // of a recurring charge: the initial one
	kind    string // capture, void, refund, recurring or retry
	amount  string // "": all that is left
	number  string // of a recurring charge: of its order
	code    int
	again   bool   // it was sent more than once: an earlier one may have been accepted
	told    string // the trans_status of the response, if it has one
}

func (a ask) accepted() bool { return a.code < http.StatusBadRequest }

// unclear reports whether nobody knows if it was accepted.
func (a ask) unclear() bool {
	return !a.accepted() && (a.again || a.code >= http.StatusInternalServerError || a.code == http.StatusConflict)
}

// notes adds an ask with its response.
func (x *faultRun) notes(a ask, text []byte) {
	var response struct {
		TransStatus string `json:"trans_status"`
	}
	_ = json.Unmarshal(text, &response)
	a.told, a.again = response.TransStatus, x.repeated
	x.asked = append(x.asked, a)
}

// outcome is a request of a payment as the service stores it.
type outcome struct {
	kind      string // charge, capture, void or refund
	reference string
	amount    money.Amount
	status    payment.TransactionStatus // "": it has not ended
	later     bool                      // it failed after its success
	person    bool                      // somebody has decided, or has to
	elsewhere bool                      // the provider did it without a request
}

func (o outcome) String() string { return fmt.Sprintf("%s %s of %s", o.kind, o.reference, o.amount) }

// succeeded reports whether it counts as a success in the end.
func (o outcome) succeeded() bool { return o.status == payment.Success }

// outcomesOf returns what the service knows of all requests of a payment, without what the payer's bank did by itself.
func outcomesOf(p payment.Payment) (all []outcome) {
	for _, t := range p.Transactions {
		kind := string(t.Type)
		switch t.Type {
		case payment.EventCapture, payment.EventVoid, payment.EventRefund:
		case payment.EventChargeback, payment.EventReversal, payment.EventContradiction, payment.EventGiveBack:
			continue
		default:
			kind = "charge"
		}
		all = append(all, outcome{kind, t.Reference, t.Amount, t.Status, !t.SucceededAt.IsZero(), t.Decision != nil,
			t.Elsewhere})
	}
	for _, j := range p.Jobs {
		if !j.Kind.Sends() {
			continue
		}
		amount := cmp.Or(j.Amount, p.Amount)
		all = append(all, outcome{string(j.Kind), j.Reference, amount, "", false, j.Person || j.Decision != nil,
			false})
	}
	return all
}

// asksAgree checks that each capture, void and refund that a merchant was told is accepted is stored with its amount,
// and nothing else is.
func (x *faultRun) asksAgree(p payment.Payment, outcomes []outcome) {
	for _, kind := range []string{"capture", "void", "refund"} {
		stored := slices.DeleteFunc(slices.Clone(outcomes), func(o outcome) bool { return o.kind != kind || o.elsewhere })
		told := map[string]int{}
		var any []ask // those that leave the amount open, or may not have been accepted
		for _, a := range x.asked {
			if a.payment != p.ID || a.kind != kind || !a.accepted() && !a.unclear() {
				continue
			}
			told[a.told]++
			i := slices.IndexFunc(stored, func(o outcome) bool { return kind != "void" && sameAmount(x, o, a.amount) })
			if i < 0 { // a person takes the amount that has moved
				i = slices.IndexFunc(stored, func(o outcome) bool { return kind != "void" && lessByPerson(x, o, a.amount) })
			}
			switch {
			case a.amount == "" || a.unclear():
				any = append(any, a)
			case i < 0:
				x.Errorf("payment %s: a %s of %s was accepted, and none is stored", p.ID, kind, a.amount)
			default:
				stored = slices.Delete(stored, i, i+1)
			}
		}
		x.restAgrees(p, kind, stored, any, outcomes)
		x.toldAgrees(p, kind, told, outcomes)
	}
}

// lessByPerson reports whether a person has decided an outcome of less than was asked for.
func lessByPerson(x *faultRun, o outcome, text string) bool {
	return text != "" && o.person && o.amount.Cmp(story.Cents(x, text)) < 0
}

func sameAmount(x *faultRun, o outcome, text string) bool {
	return text != "" && o.amount.Cmp(story.Cents(x, text)) == 0
}

// restAgrees checks what is stored of the asks that leave the amount open, or may not have been accepted.
func (x *faultRun) restAgrees(p payment.Payment, kind string, stored []outcome, asks []ask, all []outcome) {
	sure := 0
	for _, a := range asks {
		if a.accepted() {
			sure++
		}
	}
	if len(stored) < sure || len(stored) > len(asks) {
		x.Errorf("payment %s: %d %ss were accepted, of up to %d, and %d are stored", p.ID, sure, kind, len(asks), len(stored))
		return
	}
	for _, o := range stored {
		named := slices.ContainsFunc(asks, func(a ask) bool { return sameAmount(x, o, a.amount) })
		whole := slices.ContainsFunc(asks, func(a ask) bool { return a.amount == "" }) && x.isAll(p, o, all)
		less := o.person && slices.ContainsFunc(asks, func(a ask) bool {
			return a.amount == "" || lessByPerson(x, o, a.amount)
		})
		if kind != "void" && !named && !whole && !less {
			x.Errorf("payment %s: a %s of %s is stored, and nobody asked for that", p.ID, kind, o.amount)
		}
	}
}

// isAll reports whether an outcome is of everything that was left: of a refund, what was captured without some of the
// other refunds, or less by a person.
func (x *faultRun) isAll(p payment.Payment, o outcome, all []outcome) bool {
	if o.kind != "refund" {
		return o.amount.Cmp(story.Cents(x, p.Order.Amount.Text)) == 0
	}
	left := []money.Amount{story.Cents(x, p.Captured.String())}
	for _, other := range all {
		if other.kind != "refund" || other.reference == o.reference {
			continue
		}
		for _, before := range slices.Clone(left) {
			for _, amount := range x.reservedBy(p, other) {
				if less, err := before.Sub(amount); err == nil {
					left = append(left, less)
				}
			}
		}
	}
	return slices.ContainsFunc(left, func(a money.Amount) bool {
		return a.Cmp(o.amount) == 0 || o.person && a.Cmp(o.amount) > 0
	})
}

// reservedBy returns the amounts that a refund may have reserved: its own, and what was asked for if a person has taken
// that less has moved.
func (x *faultRun) reservedBy(p payment.Payment, o outcome) []money.Amount {
	amounts := []money.Amount{o.amount}
	for _, a := range x.asked {
		if a.payment == p.ID && a.kind == o.kind && lessByPerson(x, o, a.amount) {
			amounts = append(amounts, story.Cents(x, a.amount))
		}
	}
	return amounts
}

// toldAgrees checks that no more captures or voids have succeeded or failed by the responses than are stored.
func (x *faultRun) toldAgrees(p payment.Payment, kind string, told map[string]int, all []outcome) {
	ended := map[string]int{}
	for _, o := range all {
		if o.kind == kind && (o.status == payment.Success || o.later) {
			ended["SUCCESS"]++
		}
		if o.kind == kind && o.status == payment.Fail { // also after a success: a response may come late
			ended["FAIL"]++
		}
	}
	for _, status := range []string{"SUCCESS", "FAIL"} {
		if told[status] > ended[status] {
			x.Errorf("payment %s: the merchant was told of %d %ss as %s, and there are %d",
				p.ID, told[status], kind, status, ended[status])
		}
	}
}

// chargesAsked checks that later payments of a chain are those that merchants have asked for, once each.
func (x *faultRun) chargesAsked(payments []payment.Payment) {
	type order struct{ chain, number string }
	stored, asks, sure := map[order]int{}, map[order]int{}, map[order]int{}
	byID, amounts, retried := map[string]payment.Payment{}, map[order]string{}, map[string]int{}
	for _, p := range payments {
		byID[p.ID] = p
	}
	for _, a := range x.asked {
		of := order{a.payment, a.number}
		if p := byID[a.payment]; a.kind == "retry" {
			of = order{p.Chain, p.Order.Number}
			if a.accepted() {
				retried[p.ID]++
			}
			if p.ScheduleID != "" {
				continue
			}
		} else if a.kind == "recurring" {
			amounts[of] = a.amount
		} else {
			continue
		}
		if a.accepted() || a.unclear() {
			asks[of]++
		}
		if a.accepted() {
			sure[of]++
		}
	}
	for _, p := range payments {
		if !p.Recurring || p.ScheduleID != "" {
			continue
		}
		of := order{p.Chain, p.Order.Number}
		stored[of]++
		if p.Order.Amount.Text != amounts[of] {
			x.Errorf("order %s of %s was charged with %s", of.number, amounts[of], p.Order.Amount.Text)
		}
	}
	for of, n := range stored {
		if n > asks[of] || n < sure[of] {
			x.Errorf("order %s of chain %s was charged %d times, and was to be %d times", of.number, of.chain, n, asks[of])
		}
	}
	for of, n := range sure {
		if stored[of] == 0 {
			x.Errorf("%d charges of order %s were accepted, and none is stored", n, of.number)
		}
	}
	hard := map[string]bool{}
	for _, o := range x.sim.Operations() {
		hard[paymentOf(o.Reference)] = o.State == simulator.Declined && o.Amount.String() == hardDecline
	}
	for id, n := range retried {
		x.counts("retry")
		accepted := slices.ContainsFunc(byID[id].Acts, func(a payment.Act) bool { return a.Do == payment.VerdictAccept })
		if n > 1 || hard[id] || byID[id].Status != payment.StatusDecline && !accepted {
			x.Errorf("%d retries of payment %s, which is %s, were accepted", n, id, byID[id].Status)
		}
	}
}
