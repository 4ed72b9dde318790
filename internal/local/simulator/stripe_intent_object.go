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
