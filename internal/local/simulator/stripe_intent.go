package simulator

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// intentFields are the parameters of a PaymentIntent that are shown as they were sent.
var intentFields = []string{
	"description", "statement_descriptor", "statement_descriptor_suffix", "capture_method", "setup_future_usage",
	"customer", "receipt_email", "shipping", "automatic_payment_methods", "payment_method_types", "confirmation_method",
}

func (p *stripe) createIntent(r stripeRequest) (any, *stripeError) {
	amount, units, e := stripeCharge(r.get("amount"), r.get("currency"))
	if e != nil {
		return nil, e
	}
	i := &stripeIntent{
		id: p.newObject("pi"), account: r.account, created: p.Now().Unix(), amount: amount, units: units,
		metadata: map[string]string{}, set: object{"capture_method": "automatic_async", "confirmation_method": "automatic"},
	}
	if e := p.set(i, r); e != nil {
		return nil, e
	}
	p.intents = append(p.intents, i)
	p.event(r.account, "payment_intent.created", "evt_"+i.id, func() object { return p.object(i) })
	if r.get("confirm") != "true" {
		return p.object(i), nil
	}
	return p.confirm(r, i)
}

// set stores the parameters of a request.
func (p *stripe) set(i *stripeIntent, r stripeRequest) *stripeError {
	if id := r.get("customer"); id != "" && p.thing(r.account, "customer", id) == nil {
		return missing("customer", "customer", id).named("customer")
	}
	if id := r.get("payment_method"); id != "" || r.get("payment_method_data[type]") != "" {
		method, e := p.methodOf(r)
		if e != nil {
			return e
		}
		i.set["payment_method"] = method.id
	}
	metadataOf(r.form, i.metadata)
	for name, value := range nested(r.form, intentFields...) {
		i.set[name] = value
	}
	return nil
}

func (p *stripe) readIntent(r stripeRequest) (any, *stripeError) {
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	return p.object(i), nil
}

// intentObjects are the PaymentIntents of an account, the newest first.
func (p *stripe) intentObjects(account string) (all []object) {
	for _, i := range slices.Backward(p.intents) {
		if i.account == account {
			all = append(all, p.object(i))
		}
	}
	return all
}

func (p *stripe) listIntents(r stripeRequest) (any, *stripeError) {
	return pageOf(r, having(r.form, p.intentObjects(r.account), "customer"))
}

// search finds PaymentIntents.
func (p *stripe) search(r stripeRequest) (any, *stripeError) {
	return found(r, p.intentObjects(r.account))
}

func (p *stripe) updateIntent(r stripeRequest) (any, *stripeError) {
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	for name := range r.form {
		if !strings.HasPrefix(name, "metadata") && !slices.Contains([]string{"description", "receipt_email"}, name) &&
			!strings.HasPrefix(name, "expand") && !p.unconfirmed(i) {
			return nil, p.unexpected(i, "updated")
		}
	}
	if text, code := r.get("amount"), cmp.Or(r.get("currency"), stripeCurrency(i.amount)); text != "" {
		amount, units, e := stripeCharge(text, code)
		if e != nil {
			return nil, e
		}
		i.amount, i.units = amount, units
	}
	if e := p.set(i, r); e != nil {
		return nil, e
	}
	return p.object(i), nil
}

// unconfirmed reports whether a PaymentIntent waits for its (next) confirmation.
func (p *stripe) unconfirmed(i *stripeIntent) bool {
	return slices.Contains([]string{"requires_payment_method", "requires_confirmation"}, p.status(i))
}

// unexpected is the error of a request that a PaymentIntent's status does not allow.
func (p *stripe) unexpected(i *stripeIntent, what string) *stripeError {
	e := wrong("payment_intent_unexpected_state", "",
		"This PaymentIntent could not be "+what+" because it has a status of "+p.status(i)+".")
	e.intent = p.object(i)
	return e
}

func (p *stripe) confirmIntent(r stripeRequest) (any, *stripeError) {
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	if !p.unconfirmed(i) {
		return nil, p.unexpected(i, "confirmed")
	}
	if e := p.set(i, r); e != nil {
		return nil, e
	}
	return p.confirm(r, i)
}

