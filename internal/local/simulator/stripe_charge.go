package simulator

import (
	"maps"
	"slices"
	"strings"
)

// operations are those of an account of which a condition is true, the newest first.
func (p *stripe) operations(account string, is func(Operation) bool) []Operation {
	all := slices.DeleteFunc(p.Operations(), func(o Operation) bool {
		return o.Family != "stripe" || o.Account != account || !is(o)
	})
	slices.Reverse(all)
	return all
}

// operation returns an operation by the id of an object that stands for it.
func (p *stripe) operation(r stripeRequest, prefix, kind string, is func(Operation) bool) (
	Operation, *stripeIntent, *stripeError,
) {
	id := r.PathValue("id")
	own, right := strings.CutPrefix(id, prefix+"_")
	if o, known := p.Find("stripe", own); known && right && o.ID == own && o.Account == r.account && is(o) {
		i, e := p.find(r.account, o.Values["intent"])
		return o, i, e
	}
	return Operation{}, nil, missing(kind, "id", id)
}

func isCharge(o Operation) bool { return o.Kind == Charge && charged(o) }

func (p *stripe) readCharge(r stripeRequest) (any, *stripeError) {
	o, i, e := p.operation(r, "ch", "charge", isCharge)
	if e != nil {
		return nil, e
	}
	return p.chargeObject(o, i), nil
}

func (p *stripe) listCharges(r stripeRequest) (any, *stripeError) {
	var all []object
	for _, o := range p.operations(r.account, isCharge) {
		if i, e := p.find(r.account, o.Values["intent"]); e == nil {
			all = append(all, p.chargeObject(o, i))
		}
	}
	return pageOf(r, having(r.form, all, "customer", "payment_intent"))
}

func (p *stripe) listDisputes(r stripeRequest) (any, *stripeError) {
	var all []object
	for _, o := range p.operations(r.account, isDispute) {
		if i, e := p.find(r.account, o.Values["intent"]); e == nil {
			all = append(all, p.dispute(o, i))
		}
	}
	return pageOf(r, having(r.form, all, "charge", "payment_intent"))
}

// updateDispute takes evidence: with the text winning_evidence the dispute is won, with losing_evidence it is lost.
func (p *stripe) updateDispute(r stripeRequest) (any, *stripeError) {
	o, i, e := p.operation(r, "dp", "dispute", isDispute)
	if e != nil {
		return nil, e
	}
	switch r.get("evidence[uncategorized_text]") {
	case "winning_evidence":
		o, _ = p.Act(o.ID, Win)
	case "losing_evidence":
		p.closed[o.ID] = true
	}
	p.observe(i)
	return p.dispute(o, i), nil
}

func isMove(o Operation) bool {
	return o.Kind == Charge && (o.State == Approved || isDispute(o)) || o.Kind == Refund && o.State == Approved
}

func (p *stripe) transactions(account string) (all []object) {
	for _, o := range p.operations(account, isMove) {
		all = append(all, p.transaction(o))
	}
	return all
}

func (p *stripe) listTransactions(r stripeRequest) (any, *stripeError) {
	return pageOf(r, having(r.form, p.transactions(r.account), "currency", "source", "type"))
}

func (p *stripe) readTransaction(r stripeRequest) (any, *stripeError) {
	o, _, e := p.operation(r, "txn", "balance transaction", isMove)
	if e != nil {
		return nil, e
	}
	return p.transaction(o), nil
}

// readBalance is the sum of all transactions, by currency.
func (p *stripe) readBalance(r stripeRequest) (any, *stripeError) {
	sums := map[string]int64{}
	for _, t := range p.transactions(r.account) {
		sums[t["currency"].(string)] += t["net"].(int64)
	}
	if len(sums) == 0 {
		sums["usd"] = 0
	}
	available, pending := []any{}, []any{}
	for _, code := range slices.Sorted(maps.Keys(sums)) {
		available = append(available, object{
			"amount": sums[code], "currency": code, "source_types": object{"card": sums[code]},
		})
		pending = append(pending, object{"amount": 0, "currency": code, "source_types": object{"card": 0}})
	}
	return object{"object": "balance", "livemode": false, "available": available, "pending": pending}, nil
}
