package simulator

import "maps"

func (p *stripe) createSetup(r stripeRequest) (any, *stripeError) {
	if id := r.get("customer"); id != "" && p.thing(r.account, "customer", id) == nil {
		return nil, missing("customer", "customer", id).named("customer")
	}
	var method *stripeThing
	if r.get("payment_method") != "" || r.get("payment_method_data[type]") != "" {
		var e *stripeError
		if method, e = p.methodOf(r); e != nil {
			return nil, e
		}
	}
	shown := object{
		"application": nil, "automatic_payment_methods": nil, "cancellation_reason": nil, "customer": nil,
		"description": nil, "last_setup_error": nil, "latest_attempt": nil, "mandate": nil, "next_action": nil,
		"payment_method": nil, "payment_method_options": object{}, "payment_method_types": []string{"card"},
		"status": "requires_payment_method", "usage": "off_session",
	}
	maps.Copy(shown, nested(r.form,
		"customer", "description", "usage", "automatic_payment_methods", "payment_method_types"))
	t := p.newThing(r, "seti", "setup_intent", shown)
	t.shown["client_secret"] = t.id + "_secret_simulated"
	if method != nil {
		t.shown["payment_method"], t.shown["status"] = method.id, "requires_confirmation"
	}
	if r.get("confirm") == "true" {
		return p.confirmedSetup(r, t, method)
	}
	return t.object(), nil
}

// confirmedSetup saves the card of a SetupIntent for later payments of its customer.
func (p *stripe) confirmedSetup(r stripeRequest, t, method *stripeThing) (any, *stripeError) {
	switch {
	case method == nil:
		e := wrong("setup_intent_unexpected_state", "", "You cannot confirm this SetupIntent: it lacks a payment method.")
		e.setup = t.object()
		return nil, e
	case r.get("return_url") == "" && mayRedirect(nested(r.form, "payment_method_types", "automatic_payment_methods")):
		return nil, wrong("", "", "This SetupIntent is configured to accept payment methods that may redirect, so you must "+
			"provide a `return_url`.")
	}
	card := stripeCards[method.card]
	if card.declines() {
		e := cardDeclined(Operation{Kind: Charge, Card: method.card})
		t.shown["status"], t.shown["payment_method"] = "requires_payment_method", nil
		e.setup = t.object()
		return nil, e
	}
	t.shown["status"] = "succeeded"
	if card.secure {
		t.shown["status"] = "requires_action"
		t.shown["next_action"] = object{"type": "use_stripe_sdk", "use_stripe_sdk": object{}}
		return t.object(), nil
	}
	if t.shown["customer"] != nil {
		method.shown["customer"] = t.shown["customer"]
	}
	p.event(r.account, "setup_intent.succeeded", "evt_"+t.id, t.object)
	return t.object(), nil
}
