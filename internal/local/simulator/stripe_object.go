package simulator

import (
	"cmp"
	"maps"
	"slices"
)

// latest is the id of the latest charge, "" if nothing was confirmed.
func (i *stripeIntent) latest() string {
	if len(i.tries) == 0 {
		return ""
	}
	return i.tries[len(i.tries)-1]
}

// charge is the operation of a PaymentIntent's latest charge as it is now.
func (p *stripe) charge(i *stripeIntent) (Operation, bool) {
	if len(i.tries) == 0 {
		return Operation{}, false
	}
	return p.Find("stripe", i.latest())
}

// status is that of a PaymentIntent.
func (p *stripe) status(i *stripeIntent) string {
	o, confirmed := p.charge(i)
	switch {
	case i.cancelled != "", o.State == Reversed && o.Reason == "voided":
		return "canceled"
	case confirmed && (o.State == Declined || o.State == Expired):
		if i.set["payment_method"] != o.Values["method"] { // another one was set since
			return "requires_confirmation"
		}
		return "requires_payment_method"
	case !confirmed && i.set["payment_method"] != nil:
		return "requires_confirmation"
	case !confirmed:
		return "requires_payment_method"
	case o.State == Waiting && o.Step == Step3DS:
		return "requires_action"
	case o.State == Waiting:
		return "processing"
	case o.State == Authorised:
		return "requires_capture"
	}
	return "succeeded"
}

// object is a PaymentIntent as Stripe shows it.
func (p *stripe) object(i *stripeIntent) object {
	status := p.status(i)
	o, confirmed := p.charge(i)
	shown := object{
		"id": i.id, "object": "payment_intent", "amount": i.units, "amount_capturable": int64(0),
		"amount_received": int64(0), "amount_details": object{"tip": object{}}, "application": nil,
		"application_fee_amount": nil, "automatic_payment_methods": nil, "canceled_at": nil, "cancellation_reason": nil,
		"client_secret": i.id + "_secret_simulated", "currency": stripeCurrency(i.amount), "created": i.created,
		"customer": nil, "description": nil, "last_payment_error": nil, "latest_charge": nil, "livemode": false,
		"metadata": maps.Clone(i.metadata), "next_action": nil, "on_behalf_of": nil, "payment_method": nil,
		"payment_method_options": object{}, "payment_method_types": []string{"card"}, "processing": nil,
		"receipt_email": nil, "review": nil, "setup_future_usage": nil, "shipping": nil, "source": nil,
		"statement_descriptor": nil, "statement_descriptor_suffix": nil, "status": status, "transfer_data": nil,
		"transfer_group": nil,
	}
	if i.set["payment_method_types"] == nil {
		shown["automatic_payment_methods"] = object{"enabled": true, "allow_redirects": "always"}
	}
	maps.Copy(shown, i.set)
	if status == "canceled" {
		shown["canceled_at"], shown["cancellation_reason"] = cmp.Or(i.cancelledAt, o.CreatedAt.Unix()), "automatic"
	}
	if i.cancelled == "none" {
		shown["cancellation_reason"] = nil
	} else if i.cancelled != "" {
		shown["cancellation_reason"] = i.cancelled
	}
	if confirmed {
		p.addCharge(shown, o, i)
	}
	return shown
}

// addCharge adds what has become of the latest charge.
func (p *stripe) addCharge(shown object, o Operation, i *stripeIntent) {
	switch shown["status"] {
	case "requires_action":
		shown["next_action"] = object{"type": "use_stripe_sdk", "use_stripe_sdk": object{"type": "three_d_secure_redirect"}}
		if o.ReturnURL != "" {
			shown["next_action"] = object{"type": "redirect_to_url", "redirect_to_url": object{
				"url": p.PayURL(o), "return_url": o.ReturnURL,
			}}
		}
	case "requires_capture":
		shown["amount_capturable"] = stripeUnits(o.Moved)
	case "succeeded":
		shown["amount_received"] = stripeUnits(o.Moved) // also when it was disputed since
	case "requires_payment_method":
		shown["last_payment_error"], shown["payment_method"] = p.lastError(o), nil
	}
	if charged(o) {
		shown["latest_charge"] = "ch_" + o.ID
	}
}

// charged reports whether Stripe has sent a charge to the card's bank: not before a payer has passed 3-D Secure.
func charged(o Operation) bool {
	refused := slices.Contains([]string{"payer_refused", "payer_too_slow"}, o.Reason)
	return (o.State != Waiting || o.Step == NoStep) && !refused && o.State != Expired
}

// lastError is the error of the latest confirmation.
func (p *stripe) lastError(o Operation) object {
	e := cardDeclined(o)
	if !charged(o) {
		e = wrong("payment_intent_authentication_failure", "", "The provided PaymentMethod has failed authentication. "+
			"You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.")
	} else {
		e.Charge = "ch_" + o.ID
	}
	shown, _ := e.body().(object)["error"].(object)
	if method := p.thing(o.Account, "payment_method", o.Values["method"]); method != nil {
		shown["payment_method"] = method.object()
	}
	return shown
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

// refund is a refund as Stripe shows it.
func (p *stripe) refund(o Operation) object {
	status, amount := map[State]string{Approved: "succeeded", Waiting: "pending"}[o.State], o.Moved
	if o.State == Waiting || o.State == Declined {
		amount = o.Amount
	}
	shown := object{
		"id": "re_" + o.ID, "object": "refund", "amount": stripeUnits(amount), "status": cmp.Or(status, "failed"),
		"balance_transaction": nil, "charge": "ch_" + o.Parent, "created": o.CreatedAt.Unix(),
		"currency": stripeCurrency(o.Amount), "metadata": maps.Clone(p.refunds[o.ID]), "payment_intent": o.Values["intent"],
		"reason": nil, "receipt_number": nil,
	}
	if o.State == Approved {
		shown["balance_transaction"] = "txn_" + o.ID
	}
	if o.State == Reversed {
		shown["failure_reason"] = "expired_or_canceled_card"
	}
	return shown
}

func (p *stripe) isRefund(o Operation) bool { return o.Kind == Refund && p.refunds[o.ID] != nil }
