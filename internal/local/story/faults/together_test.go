package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/payer"
)

// together has 2 to 4 equal requests be sent at one moment, without an Idempotency-Key. Each meets an instance with a
// clock of its own, and the next one may come between any two writes of the one before.
func (x *faultRun) together(send func()) {
	n := 2 + x.n(3)
	x.counts("at one moment")
	x.crowd += n
	for range n {
		x.after(0, func() {
			x.crowd--
			send()
		})
	}
}

// comesBetween has another of the requests that are sent at one moment come before a write.
func (x *faultRun) comesBetween() {
	if x.crowd == 0 || x.depth >= 3 || x.calm || x.n(2) == 0 {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	if e, ok := x.next(x.Clock.Now()); ok {
		e.do()
	}
}

// callsOnce has a merchant call the API without a key, and not again whatever the response is.
func (x *faultRun) callsOnce(path string, body any) (int, []byte) {
	x.repeated = false
	return x.Send("", "POST", path, body)
}

// chargesTogether has a merchant charge a chain with one order number several times at one moment.
func (x *faultRun) chargesTogether(p payment.Payment) {
	x.called++
	number, amount := fmt.Sprintf("at-once-%d", x.called), pick(x, chainAmounts)
	body := x.shopOf(p.Merchant).RecurringBody(p.ID, p.RecurringToken, number, amount)
	x.together(func() {
		code, text := x.callsOnce("/api/v1/payment/recurring", body)
		x.notes(ask{payment: p.ID, kind: "recurring", number: number, amount: amount, code: code}, text)
	})
}

// tokensOf are the tokens of saved cards that a shop was told of.
func (s *faultShop) tokensOf() (tokens []string) {
	for _, got := range s.Taken() {
		if token := got.Fields.Get("card_token"); token != "" && !slices.Contains(tokens, token) {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// paysOut has a merchant pay out to a saved card, with one order number several times at one moment.
func (x *faultRun) paysOut() {
	s := pick(x, x.shops)
	tokens := s.tokensOf()
	if len(tokens) == 0 || !s.has("adapter") {
		return
	}
	x.called++
	body := s.Sign(s.Order(fmt.Sprintf("out-%d", x.called), func(body map[string]any) {
		body["operation"], body["card_token"], body["methods"] = "credit", []string{pick(x, tokens)}, []string{"card"}
		body["order"].(map[string]any)["amount"] = "3.00"
	}))
	x.together(func() {
		if code, _ := x.callsOnce("/api/v1/session", body); code == http.StatusOK {
			x.counts("payout to a saved card")
		}
	})
}

// opensTogether has the shop send the request of a session several times at one moment, and returns the response to the
// first one that was taken, or else one of which nobody knows if it was.
func (o *faultOrder) opensTogether(body any) (code int, text []byte) {
	x := o.x
	x.together(func() {
		again, response := x.callsOnce("/api/v1/session", body)
		if code == 0 || again == http.StatusOK || again >= 500 && code != http.StatusOK {
			code, text = again, response
		}
	})
	if x.runUntil(x.Clock.Now()); code == 0 { // they are sent later
		code = http.StatusBadGateway
	}
	return code, text
}

// has reports whether the shop has a MID of a family.
func (s *faultShop) has(family string) bool {
	mids := s.Settings().Mappings[0].MIDs
	for _, mid := range mids {
		if mid.Connector == family {
			return true
		}
	}
	return false
}

// choosesSaved has the payer choose a saved card in place of the one that they have typed, if they are offered any.
func (o *faultOrder) choosesSaved(s *screen.Screen, pay *form.Request) {
	x := o.x
	if len(s.Methods) == 0 || len(s.Methods[0].Saved) == 0 || x.n(3) == 0 {
		return
	}
	if x.n(3) == 0 { // before they pay with it, or another order's payer does
		o.removesCard()
	}
	*pay = o.visit.Fill(*s, card.Card{SecurityCode: x.code})
	pay.Saved = pick(x, s.Methods[0].Saved).ID
	x.counts("saved card")
}

// removesCard has the payer remove a saved card.
func (o *faultOrder) removesCard() {
	s := o.page()
	if s == nil || s.Kind != screen.KindForm || len(s.Methods) == 0 || len(s.Methods[0].Saved) == 0 {
		return
	}
	saved := pick(o.x, s.Methods[0].Saved).ID
	if code, _ := o.asks("POST", "/page/v1/"+o.session+"/remove-card", payer.CardRemoval{Saved: saved}); code == 200 {
		o.x.counts("card removed")
	}
}

// isPayout reports whether a payment is one that paysOut has asked for.
func isPayout(p payment.Payment) bool { return strings.HasPrefix(p.Order.Number, "out-") }
