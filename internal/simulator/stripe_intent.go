package simulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// intentFields are the parameters of a PaymentIntent that the simulator stores, beside metadata.
var intentFields = []string{
	"description", "statement_descriptor_suffix", "capture_method", "setup_future_usage", "customer", "payment_method",
}

// only refuses parameters that a request does not have.
func only(r stripeRequest, allowed ...string) *stripeError {
	for name := range r.form {
		top, _, _ := strings.Cut(name, "[")
		if !slices.Contains(allowed, top) {
			return wrong("parameter_unknown", name, "Received unknown parameter: "+name)
		}
	}
	return nil
}

func (p *stripe) createIntent(r stripeRequest) (any, *stripeError) {
	allowed := append(slices.Clone(intentFields), "amount", "currency", "metadata", "payment_method_types", "expand")
	if e := only(r, allowed...); e != nil {
		return nil, e
	}
	amount, units, e := stripeAmount(r.form.Get("amount"), r.form.Get("currency"))
	if e != nil {
		return nil, e
	}
	i := &stripeIntent{
		id: p.newObject("pi"), account: r.account, created: p.Now().Unix(), amount: amount, units: units,
		fields: map[string]string{"capture_method": "automatic"}, metadata: map[string]string{},
	}
	p.intents = append(p.intents, i)
	i.set(r)
	return p.object(i, r), nil
}

func (i *stripeIntent) set(r stripeRequest) {
	metadataOf(r.form, i.metadata)
	for _, name := range intentFields {
		if value := r.form.Get(name); value != "" {
			i.fields[name] = value
		}
	}
}

func (p *stripe) readIntent(r stripeRequest) (any, *stripeError) {
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	return p.object(i, r), nil
}

// search finds PaymentIntents by one value of their metadata.
func (p *stripe) search(r stripeRequest) (any, *stripeError) {
	query, ok := strings.CutPrefix(r.form.Get("query"), "metadata['")
	name, value, ok2 := strings.Cut(query, "']:'")
	if !ok || !ok2 || !strings.HasSuffix(value, "'") {
		return nil, wrong("", "query", "The simulator finds by metadata alone.")
	}
	found := []any{}
	for _, i := range p.intents {
		if i.account == r.account && i.metadata[name] == strings.TrimSuffix(value, "'") {
			found = append(found, p.object(i, r))
		}
	}
	return object{"object": "search_result", "has_more": false, "url": "/v1/payment_intents/search", "data": found}, nil
}

func (p *stripe) updateIntent(r stripeRequest) (any, *stripeError) {
	allowed := append(slices.Clone(intentFields), "metadata", "expand", "payment_method_options")
	if e := only(r, allowed...); e != nil {
		return nil, e
	}
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	for name := range r.form {
		if !strings.HasPrefix(name, "metadata") && name != "description" && p.status(i) != "requires_payment_method" {
			return nil, p.unexpected(i)
		}
	}
	i.set(r)
	return p.object(i, r), nil
}

// unexpected is the error of a request that a PaymentIntent's status does not allow.
func (p *stripe) unexpected(i *stripeIntent) *stripeError {
	return wrong("payment_intent_unexpected_state", "", "This PaymentIntent has a status of "+p.status(i)+".")
}

func (p *stripe) confirmIntent(r stripeRequest) (any, *stripeError) {
	if e := only(r, "payment_method", "off_session", "return_url", "error_on_requires_action", "expand",
		"capture_method", "setup_future_usage"); e != nil {
		return nil, e
	}
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	if p.status(i) != "requires_payment_method" {
		return nil, p.unexpected(i)
	}
	number, known := p.cards[r.form.Get("payment_method")]
	if !known {
		return nil, &stripeError{status: http.StatusBadRequest, Type: "invalid_request_error", Code: "resource_missing",
			Par: "payment_method", Message: "No such PaymentMethod."}
	}
	o := Operation{
		Family: "stripe", Account: r.account, Kind: Charge, Reference: cmp.Or(i.metadata["reference"], i.id),
		Amount: i.amount, HoldOnly: i.fields["capture_method"] == "manual", Card: number, Method: "card",
		NoticeURL: p.endpoints[r.account], ReturnURL: r.form.Get("return_url"), Values: map[string]string{"intent": i.id},
	}
	if slices.Contains(secureCards, number) && r.form.Get("off_session") == "" {
		o.Step = Step3DS
	}
	if o.Step == Step3DS && r.form.Get("error_on_requires_action") == "true" {
		return nil, &stripeError{status: http.StatusPaymentRequired, Type: "card_error", Code: "authentication_required",
			DeclineCode: "authentication_required", Message: "Your card needs authentication.", intent: p.object(i, r)}
	}
	if o.Step == Step3DS && o.ReturnURL == "" {
		return nil, wrong("parameter_missing", "return_url", "A return_url is required for this card.")
	}
	o, err := p.execute(r.Request, o)
	if err != nil {
		return nil, &stripeError{}
	}
	i.operation, i.fields["payment_method"] = o.ID, r.form.Get("payment_method")
	if o.State == Declined {
		return nil, &stripeError{status: http.StatusPaymentRequired, Type: "card_error", Code: "card_declined",
			DeclineCode: stripeDecline(o.Reason), Message: "Your card was declined.", intent: p.object(i, r)}
	}
	return p.object(i, r), nil
}

