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

// chargeObject is a charge as Stripe shows it.
func (p *stripe) chargeObject(o Operation, i *stripeIntent) object {
	totals, _ := p.Totals("stripe", o.ID)
	shown := object{
		"id": "ch_" + o.ID, "object": "charge", "amount": i.units, "amount_captured": stripeUnits(totals.Captured),
		"amount_refunded": stripeUnits(totals.Refunded), "balance_transaction": nil, "billing_details": object{},
		"captured": !totals.Captured.IsZero(), "created": o.CreatedAt.Unix(), "currency": stripeCurrency(o.Amount),
		"customer": i.set["customer"], "description": i.set["description"], "disputed": isDispute(o), "failure_code": nil,
		"failure_message": nil, "livemode": false, "metadata": maps.Clone(i.metadata), "paid": o.State != Declined,
		"outcome":        object{"network_status": "approved_by_network", "type": "authorized", "risk_level": "normal"},
		"payment_intent": i.id, "payment_method": o.Values["method"], "receipt_url": nil,
		"refunded": !totals.Captured.IsZero() && totals.Captured == totals.Refunded, "status": "succeeded",
		"payment_method_details": object{"type": "card", "card": cardObject(o.Card)},
	}
	card := shown["payment_method_details"].(object)["card"].(object)
	card["authorization_code"], card["network_transaction_id"] = "123456", o.networkID()
	card["three_d_secure"] = threeDSecure(o)
	if method := p.thing(o.Account, "payment_method", o.Values["method"]); method != nil {
		shown["billing_details"] = method.shown["billing_details"]
	}
	switch {
	case o.State == Declined:
		d := declineOf(o)
		shown["status"], shown["failure_code"], shown["failure_message"] = "failed", d.code, d.message
		shown["outcome"] = object{"network_status": "declined_by_network", "type": "issuer_declined", "reason": d.decline}
	case o.State == Waiting:
		shown["status"], shown["paid"] = "pending", false
	case totals.Voided:
		shown["refunded"], shown["amount_refunded"] = true, i.units
	}
	if !totals.Captured.IsZero() {
		shown["balance_transaction"] = "txn_" + o.ID
	}
	return shown
}

// threeDSecure is what 3-D Secure has said of the payer of an operation, nil if nobody asked.
func threeDSecure(o Operation) any {
	if !o.authenticated() {
		return nil
	}
	return object{
		"electronic_commerce_indicator": "05", "result": "authenticated", "version": "2.2.0", "transaction_id": dsID(o),
	}
}

// isDispute reports whether a charge is, or was, disputed.
func isDispute(o Operation) bool {
	return o.Kind == Charge && (o.State == Reversed && o.Reason != "voided" || o.Reason == disputeWon)
}

// dispute is the dispute of a charge as Stripe shows it.
func (p *stripe) dispute(o Operation, i *stripeIntent) object {
	amount := i.units
	if !o.Disputed.IsZero() {
		amount = stripeUnits(o.Disputed)
	}
	status := "needs_response"
	switch {
	case o.Reason == disputeWon:
		status = "won"
	case p.closed[o.ID], isLost(o):
		status = "lost"
	}
	return object{
		"id": "dp_" + o.ID, "object": "dispute", "amount": amount, "currency": stripeCurrency(o.Amount),
		"charge": "ch_" + o.ID, "payment_intent": i.id, "reason": "fraudulent", "status": status, "livemode": false,
		"created": o.CreatedAt.Unix(), "evidence": object{}, "evidence_details": object{"has_evidence": false},
		"balance_transactions": []any{}, "is_charge_refundable": false, "metadata": object{},
	}
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

// transaction is what an operation has changed of the balance.
func (p *stripe) transaction(o Operation) object {
	amount, kind, source, fee := stripeUnits(o.Moved), "charge", "ch_"+o.ID, int64(0)
	if o.Kind == Refund {
		amount, kind, source = -amount, "refund", "re_"+o.ID
	} else {
		fee = amount*29/1000 + 30
	}
	return object{
		"id": "txn_" + o.ID, "object": "balance_transaction", "amount": amount, "fee": fee, "net": amount - fee,
		"currency": stripeCurrency(o.Amount), "created": o.CreatedAt.Unix(), "available_on": o.CreatedAt.Unix(),
		"description": nil, "exchange_rate": nil, "fee_details": []any{}, "reporting_category": kind, "source": source,
		"status": "available", "type": kind,
	}
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