// confirm charges the card of a PaymentIntent.
func (p *stripe) confirm(r stripeRequest, i *stripeIntent) (any, *stripeError) {
	id, _ := i.set["payment_method"].(string)
	method := p.thing(i.account, "payment_method", id)
	switch {
	case method == nil:
		e := wrong("payment_intent_unexpected_state", "", "You cannot confirm this PaymentIntent because it's missing a "+
			"payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or "+
			"confirm it again directly with a payment method or ConfirmationToken.")
		e.intent = p.object(i)
		return nil, e
	case r.get("return_url") == "" && r.get("off_session") == "" && mayRedirect(i.set):
		return nil, wrong("", "", "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. "+
			"Because some of these payment methods might redirect your customer off of your page, you must provide a "+
			"`return_url`.")
	}
	o := Operation{
		Family: "stripe", Account: i.account, Kind: Charge, Amount: i.amount, Card: method.card, Method: "card",
		Reference: cmp.Or(i.metadata["reference"], i.id), HoldOnly: i.set["capture_method"] == "manual",
		NoticeURL: p.endpoint(i.account), ReturnURL: r.get("return_url"),
		Values:   map[string]string{"intent": i.id, "method": method.id},
		declines: func() string { return stripeCards[method.card].declined.decline },
	}
	if n := len(i.tries); n > 0 { // with another card
		o.Reference = fmt.Sprintf("%s/%d", o.Reference, n+1)
	}
	if stripeCards[method.card].secure && r.get("off_session") == "" {
		o.Step = Step3DS
	}
	if o.Step == Step3DS && r.get("error_on_requires_action") == "true" {
		return nil, &stripeError{status: 402, Type: "card_error", Code: "authentication_required",
			DeclineCode: "authentication_required", Message: "Your card was declined. This transaction requires authentication.",
			intent: p.object(i)}
	}
	o, err := p.execute(r.Request, o)
	if err != nil {
		return nil, &stripeError{}
	}
	i.tries = append(i.tries, o.ID)
	p.observe(i)
	if o.State == Declined {
		e := cardDeclined(o)
		e.Charge, e.intent = "ch_"+o.ID, p.object(i)
		return nil, e
	}
	if stripeCards[method.card].disputed {
		p.later(decideAfter, func() { p.Act(o.ID, Dispute) })
	}
	return p.object(i), nil
}

// mayRedirect reports whether a PaymentIntent may be paid by a method that redirects: unless its methods are named, it
// takes those of the account.
func mayRedirect(set object) bool {
	if set["payment_method_types"] != nil {
		return false
	}
	automatic, _ := set["automatic_payment_methods"].(object)
	return automatic["allow_redirects"] != "never"
}

// follow executes a capture, void or refund of a PaymentIntent. Its reference is the Idempotency-Key.
func (p *stripe) follow(r stripeRequest, i *stripeIntent, o Operation) (Operation, *stripeError) {
	o.Family, o.Account, o.Reference, o.Parent = "stripe", r.account, r.Header.Get("Idempotency-Key"), i.latest()
	o.NoticeURL, o.Method, o.Values = p.endpoint(r.account), "card", map[string]string{"intent": i.id}
	done, err := p.execute(r.Request, o)
	if err != nil {
		return Operation{}, &stripeError{}
	}
	return done, nil
}

func (p *stripe) captureIntent(r stripeRequest) (any, *stripeError) {
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	if p.status(i) != "requires_capture" {
		return nil, p.unexpected(i, "captured")
	}
	amount := i.amount
	if text := r.get("amount_to_capture"); text != "" {
		if amount, _, e = stripeAmount(text, stripeCurrency(i.amount), "amount_to_capture"); e != nil {
			return nil, e
		}
	}
	if amount.Cmp(i.amount) > 0 {
		return nil, wrong("amount_too_large", "amount_to_capture",
			"The amount to capture is greater than the amount that can be captured.")
	}
	o, e := p.follow(r, i, Operation{Kind: Capture, Amount: amount})
	if e != nil {
		return nil, e
	}
	if o.State == Declined {
		return nil, cardDeclined(o)
	}
	metadataOf(r.form, i.metadata)
	p.observe(i)
	return p.object(i), nil
}

func (p *stripe) cancelIntent(r stripeRequest) (any, *stripeError) {
	reasons := []string{"", "abandoned", "duplicate", "fraudulent", "requested_by_customer"}
	if !slices.Contains(reasons, r.get("cancellation_reason")) {
		return nil, wrong("", "cancellation_reason", "Invalid cancellation_reason: must be one of "+
			strings.Join(reasons[1:], ", "))
	}
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	switch p.status(i) {
	case "requires_capture":
		o, e := p.follow(r, i, Operation{Kind: Void, Amount: i.amount})
		if e != nil {
			return nil, e
		}
		if o.State == Declined {
			return nil, p.unexpected(i, "canceled")
		}
	case "requires_payment_method", "requires_confirmation", "requires_action":
		if len(i.tries) > 0 {
			p.Act(i.latest(), Expire)
		}
	default:
		return nil, p.unexpected(i, "canceled")
	}
	p.cancel(i, r.form)
	return p.object(i), nil
}

func (p *stripe) cancel(i *stripeIntent, form url.Values) {
	i.cancelled, i.cancelledAt = cmp.Or(form.Get("cancellation_reason"), "none"), p.Now().Unix()
	p.observe(i)
}

// find returns the PaymentIntent with an id.
func (p *stripe) find(account, id string) (*stripeIntent, *stripeError) {
	i := slices.IndexFunc(p.intents, func(x *stripeIntent) bool { return x.id == id && x.account == account })
	if i < 0 {
		return nil, missing("payment_intent", "intent", id)
	}
	return p.intents[i], nil
}
