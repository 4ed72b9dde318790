package story

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/form"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/screen"
	"checkout/internal/simulator"
)

// faultMethod is a family of connectors with one of its methods.
type faultMethod struct{ family, id string }

// faultMethods are what the payers of runs choose from: half of them pay by card.
var faultMethods = []faultMethod{
	{"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"},
	{"stripe", "card"}, {"stripe", "card"}, {"stripe", "card"},
	{"collection", "instant_transfer"}, {"collection", "offline_transfer_a"}, {"collection", "pull_wallet"},
	{"mobilemoney", "mobile_money"}, {"cash", "cash_co"}, {"walletapp", "wallet_app"}, {"voucher", "voucher"},
	{"brandcard", "card_brand_a"},
}

// faultCards are the cards that payers pay with: approved, with 3-D Secure, or declined.
var faultCards = []string{
	testCard, testCard, testCard, testCard, "4000002760003184", "4000000000003220",
	"4000000000009995", "4000000000000002", "4000000000000119",
}

// setUp gives the shop the MIDs of the run's family; cards have two, of two accounts.
func (x *faultRun) setUp(m *merchant.Merchant) {
	can := x.app.Service.Declarations[x.method.family]
	mid := merchant.MID{
		Name: "mid-1", Connector: x.method.family, Methods: can.Methods, Operations: can.Operations,
		Credentials: map[string]string{
			"url": providerURL + "/" + x.method.family, "key": simulator.Key, "secret": simulator.Secret,
			"webhook_secret": simulator.Secret, "raw_cards": "true",
		},
	}
	for _, f := range families {
		if f.name == x.method.family {
			maps.Copy(mid.Credentials, f.credentials)
		}
	}
	mids := []merchant.MID{mid}
	if x.method.family == "stripe" {
		second := mid
		second.Name, second.Credentials = "mid-2", maps.Clone(mid.Credentials)
		second.Credentials["key"] += "_2"
		mids = append(mids, second)
	}
	m.NotificationURL = "https://shop.example/live"
	m.Mappings[0].MIDs = mids
}

