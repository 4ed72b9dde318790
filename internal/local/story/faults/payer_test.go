package faults

import (
	"fmt"
	"net/http"
	"time"

	"checkout/internal/card"
	"checkout/internal/local/client"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/payer"
)

// faultMethod is a family of connectors with one of its methods.
type faultMethod struct{ family, id string }

// faultMethods are what the payers of runs choose from: nearly half of them pay by card.
var faultMethods = []faultMethod{
	{"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"},
	{"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"},
	{"collection", "instant_transfer"}, {"collection", "offline_transfer_a"}, {"collection", "pull_wallet"},
	{"collection", "instant_qr"}, {"mobilemoney", "mobile_money"}, {"cash", "cash_pe"}, {"walletapp", "wallet_app"},
	{"voucher", "voucher"}, {"brandcard", "card_brand_a"}, {"brandcard", "card_brand_b"},
	{"adapter", "card"}, {"adapter", "open_banking"}, {"adapter", "pull_bank"}, {"adapter", "payout_wd1"},
	{"adapter", "applepay"}, {"adapter", "googlepay"}, {"adapter", "googlepay"}, {"brandcard", "applepay"},
}

// faultCards are the cards that payers pay with: approved, with 3-D Secure, or declined.
var faultCards = []string{
	story.TestCard, story.TestCard, story.TestCard, story.TestCard, "4000002760003184", "4000000000003220",
	"4000000000009995", "4000000000000002", "4000000000000119",
}

// faultOrder is an order of a shop, with its payer.
type faultOrder struct {
	x              *faultRun
	shop           *faultShop
	number, amount string
	method         faultMethod
	visit          *story.Visit
	session        string // its id
	copy, calls    int    // the number of times that the order was sent, and of its calls

	twins  int    // orders that were paid with its tokens at the same time
	server bool   // the shop's server sends a wallet's token, and the payer may see no page
	token  string // that is used in another session at the same time
	auth   bool   // it is to be authorised, and captured later
}

// lives has the payer do anything for a while. Sometimes the shop sends the order twice: that is refused for 15
// seconds, and afterwards a second session.
func (o *faultOrder) lives(trouble time.Duration) {
	x := o.x
	if !o.begins() || o.session == "" {
		return
	}
	o.pays()
	steps := []func(){
		o.pays, o.pays, o.fillsForm, o.fillsForm, x.acts, x.acts, o.returns, o.leaves, o.asksStatus, o.asksStatus,
		o.removesCard,
	}
	for range 4 + x.n(6) {
		x.after(x.between(0, trouble), pick(x, steps))
	}
	if x.n(4) == 0 {
		twice := *o
		twice.copy, twice.calls = o.copy+1, 0
		x.after(x.between(0, 25*time.Second), func() {
			x.counts("order twice")
			twice.lives(trouble)
		})
	}
}

// asks sends a request, again with the same key as long as the service has a problem.
func (o *faultOrder) asks(verb, path string, body any) (int, []byte) {
	o.calls++
	key := ""
	if verb == "POST" {
		key = fmt.Sprintf("%s-%d-%d", o.number, o.copy, o.calls)
	}
	return o.x.asks(key, verb, path, body)
}

// begins has the shop open the session, and reports whether there is one.
func (o *faultOrder) begins() bool {
	x, s := o.x, o.shop
	began := x.Clock.Now()
	o.session, o.visit = "", s.Visit("", o.number)
	changes := o.request()
	if o.server = method.IsWallet(o.method.id) && x.n(3) == 0; o.server {
		x.opened = append(x.opened, o) // also without a response there may be a payment
		sent := map[string]any{"payment_token": o.walletToken()}
		changes = append(changes, func(body map[string]any) { body["parameters"] = map[string]any{o.method.id: sent} })
	}
	var code int
	var text []byte
	if body := s.Sign(s.Order(o.number, changes...)); x.n(6) == 0 {
		code, text = o.opensTogether(body)
	} else {
		code, text = o.asks("POST", "/api/v1/session", body)
	}
	id, err := client.SessionOf(text, serviceURL+"/")
	if err != nil || code != http.StatusOK {
		s.mayRefuse(o, code, string(text))
		return false
	}
	s.accepted = append(s.accepted, faultAcceptance{o.number, began, x.Clock.Now()})
	o.session, o.visit = id, s.Visit(id, o.number)
	if !o.server {
		x.opened = append(x.opened, o)
	}
	return true
}

