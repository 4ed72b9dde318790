package contract

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"checkout/internal/local/client"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
)

// stories prepare an example, by its operation or by its name. Without one, a request about a payment or an order is
// about one that is settled.
var stories = map[string]func(w *world, one *example){
	"createSession":               (*world).signSession,
	"explainSession":              (*world).signSession,
	"capturePayment":              func(w *world, one *example) { w.act(one, w.paid("01/38", members{"auth": true})) },
	"refundPayment/whatIsLeft":    (*world).refundPart,
	"recurringPayment":            func(w *world, one *example) { w.continueChain(one, "01/38") },
	"stopRecurring":               func(w *world, one *example) { w.continueChain(one, "01/38") },
	"retryPayment":                (*world).declineLater,
	"nextScreen":                  func(w *world, one *example) { w.visit(one, nil) },
	"answer":                      func(w *world, one *example) { w.visit(one, nil) },
	"moreTime":                    func(w *world, one *example) { w.visit(one, nil) },
	"chooseAnother":               func(w *world, one *example) { w.visit(one, nil) },
	"merchantSession":             (*world).offerSheet,
	"removeCard":                  func(w *world, one *example) { w.visit(one, w.savesCards()) },
	"cancel":                      func(w *world, one *example) { w.visit(one, nil) },
	"payerReturned":               func(w *world, one *example) { w.visit(one, nil) },
	"pay":                         func(w *world, one *example) { w.fillIn(one, nil) },
	"pay/savedCard":               func(w *world, one *example) { w.fillIn(one, members{"card_token": []any{w.token()}}) },
	"pay/saveCard":                func(w *world, one *example) { w.savesCards(); w.fillIn(one, nil) },
	"pay/crypto":                  func(w *world, one *example) { w.fillIn(one, crypto("10.00")) },
	"pay/enteredAmount":           func(w *world, one *example) { w.fillIn(one, transferred("-1")) },
	"pay/consent":                 func(w *world, one *example) { w.fillIn(one, onSchedule) },
	"notify":                      func(w *world, one *example) { w.atProvider(one, "05/38", nil) },
	"notify/sandboxTookBack":      func(w *world, one *example) { w.atProvider(one, "01/38", nil) },
	"notifyAgain":                 func(w *world, one *example) { w.atProvider(one, "05/38", nil) },
	"notifyAgain/sandboxTookBack": func(w *world, one *example) { w.atProvider(one, "01/38", nil) },
	"sandboxStep":                 func(w *world, one *example) { w.atProvider(one, "05/38", nil) },
	"sandboxWallet":               func(*world, *example) {},
	"sandboxFinish":               func(w *world, one *example) { w.atProvider(one, "05/38", nil) },
	"sandboxFinish/pay":           func(w *world, one *example) { w.atProvider(one, "01/38", crypto("10.00")) },
	"sandboxFinish/payAnyAmount":  func(w *world, one *example) { w.atProvider(one, "01/38", crypto("")) },
	"sandboxFinish/payHalf":       func(w *world, one *example) { w.atProvider(one, "01/38", crypto("10.00")) },
	"sandboxFinish/payDouble":     func(w *world, one *example) { w.atProvider(one, "01/38", crypto("10.00")) },
	"sandboxFinish/payLate":       func(w *world, one *example) { w.atProvider(one, "01/38", crypto("10.00")) },
	"sandboxFinish/expire":        func(w *world, one *example) { w.atProvider(one, "01/38", crypto("10.00")) },
	"sandboxFinish/chargeback":    func(w *world, one *example) { w.atProvider(one, "01/38", nil) },
	"sandboxFinish/reverse":       func(w *world, one *example) { w.atProvider(one, "01/38", nil) },
}

// members are members of a JSON object.
type members = map[string]any

var onSchedule = members{"recurring_init": true, "schedule_id": "0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10",
	"recurring_consent_required": true}

