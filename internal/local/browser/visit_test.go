package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local/client"
)

// target is a running service with the sample merchants.
type target struct {
	BaseURL  string // without a trailing slash
	Key      string // the merchant's test key
	Password string
}

// visit is one story: a target, a merchant and a payer with a browser of their own.
type visit struct {
	*tab
	target  target
	shop    *shop
	watch   *watch
	profile *profile
}

func newVisit(t *testing.T, at target, s *shop) *visit {
	t.Helper()
	return visitOf(t, at, s, takeProfile(t))
}

// firstVisit is a visit with a profile of its own, in which nothing was loaded before.
func firstVisit(t *testing.T, at target, s *shop) *visit {
	t.Helper()
	p := newProfile(t)
	t.Cleanup(p.dispose)
	return visitOf(t, at, s, p)
}

func visitOf(t *testing.T, at target, s *shop, p *profile) *visit {
	t.Helper()
	w := &watch{}
	v := &visit{p.tab(t, w), at, s, w, p}
	t.Cleanup(func() { w.check(t) })
	return v
}

// secondTab is another tab of the same browser.
func (v *visit) secondTab() *visit {
	v.t.Helper()
	return v.with(v.profile.tab(v.t, v.watch))
}

// with is the same visit in another tab or in a frame.
func (v *visit) with(b *tab) *visit {
	other := *v
	other.tab = b
	return &other
}

// session is a payment session as its merchant knows it, with a payer who needs no browser.
type session struct {
	client.Visit
	URL      string
	Order    string
	Amount   string
	Currency string
}

type object = map[string]any

// paying is what a merchant may send of the payer.
var paying = object{
	"customer": object{"name": "Ada Example", "email": "ada@example.com"},
	"billing_address": object{
		"country": "US", "state": "CA", "city": "Los Angeles", "address": "1 Sample Street", "zip": "90001",
		"phone": "+15550100",
	},
}

var orders atomic.Int64

// session creates a session as a merchant does. The fields of more replace those of the usual request; nil removes a
// field, and an order changes single fields of the usual one.
func (v *visit) session(more ...object) session {
	v.t.Helper()
	number := fmt.Sprintf("browser-%d-%d", time.Now().UnixNano(), orders.Add(1))
	request := v.merchant().Session(number, append([]object{{
		"success_url": v.shop.url("success"), "cancel_url": v.shop.url("cancel"), "expiry_url": v.shop.url("expiry"),
		"error_url": v.shop.url("error"), "order": object{"description": "A gift"},
	}}, more...)...)
	v.merchant().Sign(request)
	order := request["order"].(object)
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	v.post("/api/v1/session", request, &created)
	id, err := client.SessionAt(created.RedirectURL, v.target.BaseURL+"/")
	if err != nil {
		v.t.Fatal(err)
	}
	return session{
		Visit: client.Visit{Session: id, Call: v.service().In(v.t.Context())}, URL: created.RedirectURL,
		Order: order["number"].(string), Amount: order["amount"].(string), Currency: order["currency"].(string),
	}
}

// merchant is the server of the visit's merchant.
func (v *visit) merchant() client.Merchant {
	return client.Merchant{Key: v.target.Key, Password: v.target.Password}
}

// at is the same visit with another merchant of the target.
func (v *visit) at(key string) *visit {
	other := *v
	other.target.Key = key
	return &other
}

// textMembers are the members of a JSON object that are texts.
type textMembers map[string]string

func (t *textMembers) UnmarshalJSON(text []byte) error {
	var all map[string]any
	err := json.Unmarshal(text, &all)
	*t = textMembers{}
	for name, value := range all {
		if text, ok := value.(string); ok {
			(*t)[name] = text
		}
	}
	return err
}

// callbacks are those that the demo shop has about an order.
func (v *visit) callbacks(s session) (bodies []textMembers) {
	v.t.Helper()
	var all []struct{ Body textMembers }
	v.get("/demo/callbacks?order="+s.Order, &all)
	for _, c := range all {
		bodies = append(bodies, c.Body)
	}
	return bodies
}

// callback waits until the demo shop has a callback of that type about an order, and returns its fields.
func (v *visit) callback(s session, kind string) (found map[string]string) {
	v.t.Helper()
	eventually(v.t, func() bool {
		for _, found = range v.callbacks(s) {
			if found["type"] == kind {
				return true
			}
		}
		return false
	}, func() string { return "no callback " + kind })
	return found
}