// addEndpoints has the two accounts send their events to the addresses of the MIDs.
func (x *faultRun) addEndpoints() {
	for i, key := range []string{simulator.Key, simulator.Key + "_2"} {
		form := "url=" + x.server.URL + x.noticePath("stripe", i) + "&enabled_events[0]=*"
		r, _ := http.NewRequest("POST", providerURL+"/stripe/v1/webhook_endpoints", strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Authorization", "Bearer "+key)
		x.calm = true
		response, err := x.overProvider(r)
		if err != nil || response.StatusCode != 200 {
			x.Fatalf("endpoint: %v", err)
		}
		response.Body.Close()
		x.calm = false
	}
}

// asks sends a request, again with the same key as long as the service has a problem.
func (x *faultRun) asks(verb, path string, body any) (int, []byte) {
	x.calls++
	key := ""
	if verb == "POST" {
		key = fmt.Sprintf("key-%d", x.calls)
	}
	for try := 1; ; try++ {
		code, text := x.send(newRequest{verb, path, key, body})
		if code < 500 && code != http.StatusConflict || try == 6 {
			return code, text
		}
		time.Sleep(3 * time.Second)
	}
}

// begins has the shop open the session.
func (x *faultRun) begins() bool {
	m, _ := method.Find(x.method.id)
	changes := choosing(x.test, m, countriesOf(m)[0], "ada")
	if m.Card {
		changes = []func(map[string]any){with("methods", []string{m.ID}),
			with("customer", map[string]any{"name": "Al Doe", "email": "al@shop.example"}),
			with("billing_address", map[string]any{
				"country": "US", "state": "CA", "city": "Fresno", "address": "1 Main St", "zip": "93650",
				"phone": "347771112233",
			})}
	}
	if x.method.family == "stripe" {
		changes = append(changes, with("auth", x.n(3) == 0), with("recurring_init", x.n(3) == 0))
	}
	code, text := x.asks("POST", "/api/v1/session", x.shop.sign(x.shop.order("pen-1", changes...)))
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	if err := json.Unmarshal(text, &created); err != nil || code != http.StatusOK {
		if code < 500 {
			x.Fatalf("create session: %d %s", code, text)
		}
		return false
	}
	_, id, _ := strings.Cut(created.RedirectURL, "?session=")
	id, _, _ = strings.Cut(id, "&")
	x.visit = &visit{w: x.world, shop: x.shop, session: id, order: "pen-1"}
	return true
}

// page is what the payer sees, nil if the service can't say.
func (x *faultRun) page() *screen.Screen {
	code, body := x.asks("GET", "/page/v1/"+x.visit.session, nil)
	if code != http.StatusOK {
		return nil
	}
	s := x.visit.read(code, body)
	return &s
}

// pays has the payer pay if there is a form, sometimes with two clicks.
func (x *faultRun) pays() {
	s := x.page()
	if s == nil || s.Kind != screen.KindForm {
		return
	}
	var pay form.Request
	if m, _ := method.Find(x.method.id); m.Card {
		pay = x.visit.fill(*s, card.Card{Number: pick(x, faultCards), ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: "973"})
	} else {
		pay = chosen{x.visit, m}.filled(x.test, *s)
	}
	x.asks("POST", "/page/v1/"+x.visit.session+"/pay", pay)
	if x.n(4) == 0 {
		x.asks("POST", "/page/v1/"+x.visit.session+"/pay", pay)
	}
	if x.n(2) == 0 {
		x.after(x.between(5*time.Second, 2*time.Minute), x.acts)
	}
}

// fillsForm has the payer fill in a second form, mostly with the right code.
func (x *faultRun) fillsForm() {
	s := x.page()
	if s == nil || s.Kind != screen.KindWait || len(s.Fields) == 0 {
		return
	}
	fields := map[string]string{}
	for _, f := range s.Fields {
		fields[f.ID] = pick(x, []string{simulator.RightCode, simulator.RightCode, "654321"})
		if f.Kind == method.FieldSelect && len(f.Options) > 0 {
			fields[f.ID] = f.Options[0].Value
		}
	}
	x.asks("POST", "/page/v1/"+x.visit.session+"/answer", checkout.SecondForm{Step: s.Step, Fields: fields})
}

// returns has the payer come back from another page.
func (x *faultRun) returns() { x.asks("GET", "/page/v1/"+x.visit.session+"/return", nil) }

// leaves has the payer choose another method, or give up.
func (x *faultRun) leaves() {
	x.asks("POST", "/page/v1/"+x.visit.session+pick(x, []string{"/another", "/cancel"}), nil)
}

// acts has the payer act at the provider.
func (x *faultRun) acts() {
	choices := []simulator.Choice{
		simulator.Approve, simulator.Approve, simulator.Approve, simulator.Decline, simulator.Expire,
	}
	for _, o := range x.sim.Operations() {
		if o.State == simulator.Waiting && o.Step != simulator.StepCode {
			x.sim.Act(o.ID, pick(x, choices))
		}
	}
}

// disputes has a payer dispute a payment at the bank.
func (x *faultRun) disputes() {
	for _, o := range x.sim.Operations() {
		if o.Kind == simulator.Charge && o.State == simulator.Approved {
			x.sim.Act(o.ID, simulator.Dispute)
			return
		}
	}
}

// manages has the merchant capture, refund or void a payment.
func (x *faultRun) manages() {
	payments := x.stored(x)
	if len(payments) == 0 {
		return
	}
	p := pick(x, payments)
	kinds := []string{"capture", "refund", "refund", "void"}
	switch {
	case x.n(4) == 0:
	case p.Status == checkout.StatusPending:
		kinds = []string{"capture", "capture", "capture", "void"}
	case p.Status == checkout.StatusSettled:
		kinds = []string{"refund", "refund", "refund", "refund", "void"}
	}
	kind := pick(x, kinds)
	amount := ""
	if kind != "void" {
		amount = pick(x, []string{"", "1.00", "3.30", "6.00", "9.99", "10.00", "10.01", "99.00"})
	}
	code, text := x.asks("POST", "/api/v1/payment/"+kind, x.shop.amountBody(p.ID, amount))
	if strings.HasSuffix(amount, ".01") || amount == "99.00" {
		if code < 400 {
			x.Errorf("a %s of %s of 10.00 was taken: %s", kind, amount, text)
		}
	}
}

// goesOn has the merchant charge the chain again, or retry a decline.
func (x *faultRun) goesOn() {
	for _, p := range x.stored(x) {
		switch {
		case p.RecurringToken != "" && !p.Recurring && len(x.stored(x)) < 6:
			body := x.shop.recurringBody(p.ID, p.RecurringToken, fmt.Sprintf("later-%d", x.calls), "10.00")
			x.asks("POST", "/api/v1/payment/recurring", body)
			return
		case p.Recurring && p.Status == checkout.StatusDecline:
			x.asks("POST", "/api/v1/payment/retry", x.shop.amountBody(p.ID, ""))
			return
		}
	}
}

// changes has the operator change something at the merchant.
func (x *faultRun) changes() {
	switch x.n(4) {
	case 0:
		x.shop.set(func(m *merchant.Merchant) { m.Mappings[0].MIDs[0].Disabled = !m.Mappings[0].MIDs[0].Disabled })
	case 1:
		x.shop.set(func(m *merchant.Merchant) { m.Disabled = !m.Disabled })
	case 2:
		x.shop.set(func(m *merchant.Merchant) { m.NotificationURL += "/new" })
	case 3:
		x.shop.set(func(m *merchant.Merchant) { slices.Reverse(m.Mappings[0].MIDs) })
	}
}

// forges has somebody send a notice that an open charge was approved, signed by a secret of his own.
func (x *faultRun) forges() {
	for _, o := range x.sim.Operations() {
		if o.Family != "stripe" || o.Kind != simulator.Charge || o.NoticeURL == "" {
			continue
		}
		body := fmt.Sprintf(`{"object":"event","type":"payment_intent.succeeded","livemode":false,"data":{"object":{
			"id":%q,"object":"payment_intent","status":"succeeded","amount":1000,"amount_received":1000,"currency":"usd",
			"metadata":{"reference":%q,"payment_id":%q,"amount":"1000"}}}}`,
			o.Values["intent"], o.Reference, paymentOf(o.Reference))
		r, _ := http.NewRequest("POST", o.NoticeURL, strings.NewReader(body))
		r.Header.Set("Stripe-Signature", fmt.Sprintf("t=%d,v1=%064d", x.clock.Now().Unix(), 0))
		_, _ = x.overAPI(r)
	}
}

// signNotice gives a notice of stripe the right signature.
func signNotice(n checkout.Notification) {
	at, _, _ := strings.Cut(strings.TrimPrefix(http.Header(n.Header).Get("Stripe-Signature"), "t="), ",")
	mac := hmac.New(sha256.New, []byte(simulator.Secret))
	mac.Write([]byte(at + "."))
	mac.Write(n.Body)
	http.Header(n.Header).Set("Stripe-Signature", "t="+at+",v1="+hex.EncodeToString(mac.Sum(nil)))
}

// paymentOf is the payment that a reference belongs to.
func paymentOf(reference string) string { return reference[:min(len(reference), 36)] }