func crypto(amount string) members {
	order := members{"amount": amount, "currency": "USD"}
	if amount == "" {
		order = members{"amount": nil, "currency": "BTC"}
	}
	coin := members{"crypto_type": map[bool]string{true: "BTC", false: "USDT"}[amount == ""]}
	return members{"methods": []any{"crypto"}, "parameters": members{"crypto": coin}, "order": order}
}

func transferred(amount string) members {
	return members{"operation": "transfer", "payee": members{"name": "Jane Doe"}, "order": members{"amount": amount}}
}

// prepare makes what the example needs and replaces the example's ids.
func (w *world) prepare(one *example) {
	w.t.Helper()
	one.body = copied(one.body)
	id, _, _ := strings.Cut(one.name, "/")
	story := stories[one.name]
	if story == nil {
		story = stories[id]
	}
	if story == nil && (one.body["payment_id"] != nil || one.body["order_id"] != nil) {
		story = func(w *world, one *example) { w.act(one, w.paid("01/38", nil)) }
	}
	if story == nil {
		w.t.Fatalf("stories has nothing that prepares %s", one.name)
	}
	story(w, one)
}

// signSession signs a session request. The test card then pays the session.
func (w *world) signSession(one *example) {
	w.t.Helper()
	if one.body["card_token"] != nil {
		one.body["card_token"] = []any{w.token()}
	}
	w.sign(one.body)
}

// session creates a session that the card of an expiry date pays, "" for none, and returns its order's number and its
// page. Members of changes replace the usual ones, in the order one by one.
func (w *world) session(expiry string, changes members) (order, page string) {
	w.t.Helper()
	number := uuid.NewString()
	body := w.shop().Session(number, members{"cancel_url": nil}, changes)
	w.sign(body)
	reply, text := w.send(example{method: "POST", path: "/api/v1/session", media: "application/json", body: body},
		testCardHeader, expiry)
	if reply.StatusCode != http.StatusOK {
		w.t.Fatalf("create session: %d %s", reply.StatusCode, text)
	}
	return number, w.pageOf(text)
}

// paid is an order that was paid with the card of an expiry date.
func (w *world) paid(expiry string, changes members) (order string) {
	w.t.Helper()
	order, _ = w.session(expiry, changes)
	return order
}

// token returns the card_token of a saved card.
func (w *world) token() string {
	w.t.Helper()
	w.paid("01/38", members{"req_token": true})
	w.callbacksMu.Lock()
	defer w.callbacksMu.Unlock()
	for _, c := range w.callbacks {
		if token, ok := c.fields["card_token"].(string); ok {
			return token
		}
	}
	w.t.Fatal("no callback has a card_token")
	return ""
}

// savesCards lets payers save and remove cards, and names one in a session.
func (w *world) savesCards() members {
	w.t.Helper()
	w.merchant.Mappings[0].SaveCards = true
	if err := w.app.Merchants.Save(w.t.Context(), w.merchant); err != nil {
		w.t.Fatal(err)
	}
	return members{"card_token": []any{w.token()}}
}

// payment requests the payment of an order.
func (w *world) payment(order string) members {
	w.t.Helper()
	code, payment := w.post("/api/v1/payment/status", w.shop().Order(order))
	if code != http.StatusOK {
		w.t.Fatalf("status: %d %v", code, payment)
	}
	return payment
}

// act makes an example an operation on the payment of an order.
func (w *world) act(one *example, order string) {
	w.t.Helper()
	if one.body["order_id"] != nil {
		one.body["order_id"] = order
		w.sign(one.body)
		return
	}
	one.body["payment_id"] = w.payment(order)["payment_id"]
	w.sign(one.body)
}

func (w *world) refundPart(one *example) {
	w.t.Helper()
	w.act(one, w.paid("01/38", nil))
	part := w.shop().Payment(one.body["payment_id"].(string), "4.00")
	if code, reply := w.post("/api/v1/payment/refund", part); code != http.StatusOK {
		w.t.Fatalf("refund: %d %v", code, reply)
	}
}