// secureCards are Stripe's test cards that need 3-D Secure.
var secureCards = []string{"4000002760003184", "4000000000003220", "4000000000003063"}

// stripeDecline is Stripe's code for a row of declines.
func stripeDecline(reason string) string {
	if reason == "card_stolen" {
		return "stolen_card"
	}
	return reason
}

// charge is the operation of a PaymentIntent's charge as it is now.
func (p *stripe) charge(i *stripeIntent) (Operation, bool) {
	if i.operation == "" {
		return Operation{}, false
	}
	return p.Find("stripe", i.operation)
}

// status is that of a PaymentIntent.
func (p *stripe) status(i *stripeIntent) string {
	o, confirmed := p.charge(i)
	switch {
	case i.cancelled != "":
		return "canceled"
	case !confirmed, o.State == Declined, o.State == Expired:
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
func (p *stripe) object(i *stripeIntent, r stripeRequest) object {
	status := p.status(i)
	o, confirmed := p.charge(i)
	shown := object{
		"id": i.id, "object": "payment_intent", "amount": i.units, "amount_capturable": 0, "amount_received": 0,
		"currency": strings.ToLower(i.amount.Currency().Code), "created": i.created, "livemode": false, "status": status,
		"metadata": i.metadata, "payment_method_types": []string{"card"}, "confirmation_method": "automatic",
		"latest_charge": nil, "last_payment_error": nil, "next_action": nil, "client_secret": i.id + "_secret_simulated",
	}
	for name, value := range i.fields {
		shown[name] = value
	}
	if i.cancelled != "" {
		shown["cancellation_reason"] = i.cancelled
	}
	switch status {
	case "requires_action":
		shown["next_action"] = object{"type": "redirect_to_url", "redirect_to_url": object{
			"url": p.PayURL(o), "return_url": o.ReturnURL,
		}}
	case "requires_capture":
		shown["amount_capturable"] = stripeUnits(o.Moved)
	case "succeeded":
		shown["amount_received"] = stripeUnits(o.Moved)
		if o.State == Reversed { // disputed: the payment stays as it was
			shown["amount_received"] = i.units
		}
	case "requires_payment_method":
		if confirmed {
			shown["last_payment_error"] = lastError(o)
			shown["payment_method"] = nil
		}
	}
	if confirmed && o.Step == NoStep || confirmed && o.State != Waiting && o.State != Declined && o.State != Expired {
		shown["latest_charge"] = "ch_" + i.id
		if slices.Contains(r.form["expand[0]"], "latest_charge") {
			shown["latest_charge"] = object{
				"id": "ch_" + i.id, "object": "charge", "amount": i.units, "payment_intent": i.id,
				"payment_method_details": object{"type": "card", "card": object{
					"country": "US", "authorization_code": "123456", "last4": o.Card[len(o.Card)-4:],
					"network_transaction_id": o.networkID(), "three_d_secure": threeDSecure(o),
				}},
			}
		}
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

// lastError is the error of the last confirmation.
func lastError(o Operation) object {
	switch o.Reason {
	case "payer_refused", "payer_too_slow":
		return object{"type": "invalid_request_error", "code": "payment_intent_authentication_failure",
			"message": "The provided PaymentMethod has failed authentication."}
	}
	return object{"type": "card_error", "code": "card_declined", "decline_code": stripeDecline(o.Reason),
		"message": "Your card was declined."}
}
