package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/local/client"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/payer"
)

// sold is what a buyer pays by, with its money.
type sold struct{ method, currency string }

// soldBy are methods of every family of connectors; cards are nearly half of them. Wallets have plans of their own.
var soldBy = []sold{
	{"card", "USD"}, {"card", "USD"}, {"card", "EUR"}, {"card", "USD"}, {"card", "USD"}, {"card", "EUR"}, {"card", "USD"},
	{"card", "EUR"}, {"card", "USD"}, {"card", "EUR"}, {"card_brand_a", "USD"}, {"instant_qr", "BRL"},
	{"offline_transfer_a", "USD"}, {"pull_wallet", "USD"}, {"mobile_money", "USD"}, {"mobile_money", "USD"},
	{"cash_co", "COP"}, {"cash_co", "COP"}, {"wallet_app", "USD"}, {"wallet_app", "USD"}, {"voucher", "USD"},
	{"voucher", "USD"}, {"upi_collect", "INR"}, {"payout_wd7", "USD"},
}

// anotherAmount is the end of amounts of which the provider moves another one. They leave the payment to a person.
const anotherAmount = "9.35"

// The ends of other amounts, which choose what the provider does (internal/local/simulator/choices.go).
var (
	plainEnds  = []string{"0.00", "0.00", "0.00", "0.10", "0.20"}
	faultyEnds = strings.Fields("9.21 9.22 9.23 9.24 9.25 9.26 9.27 9.28 9.29 9.30 9.31 9.32 9.33 9.24 9.26 9.32")
	otherEnds  = []string{"9.05", "9.06", "9.09", anotherAmount}
)

// buyer is an order with its payer, and with the merchant who captures, voids or refunds it. The seed decides what they
// do, whatever else happens at the same time.
type buyer struct {
	client.Visit
	w      *providerWorld
	random *rand.Rand
	order  string
	m      method.Method
	sold   sold
	amount string
	card   string
	auth   bool
	choice simulator.Choice // at the provider
	calls  int
	asked  int // as an operator, and that was taken

	plan   *walletPlan // nil: no wallet
	rival  *buyer      // who pays at the same time with the same token, nil: nobody
	shared string      // that token, until it was used
	paying func()      // lets the rival begin
	second bool        // somebody else lets it begin
}

// buyer makes the plan of an order.
func (w *providerWorld) buyer(seed uint64, number int, sold sold, end string) *buyer {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	b := &buyer{w: w, random: random, order: fmt.Sprintf("sold-%d", number), sold: sold, paying: func() {}}
	b.Call = func(r client.Request) (int, []byte, error) {
		code, text := w.asks(r.Method, r.Path, r.Key, r.Body)
		return code, text, nil
	}
	b.m, _ = method.Find(sold.method)
	b.amount = fmt.Sprintf("1%d%s", b.random.IntN(10), end)
	b.card = oneOf(b.random, testCard, testCard, testCard, secureCard, refusedCard)
	b.auth = sold.method == "card" && number%3 > 0
	b.choice = oneOf(b.random, simulator.Approve, simulator.Approve, simulator.Approve, simulator.Decline)
	return b
}

func oneOf[T any](random *rand.Rand, of ...T) T { return of[random.IntN(len(of))] }

// leaves is when a payer leaves who waits for an outcome.
const leaves = 10 * time.Second

// buys lets the payer pay, and a rival at the same time, and the merchant do what follows.
func (b *buyer) buys() {
	var both sync.WaitGroup
	defer both.Wait()
	if b.rival != nil {
		token := b.walletToken()
		b.shared, b.rival.shared = token, token
		b.paying = sync.OnceFunc(func() { both.Go(b.rival.buys) })
	}
	if !b.opens() {
		return
	}
	if b.Session == "" { // the merchant's server has paid, and nothing is left to the payer
		b.manages()
		return
	}
	tries := 0
	for end := time.Now().Add(leaves); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		page := b.screen()
		switch {
		case page.Kind == screen.KindForm && tries < 2:
			tries++
			filled := b.filled(page)
			b.paying()
			b.posts("pay", filled)
		case page.Kind == screen.KindWait && len(page.Fields) > 0:
			b.posts("second-form", payer.SecondForm{Step: page.Step, Fields: b.code(page)})
		case page.Kind == screen.KindForm, page.Kind == screen.KindMessage,
			page.Kind == screen.KindGo && strings.HasPrefix(page.Go.URL, "https://shop.example/"):
			b.manages()
			return
		}
		b.acts()
	}
	b.manages()
}