// request are the changes of a session request for the order.
func (o *faultOrder) request() []func(map[string]any) {
	m, _ := method.Find(o.method.id)
	changes := story.Choosing(o.x.test, m, story.CountriesOf(m)[0], "ada")
	if m.Card || method.IsWallet(m.ID) {
		changes = []func(map[string]any){func(body map[string]any) {
			body["methods"] = []string{m.ID}
			body["customer"] = map[string]any{"name": "Al Doe", "email": "al@shop.example"}
			body["billing_address"] = map[string]any{
				"country": "US", "state": "CA", "city": "Fresno", "address": "1 Main St", "zip": "93650",
				"phone": "347771112233",
			}
		}}
	}
	if o.x.App.Core.Declarations[o.method.family].Recurring && (m.ID == "card" || method.IsWallet(m.ID)) {
		o.auth = o.x.n(3) == 0
		recurring, scheduled := o.x.n(3) == 0, o.x.n(2) == 0
		changes = append(changes, func(body map[string]any) {
			if body["auth"], body["recurring_init"] = o.auth, recurring; recurring && scheduled {
				body["schedule_id"] = daily.ID
			}
		})
	}
	if can := o.x.App.Core.Declarations[o.method.family]; can.SavedCards && m.ID == "card" {
		tokens := o.shop.tokensOf()
		saves := o.x.n(2) == 0
		changes = append(changes, func(body map[string]any) {
			if body["req_token"] = saves; len(tokens) > 0 {
				body["card_token"] = tokens
			}
		})
	}
	return append(changes, func(body map[string]any) { body["order"].(map[string]any)["amount"] = o.amount })
}

// page is what the payer sees, nil if the service can't say.
func (o *faultOrder) page() *screen.Screen {
	code, body := o.asks("GET", "/page/v1/"+o.session, nil)
	if code != http.StatusOK {
		return nil
	}
	s := o.visit.Shown(client.Screen(code, body))
	if s.Message != nil && s.Message.Text == screen.TextCheckingOutcome {
		o.x.counts("payer may leave")
	}
	return &s
}

// pays has the payer pay if there is a form, sometimes with two clicks.
func (o *faultOrder) pays() {
	x, s := o.x, o.page()
	if s == nil || s.Kind != screen.KindForm || len(s.Methods) == 0 {
		return
	}
	var pay form.Request
	if m, _ := method.Find(o.method.id); method.IsWallet(m.ID) {
		pay = o.visit.Fill(*s, card.Card{Token: o.walletToken()})
	} else if m.Card {
		number := pick(x, faultCards)
		x.typed[o.session] = append(x.typed[o.session], number)
		pay = o.visit.Fill(*s, card.Card{Number: number, ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: x.code})
		o.choosesSaved(s, &pay)
	} else {
		pay = o.visit.Fill(*s, card.Card{})
	}
	o.asks("POST", "/page/v1/"+o.session+"/pay", pay)
	if x.n(4) == 0 {
		o.asks("POST", "/page/v1/"+o.session+"/pay", pay)
	}
	if x.n(2) == 0 {
		x.after(x.between(5*time.Second, 2*time.Minute), x.acts)
	}
	if x.n(3) == 0 {
		x.after(x.between(0, 20*time.Second), o.asksStatus)
	}
}

// fillsForm has the payer fill in a second form, mostly with the right code.
func (o *faultOrder) fillsForm() {
	s := o.page()
	if s == nil || s.Kind != screen.KindWait || len(s.Fields) == 0 {
		return
	}
	fields := map[string]string{}
	for _, f := range s.Fields {
		fields[f.ID] = pick(o.x, []string{simulator.RightCode, simulator.RightCode, "654321"})
		if f.Kind == method.FieldSelect && len(f.Options) > 0 {
			fields[f.ID] = f.Options[0].Value
		}
	}
	o.asks("POST", "/page/v1/"+o.session+"/second-form", payer.SecondForm{Step: s.Step, Fields: fields})
}

// returns has the payer come back from another page.
func (o *faultOrder) returns() { o.asks("GET", o.visit.ReturnPath(), nil) }

// leaves has the payer choose another method, or give up.
func (o *faultOrder) leaves() {
	o.asks("POST", "/page/v1/"+o.session+pick(o.x, []string{"/another", "/cancel"}), nil)
}

// asksStatus has the shop request the order's status, which looks up what is unknown.
func (o *faultOrder) asksStatus() {
	o.x.calls("/api/v1/payment/status", o.shop.Body(map[string]any{"order_id": o.number}, o.number))
}
