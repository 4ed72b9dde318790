package simulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// followIntent executes a capture, void or refund of a PaymentIntent. Its reference is the Idempotency-Key.
func (p *stripe) followIntent(r stripeRequest, i *stripeIntent, o Operation) (Operation, *stripeError) {
	o.Family, o.Account, o.Reference, o.Parent = "stripe", r.account, r.Header.Get("Idempotency-Key"), i.operation
	o.NoticeURL, o.Method, o.Values = p.endpoints[r.account], "card", map[string]string{"intent": i.id}
	done, err := p.execute(r.Request, o)
	if err != nil {
		return Operation{}, &stripeError{}
	}
	return done, nil
}

func (p *stripe) captureIntent(r stripeRequest) (any, *stripeError) {
	if e := only(r, "amount_to_capture", "metadata", "expand", "statement_descriptor_suffix"); e != nil {
		return nil, e
	}
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	if p.status(i) != "requires_capture" {
		return nil, p.unexpected(i)
	}
	amount := i.amount
	if text := r.form.Get("amount_to_capture"); text != "" {
		if amount, _, e = stripeAmount(text, strings.ToLower(i.amount.Currency().Code)); e != nil {
			return nil, e
		}
	}
	if amount.Cmp(i.amount) > 0 {
		return nil, wrong("amount_too_large", "amount_to_capture", "You can't capture more than was authorised.")
	}
	o, e := p.followIntent(r, i, Operation{Kind: Capture, Amount: amount})
	if e != nil {
		return nil, e
	}
	if o.State == Declined {
		return nil, &stripeError{status: http.StatusPaymentRequired, Type: "card_error", Code: "card_declined",
			DeclineCode: stripeDecline(o.Reason), Message: "Your card was declined."}
	}
	metadataOf(r.form, i.metadata)
	return p.object(i, r), nil
}

func (p *stripe) cancelIntent(r stripeRequest) (any, *stripeError) {
	if e := only(r, "cancellation_reason", "expand"); e != nil {
		return nil, e
	}
	reasons := []string{"", "abandoned", "duplicate", "fraudulent", "requested_by_customer"}
	if !slices.Contains(reasons, r.form.Get("cancellation_reason")) {
		return nil, wrong("", "cancellation_reason", "Invalid cancellation_reason.")
	}
	i, e := p.find(r.account, r.PathValue("id"))
	if e != nil {
		return nil, e
	}
	switch p.status(i) {
	case "requires_capture":
		o, e := p.followIntent(r, i, Operation{Kind: Void, Amount: i.amount})
		if e != nil {
			return nil, e
		}
		if o.State == Declined {
			return nil, p.unexpected(i)
		}
	case "requires_payment_method", "requires_action":
		if i.operation != "" {
			p.Act(i.operation, Expire)
		}
	default:
		return nil, p.unexpected(i)
	}
	i.cancelled = cmp.Or(r.form.Get("cancellation_reason"), "requested_by_customer")
	return p.object(i, r), nil
}

func (p *stripe) createRefund(r stripeRequest) (any, *stripeError) {
	if e := only(r, "payment_intent", "amount", "reason", "metadata", "expand"); e != nil {
		return nil, e
	}
	i, e := p.find(r.account, r.form.Get("payment_intent"))
	if e != nil {
		return nil, e
	}
	if p.status(i) != "succeeded" {
		return nil, wrong("charge_not_refundable", "", "This PaymentIntent does not have a successful charge to refund.")
	}
	amount := i.amount
	if text := r.form.Get("amount"); text != "" {
		if amount, _, e = stripeAmount(text, strings.ToLower(i.amount.Currency().Code)); e != nil {
			return nil, e
		}
	}
	o, e := p.followIntent(r, i, Operation{Kind: Refund, Amount: amount})
	if e != nil {
		return nil, e
	}
	if o.State == Declined {
		return nil, wrong("charge_already_refunded", "", "Refund amount is greater than unrefunded amount on charge.")
	}
	metadata := map[string]string{}
	metadataOf(r.form, metadata)
	p.refunds[o.ID] = metadata
	return p.refund(o), nil
}