// continueChain makes an example a later payment of a chain whose initial payment the card of an expiry date paid.
func (w *world) continueChain(one *example, expiry string) {
	w.t.Helper()
	first := w.payment(w.paid(expiry, members{"recurring_init": true}))
	one.body["recurring_init_trans_id"], one.body["recurring_token"] = first["payment_id"], first["recurring_token"]
	w.sign(one.body)
}

// declineLater makes an example an operation on a later payment that was softly declined.
func (w *world) declineLater(one *example) {
	w.t.Helper()
	later := example{body: members{"merchant_key": w.merchant.TestKey,
		"order": members{"number": uuid.NewString(), "amount": "9.99", "description": "A gift every month"}}}
	w.continueChain(&later, "02/41")
	code, payment := w.post("/api/v1/payment/recurring", later.body)
	if code != http.StatusOK || payment["status"] != "decline" {
		w.t.Fatalf("recurring: %d %v", code, payment)
	}
	one.body["payment_id"] = payment["payment_id"]
	w.sign(one.body)
}

// visit makes an example a request to the page of a session that is not paid yet.
func (w *world) visit(one *example, changes members) {
	w.t.Helper()
	_, page := w.session("", changes)
	one.path = strings.Replace(one.path, "/page/v1/{session}", page, 1)
}

// fillIn makes an example fill in the form of a session, with a card that is encrypted for that session.
func (w *world) fillIn(one *example, changes members) {
	w.t.Helper()
	w.visit(one, changes)
	if one.body["sealed"] == nil {
		return
	}
	request, err := w.fill(strings.TrimSuffix(one.path, "/pay"), "01/38")
	if err != nil {
		w.t.Fatal(err)
	}
	one.body["sealed"] = request.Sealed
}

// demoMID is the demo merchant's first MID in notice addresses.
const demoMID = "ZGVtbw.abac25a104f95872"

// atProvider makes an example a request about a payment that the sandbox knows.
func (w *world) atProvider(one *example, expiry string, changes members) {
	w.t.Helper()
	reference := w.payment(w.paid(expiry, changes))["payment_id"].(string) // what the sandbox is given as a charge's
	one.path = strings.NewReplacer("{reference}", reference, "{connector}", settings.SandboxConnector,
		"{mid}", demoMID).Replace(one.path)
	if one.body["reference"] != nil {
		one.body["reference"] = reference
	}
}

// shop is the merchant's server.
func (w *world) shop() client.Merchant {
	m := w.merchant
	return client.Merchant{Key: m.TestKey, Password: m.Password, CallbackSecret: m.CallbackSecret}
}

func (w *world) sign(body members) { w.shop().Sign(body) }

// sheetHost gives merchant sessions of Apple Pay.
type sheetHost struct{}

func (sheetHost) Begin(context.Context, settings.ApplePay, string) (json.RawMessage, error) {
	return json.RawMessage(`{"merchantSessionIdentifier":"opaque"}`), nil
}

// offerSheet is a visit with the live key, of a merchant that takes Apple Pay.
func (w *world) offerSheet(one *example) {
	w.t.Helper()
	m := w.merchant
	identity := settingstest.Identity(w.t, "merchant.demo", time.Now().AddDate(1, 0, 0))
	m.Wallets.ApplePay = &settings.ApplePay{
		MerchantIdentifier: "merchant.demo", Country: "DE", ShopName: m.Name,
		IdentityCertificate: identity.Certificate, IdentityKey: identity.Key,
		Capabilities: []string{"supports3DS"}, Networks: []string{"visa"}, Domains: []string{"shop.example"},
	}
	mid := &m.Mappings[0].MIDs[0]
	mid.Connector, mid.Methods = settings.SandboxConnector, []string{"card", "applepay"}
	mid.Credentials = map[string]string{}
	if err := w.app.Merchants.Save(w.t.Context(), m); err != nil {
		w.t.Fatal(err)
	}
	w.app.Page.Sessions = sheetHost{}
	w.visit(one, members{"merchant_key": m.LiveKey, "methods": []any{"applepay"}})
}