func (v *visit) get(path string, into any) {
	v.t.Helper()
	v.call(client.Request{Method: http.MethodGet, Path: path}, into)
}

func (v *visit) post(path string, request, into any) {
	v.t.Helper()
	v.call(client.Request{Method: http.MethodPost, Path: path, Body: request}, into)
}

func (v *visit) service() client.Service {
	return client.Service{URL: v.target.BaseURL, HTTP: &http.Client{Timeout: patience}}
}

func (v *visit) call(r client.Request, into any) {
	v.t.Helper()
	status, body, err := v.service().Call(v.t.Context(), r)
	if err != nil || status != http.StatusOK || json.Unmarshal(body, into) != nil {
		v.t.Fatalf("%s: %d %s %v", r.Path, status, body, err)
	}
}

// payment is an element of the status endpoint's list.
type payment struct {
	ID           string `json:"payment_id"`
	Status       string `json:"status"`
	Reason       string `json:"reason"`
	UnknownSince string `json:"unknown_since"`
}

// payments requests all payments of an order, newest first.
func (v *visit) payments(s session) []payment {
	v.t.Helper()
	var list []payment
	request := v.merchant().Order(s.Order)
	request["size"] = 100
	v.post("/api/v1/payment/status", request, &list)
	return list
}

// checkPayments compares the statuses of an order's payments, newest first.
func (v *visit) checkPayments(s session, statuses ...string) {
	v.t.Helper()
	var list []payment
	eventually(v.t, func() bool {
		list = v.payments(s)
		return slices.EqualFunc(list, statuses, func(p payment, status string) bool { return p.Status == status })
	}, func() string { return fmt.Sprintf("payments %+v, not %v", list, statuses) })
}

// arrives waits until the payer is back at the merchant, and returns the parameters of the address.
func (v *visit) arrives(ending string) url.Values {
	v.t.Helper()
	v.until("location.origin == " + quote(v.shop.origin) + " && location.pathname == " + quote("/"+ending))
	return v.location().Query()
}

// checkReturn checks that the parameters of a return are those of protocol.md, Return to the merchant, for the order's
// newest payment.
func (v *visit) checkReturn(query url.Values, s session) {
	v.t.Helper()
	paid := v.payments(s)[0]
	id := paid.ID
	want := url.Values{"shop": {"1"}, "payment_id": {id}, "trans_id": {id}, "order_id": {s.Order}}
	if paid.Status != "decline" { // a payer who did not pay gets no hash
		want.Set("hash", v.merchant().Hash(id, s.Order, s.Amount, s.Currency, "A gift"))
	}
	if query.Encode() != want.Encode() {
		v.t.Errorf("returned with %v, not %v", query, want)
	}
}

const (
	cardNumber   = "4111111111111111"
	securityCode = "739"
)

// form opens the checkout page of a session and waits for its form.
func (v *visit) form(s session) {
	v.t.Helper()
	v.open(s.URL)
	v.until(element("pay"))
}

// card fills in the card's fields; the expiry date decides the outcome.
func (v *visit) card(expiry string) {
	v.t.Helper()
	v.write("payer_card", cardNumber)
	v.write("payer_expiryDate", expiry)
	v.write("payer_cvv", securityCode)
}

// everything fills in all fields.
func (v *visit) everything(expiry string) {
	v.t.Helper()
	v.card(expiry)
	v.place()
	for _, field := range texts {
		v.write(field.id, field.text)
	}
}

// texts are the text fields beside those of the card.
var texts = []struct{ id, text string }{
	{"payer_name", "Ada Example"}, {"payer_email", "ada@example.com"}, {"payer_city", "Los Angeles"},
	{"payer_address", "1 Sample Street"}, {"payer_zip", "90001"}, {"payer_phone", "+1 555 0100"},
}

// place selects country and state.
func (v *visit) place() {
	v.t.Helper()
	v.choose("payer_country", "US")
	v.until(element("payer_state") + "?.tagName == 'SELECT'")
	v.choose("payer_state", "CA")
}

// pay fills in the card and presses the button.
func (v *visit) pay(expiry string) {
	v.t.Helper()
	v.card(expiry)
	v.click("pay")
}

// message waits until the page's message contains a text.
func (v *visit) message(text string) {
	v.t.Helper()
	v.until(element("message") + "?.innerText.includes(" + quote(text) + ")")
}

// noForm checks that there is no form.
func (v *visit) noForm() {
	v.t.Helper()
	v.until("!document.querySelector('#pay, form, input')")
}