// refund is a refund as Stripe shows it.
func (p *stripe) refund(o Operation) object {
	status, amount := map[State]string{Approved: "succeeded", Waiting: "pending"}[o.State], o.Moved
	if o.State == Waiting || o.State == Declined {
		amount = o.Amount
	}
	shown := object{
		"id": "re_" + o.ID, "object": "refund", "amount": stripeUnits(amount), "status": cmp.Or(status, "failed"),
		"currency": strings.ToLower(o.Amount.Currency().Code), "payment_intent": o.Values["intent"],
		"charge": "ch_" + o.Values["intent"], "metadata": p.refunds[o.ID], "created": o.CreatedAt.Unix(),
	}
	if o.State == Reversed {
		shown["failure_reason"] = "expired_or_canceled_card"
	}
	return shown
}

// listRefunds lists the refunds of a PaymentIntent, the newest first.
func (p *stripe) listRefunds(r stripeRequest) (any, *stripeError) {
	if e := only(r, "payment_intent", "limit", "starting_after", "ending_before"); e != nil {
		return nil, e
	}
	found := []any{}
	for _, o := range p.Operations() {
		if o.Kind == Refund && p.refunds[o.ID] != nil &&
			o.Values["intent"] == r.form.Get("payment_intent") {
			found = slices.Insert(found, 0, any(p.refund(o)))
		}
	}
	return object{"object": "list", "has_more": false, "url": "/v1/refunds", "data": found}, nil
}

func (p *stripe) createCustomer(r stripeRequest) (any, *stripeError) {
	if e := only(r, "name", "email", "phone", "metadata", "description", "address"); e != nil {
		return nil, e
	}
	return object{"id": p.newObject("cus"), "object": "customer", "livemode": false}, nil
}

func (p *stripe) createMethod(r stripeRequest) (any, *stripeError) {
	if e := only(r, "type", "card", "billing_details", "metadata"); e != nil {
		return nil, e
	}
	if token := r.form.Get("card[token]"); token != "" {
		return p.methodOfToken(r, token)
	}
	for _, name := range []string{"card[number]", "card[exp_month]", "card[exp_year]"} {
		if r.form.Get(name) == "" {
			return nil, wrong("parameter_missing", name, "Missing required param: "+name+".")
		}
	}
	number := r.form.Get("card[number]")
	if r.form.Get("type") != "card" || strings.Trim(number, "0123456789") != "" || len(number) < 12 {
		return nil, &stripeError{status: http.StatusPaymentRequired, Type: "card_error", Code: "incorrect_number",
			Par: "number", Message: "Your card number is incorrect."}
	}
	id := p.newObject("pm")
	p.cards[id] = number
	return object{"id": id, "object": "payment_method", "type": "card", "livemode": false}, nil
}

// stripeTokens are cards that were typed, by Stripe's test tokens, which may be used again.
var stripeTokens = map[string]string{"tok_visa": "4242424242424242"}

// stripeWalletTokens are cards of wallets by tokens of the simulator's own. Any other token is one that a wallet has
// given, for a card that is approved.
var stripeWalletTokens = map[string]string{
	"tok_walletDeclinedStolenCard": "4000000000009979", "tok_walletThreeDSecureRequired": secureCard,
}

// methodOfToken creates a payment method of a token.
func (p *stripe) methodOfToken(r stripeRequest, token string) (any, *stripeError) {
	number, typed := stripeTokens[token]
	switch {
	case r.form.Get("card[number]") != "":
		return nil, wrong("parameter_unknown", "card[number]", "Received both a card and a token.")
	case len(token) < 12 && !typed || !strings.HasPrefix(token, "tok_"):
		return nil, wrong("resource_missing", "card[token]", "No such token.")
	case p.tokens[token]:
		return nil, wrong("token_already_used", "", "You cannot use a Stripe token more than once.")
	}
	var wallet any
	if !typed {
		number = cmp.Or(stripeWalletTokens[token], stripeTokens["tok_visa"])
		p.tokens[token], wallet = true, object{"type": "google_pay", "google_pay": object{}, "dynamic_last4": nil}
	}
	id := p.newObject("pm")
	p.cards[id] = number
	return object{
		"id": id, "object": "payment_method", "type": "card", "livemode": false, "card": object{"wallet": wallet},
	}, nil
}

// createEndpoint sets where the account's events go to. Their secret is Secret.
func (p *stripe) createEndpoint(r stripeRequest) (any, *stripeError) {
	if e := only(r, "url", "enabled_events", "description", "api_version"); e != nil {
		return nil, e
	}
	p.endpoints[r.account] = r.form.Get("url")
	return object{"id": p.newObject("we"), "object": "webhook_endpoint", "secret": Secret, "url": r.form.Get("url")}, nil
}
