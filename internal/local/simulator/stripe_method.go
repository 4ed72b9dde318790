package simulator

import (
	"cmp"
	"net/http"
	"strings"
)

// typedCard reads the number of a card that is among the parameters, by what is before their names.
func typedCard(r stripeRequest, before string) (string, *stripeError) {
	for _, name := range []string{"[number]", "[exp_month]", "[exp_year]"} {
		if r.get(before+name) == "" {
			return "", wrong("parameter_missing", before+name, "Missing required param: "+before+name+".")
		}
	}
	number := strings.ReplaceAll(r.get(before+"[number]"), " ", "")
	if strings.Trim(number, "0123456789") != "" || len(number) < 12 {
		return "", &stripeError{status: http.StatusPaymentRequired, Type: "card_error", Code: "incorrect_number",
			Par: "number", Message: "Your card number is incorrect."}
	}
	return number, nil
}

// addMethod makes a payment method of a card. before is what is before the names of its parameters.
func (p *stripe) addMethod(r stripeRequest, number string, wallet any, before string) *stripeThing {
	card := cardObject(number)
	card["wallet"] = wallet
	shown := object{
		"type": "card", "card": card, "customer": nil, "allow_redisplay": "unspecified",
		"billing_details": object{"address": object{}, "email": nil, "name": nil, "phone": nil},
	}
	sent := r.form
	if before != "" {
		sent = map[string][]string{}
		for name, values := range r.form {
			if inner, is := strings.CutPrefix(name, before+"[billing_details]"); is {
				sent["billing_details"+inner] = values
			}
		}
	}
	details, _ := nested(sent, "billing_details")["billing_details"].(object)
	for name, value := range details {
		shown["billing_details"].(object)[name] = value
	}
	t := p.newThing(stripeRequest{r.Request, r.account, nil}, "pm", "payment_method", shown)
	t.card = number
	return t
}

func (p *stripe) createMethod(r stripeRequest) (any, *stripeError) {
	if r.get("type") != "card" {
		return nil, wrong("", "type", "The simulator has cards alone.")
	}
	t, e := p.makeMethod(r, "card", "")
	if e != nil {
		return nil, e
	}
	metadataOf(r.form, t.metadata)
	return t.object(), nil
}

// makeMethod makes a payment method of a card or a token. card is the parameter that has it.
func (p *stripe) makeMethod(r stripeRequest, card, before string) (*stripeThing, *stripeError) {
	token := r.get(card + "[token]")
	if token == "" {
		number, e := typedCard(r, card)
		if e != nil {
			return nil, e
		}
		return p.addMethod(r, number, nil, before), nil
	}
	if r.get(card+"[number]") != "" {
		return nil, wrong("parameter_unknown", card+"[number]", "Received both a card and a token.")
	}
	number := testCard(strings.TrimPrefix(token, "tok_"))
	if number != "" { // Stripe's test tokens may be used again
		return p.addMethod(r, number, nil, before), nil
	}
	if len(token) < 12 || !strings.HasPrefix(token, "tok_") {
		return nil, missing("token", card+"[token]", token).named(card + "[token]")
	}
	if p.tokens[token] {
		return nil, wrong("token_already_used", "", "You cannot use a Stripe token more than once: "+token+".")
	}
	p.tokens[token] = true
	number = cmp.Or(stripeWalletTokens[token], "4242424242424242")
	wallet := object{"type": "google_pay", "google_pay": object{}, "dynamic_last4": nil}
	return p.addMethod(r, number, wallet, before), nil
}

// stripeWalletTokens are cards of wallets by tokens of the simulator's own. Any other token is one that a wallet has
// given, for a card that is approved.
var stripeWalletTokens = map[string]string{
	"tok_walletDeclinedStolenCard": "4000000000009979", "tok_walletThreeDSecureRequired": "4000002760003184",
}

// methodOf returns the payment method that a request names or brings: also one of Stripe's test methods, which becomes
// one of its own.
func (p *stripe) methodOf(r stripeRequest) (*stripeThing, *stripeError) {
	id := r.get("payment_method")
	if id == "" {
		return p.makeMethod(r, "payment_method_data[card]", "payment_method_data")
	}
	if t := p.thing(r.account, "payment_method", id); t != nil {
		return t, nil
	}
	if number := testCard(strings.TrimPrefix(id, "pm_card_")); number != "" && strings.HasPrefix(id, "pm_card_") {
		return p.addMethod(r, number, nil, "payment_method_data"), nil
	}
	return nil, missing("PaymentMethod", "payment_method", id).named("payment_method")
}

// pathMethod returns the payment method of a request's path.
func (p *stripe) pathMethod(r stripeRequest) (*stripeThing, *stripeError) {
	t, e := p.methodOf(stripeRequest{r.Request, r.account, map[string][]string{"payment_method": {r.PathValue("id")}}})
	if e != nil {
		return nil, missing("PaymentMethod", "payment_method", r.PathValue("id"))
	}
	return t, nil
}

func (p *stripe) readMethod(r stripeRequest) (any, *stripeError) {
	t, e := p.pathMethod(r)
	if e != nil {
		return nil, e
	}
	return t.object(), nil
}

func (p *stripe) attachMethod(r stripeRequest) (any, *stripeError) {
	customer := p.thing(r.account, "customer", r.get("customer"))
	if customer == nil || customer.deleted {
		return nil, missing("customer", "customer", r.get("customer")).named("customer")
	}
	t, e := p.pathMethod(r)
	if e != nil {
		return nil, e
	}
	if t.shown["customer"] != nil && t.shown["customer"] != customer.id {
		return nil, wrong("", "", "The payment method you provided has already been attached to a customer.")
	}
	if stripeCards[t.card].declines() {
		return nil, cardDeclined(Operation{Kind: Charge, Card: t.card})
	}
	t.shown["customer"] = customer.id
	p.event(r.account, "payment_method.attached", "evt_"+t.id+"_"+customer.id, t.object)
	return t.object(), nil
}

func (p *stripe) detachMethod(r stripeRequest) (any, *stripeError) {
	t, e := p.pathMethod(r)
	if e != nil {
		return nil, e
	}
	if t.shown["customer"] == nil {
		return nil, wrong("", "", "The payment method you provided is not attached to a customer so detachment is "+
			"impossible.")
	}
	t.shown["customer"] = nil
	return t.object(), nil
}

func (p *stripe) listMethods(r stripeRequest) (any, *stripeError) {
	var attached []object
	for _, o := range having(r.form, p.all(r.account, "payment_method"), "customer", "type") {
		if o["customer"] != nil {
			attached = append(attached, o)
		}
	}
	return pageOf(r, attached)
}

func (p *stripe) methodsOfCustomer(r stripeRequest) (any, *stripeError) {
	if _, e := p.pathThing(r, "customer", "customer"); e != nil {
		return nil, e
	}
	r.form.Set("customer", r.PathValue("id"))
	return p.listMethods(r)
}