// opens has the merchant open the session.
func (b *buyer) opens() bool {
	country := "US"
	if !b.m.Card && len(b.m.Countries) > 0 {
		country = b.m.Countries[0]
	}
	sent := client.Parameters(b.m)
	request := live.Session(b.order, client.Object{
		"methods": []string{b.m.ID}, "auth": b.auth,
		"order":    client.Object{"amount": b.amount, "currency": b.sold.currency},
		"customer": client.Object{"name": "Ada Lovelace", "email": "ada@example.org"},
		"billing_address": client.Object{"country": country, "state": "CA", "city": "Fresno", "address": "1 Main St",
			"zip": "93650", "phone": "+15550100"},
	})
	if b.plan != nil {
		request["channel_id"] = b.plan.channel
		if b.plan.server {
			sent["payment_token"] = b.walletToken()
			b.paying()
		}
	}
	if len(sent) > 0 {
		request["parameters"] = map[string]any{b.m.ID: sent}
	}
	if !b.m.For(method.Purchase) {
		request["operation"], request["payee"] = "credit", map[string]any{"name": "Grace Hopper"}
		delete(request, "auth")
	}
	code, text := b.w.asks("POST", "/api/v1/session", b.order, live.Sign(request))
	var err error
	b.Session, err = client.SessionOf(text, b.w.cloud.BaseURL()+"/")
	fromServer := b.plan != nil && b.plan.server
	if err != nil || code != http.StatusOK || b.Session == "" && !fromServer {
		b.w.t.Errorf("session of %s by %s: %d %s %v", b.order, b.m.ID, code, text, err)
		return false
	}
	return true
}

// screen is what the payer sees.
func (b *buyer) screen() screen.Screen {
	page, err := b.Screen()
	if err != nil {
		b.w.t.Errorf("screen of %s: %v", b.order, err)
	}
	return page
}

// posts sends what the payer has filled in, sometimes with two clicks.
func (b *buyer) posts(what string, filled any) {
	for range 1 + b.random.IntN(4)/3 {
		if _, err := b.Post(what, filled); err != nil {
			b.w.t.Errorf("%s by %s: %v", b.order, b.m.ID, err)
		}
	}
}

// filled fills in the form.
func (b *buyer) filled(page screen.Screen) form.Request {
	hidden := card.Card{}
	if b.plan != nil {
		hidden.Token = b.walletToken()
	}
	if b.m.Card {
		hidden = card.Card{Number: b.card, ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: securityCode}
	}
	pay, err := client.Fill(page, hidden)
	if err != nil {
		b.w.t.Error(err)
	}
	return pay
}

// code fills in the second form.
func (b *buyer) code(page screen.Screen) map[string]string {
	fields := map[string]string{}
	for _, f := range page.Fields {
		fields[f.ID] = simulator.RightCode
		if f.Kind == method.FieldSelect && len(f.Options) > 0 {
			fields[f.ID] = f.Options[0].Value
		}
	}
	return fields
}

// acts lets the payer act at the provider.
func (b *buyer) acts() {
	for _, p := range b.w.payments(b.order) {
		for _, o := range b.w.sim.Operations() {
			if paymentOf(o) == p.PaymentID && o.State == simulator.Waiting && o.Step != simulator.StepCode &&
				o.Step != simulator.NoStep {
				b.w.sim.Act(o.ID, b.choice)
			}
		}
	}
}

// manages has the merchant capture or void what is authorised, and refund what is settled, some of it twice.
func (b *buyer) manages() {
	for _, p := range b.w.payments(b.order) {
		kinds := []string{"refund", "refund"}
		if p.Status == payment.StatusPending {
			kinds = oneOf(b.random, []string{"capture", "refund"}, []string{"capture"}, []string{"void"})
		}
		if p.Status == payment.StatusDecline {
			continue
		}
		for _, kind := range kinds {
			b.follows(p.PaymentID, kind)
		}
	}
}

// follows requests a capture, void or refund, every other one as an operator does. It is refused if the payment or its
// provider does not allow it.
func (b *buyer) follows(payment, kind string) {
	amount := map[string]string{"capture": "4", "refund": "2"}[kind]
	if amount != "" {
		amount += oneOf(b.random, append(plainEnds, faultyEnds...)...)
	}
	b.calls++
	key := fmt.Sprintf("%s-%s-%d", b.order, kind, b.calls)
	var code int
	var text []byte
	if b.calls%2 == 0 && !b.w.mixed {
		code, text = b.w.repeats(kind, func() (int, []byte, error) { return b.w.follow(kind, key, payment, amount) })
		if code == http.StatusOK {
			b.asked++
		}
	} else {
		code, text = b.w.asks("POST", "/api/v1/payment/"+kind, key, live.Payment(payment, amount))
	}
	if code != http.StatusOK && code != http.StatusBadRequest {
		b.w.t.Errorf("%s of %s: %d %s", kind, b.order, code, text)
	}
}

// paymentOf is the id of the payment that an operation belongs to.
func paymentOf(o simulator.Operation) string { return o.Reference[:min(len(o.Reference), 36)] }
