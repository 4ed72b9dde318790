package story

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/form"
	"checkout/internal/screen"
	"checkout/internal/vault"

	"github.com/google/uuid"
)

// visit is one session and its payer.
type visit struct {
	w       *world
	shop    *shop
	session string // its id
	order   string // its order's number
}

// order is a session request of the shop, signed when it is sent.
func (s *shop) order(number string, changes ...func(map[string]any)) map[string]any {
	body := map[string]any{
		"merchant_key": s.key(), "operation": "purchase",
		"success_url": "https://shop.example/paid", "cancel_url": "https://shop.example/cart",
		"expiry_url": "https://shop.example/late", "error_url": "https://shop.example/oops",
		"order": map[string]any{"number": number, "amount": "10.00", "currency": "USD", "description": "A pen"},
	}
	for _, change := range changes {
		change(body)
	}
	return body
}

// with sets a field of a request; nil takes it out.
func with(name string, value any) func(map[string]any) {
	return func(body map[string]any) {
		body[name] = value
		if value == nil {
			delete(body, name)
		}
	}
}

// sign returns the request with its hash.
func (s *shop) sign(body map[string]any) map[string]any {
	o := body["order"].(map[string]any)
	text := ""
	for _, name := range []string{"number", "amount", "currency", "description"} {
		text += asText(o[name])
	}
	body["hash"] = s.hash(text)
	return body
}

func asText(value any) string {
	if value == nil {
		return "" // not sent
	}
	if text, ok := value.(string); ok {
		return text
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// visits creates a session and opens its page.
func (s *shop) visits(number string, changes ...func(map[string]any)) *visit {
	s.w.t.Helper()
	code, body := s.w.call("POST", "/api/v1/session", s.sign(s.order(number, changes...)))
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	if err := json.Unmarshal(body, &created); err != nil || code != http.StatusOK {
		s.w.t.Fatalf("create session: %d %s", code, body)
	}
	page, id, found := strings.Cut(created.RedirectURL, "?session=")
	if !found || page != s.w.server.URL+"/" {
		s.w.t.Fatalf("redirect_url %q", created.RedirectURL)
	}
	return &visit{w: s.w, shop: s, session: id, order: number}
}

// screen asks what the page has to show.
func (v *visit) screen() screen.Screen {
	v.w.t.Helper()
	code, body := v.w.call("GET", "/page/v1/"+v.session, nil)
	return v.read(code, body)
}

func (v *visit) read(code int, body []byte) screen.Screen {
	v.w.t.Helper()
	var screen screen.Screen
	if err := json.Unmarshal(body, &screen); err != nil || code != http.StatusOK {
		v.w.t.Fatalf("screen: %d %s", code, body)
	}
	return screen
}

// words are a screen in a few words: "form", "wait: processing", "go https://...".
func words(s screen.Screen) string {
	text := string(s.Kind)
	if s.Kind == screen.KindGo {
		return text + " " + s.Go.URL
	}
	if s.Message != nil {
		text += ": " + string(s.Message.Text)
		text += reasonWords(s.Message.Reason)
	}
	return text
}

// reasonWords is a reason as a screen gives it: " (Declined by processing.)" in a provider's words, else
// " (paid_too_little: 1 of 2 BTC)" by its code.
func reasonWords(r *screen.Reason) string {
	switch {
	case r == nil:
		return ""
	case r.Words != "":
		return " (" + r.Words + ")"
	case r.Due != "":
		return " (" + string(r.Code) + ": " + r.Arrived + " of " + r.Due + " " + r.Currency + ")"
	case r.Arrived != "":
		return " (" + string(r.Code) + ": " + r.Arrived + " " + r.Currency + ")"
	}
	return " (" + string(r.Code) + ")"
}

// sees compares what the page shows now with what a story expects.
func (v *visit) sees(want string) {
	v.w.t.Helper()
	if got := words(v.screen()); got != want {
		v.w.t.Errorf("the payer sees %q, want %q", got, want)
	}
}

// attempt is what the page sends for one click on Pay with the card of that
// expiry date. It can be made once and sent again.
func (v *visit) attempt(expiry string) form.Request {
	v.w.t.Helper()
	page := v.screen()
	if page.Kind != screen.KindForm {
		return form.Request{Attempt: uuid.NewString(), Method: "card"} // a page that was not drawn anew
	}
	return v.fill(page, paymentCard(v.w.t, expiry))
}

// paymentCard is the test card with this expiry date, as MM/YY.
func paymentCard(t tester, expiry string) card.Card {
	month, year, found := strings.Cut(expiry, "/")
	if !found || len(month) != 2 || len(year) != 2 {
		t.Fatalf("expiry %q", expiry)
	}
	number := func(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }
	return card.Card{Number: testCard, ExpiryMonth: number(month), ExpiryYear: 2000 + number(year), SecurityCode: securityCode}
}

// fill fills in a form.
func (v *visit) fill(filled screen.Screen, card card.Card) form.Request {
	v.w.t.Helper()
	point, err := base64.RawURLEncoding.DecodeString(filled.Seal.Key)
	if err != nil {
		v.w.t.Fatalf("the vault's key: %v", err)
	}
	sealed, err := vault.Seal(point, filled.Seal.KeyID, filled.Seal.Info, card)
	if err != nil {
		v.w.t.Fatalf("seal: %v", err)
	}
	pay := form.Request{Attempt: uuid.NewString(), Method: filled.Methods[0].ID, Sealed: &sealed, Fields: map[string]string{}}
	for _, field := range filled.Methods[0].Fields {
		switch field.ID {
		case "payer_name":
			pay.Fields[field.ID] = "Ada Lovelace"
		case "payer_email":
			pay.Fields[field.ID] = "ada@example.org"
		}
	}
	return pay
}

// send sends an attempt and returns what the page shows then.
func (v *visit) send(pay form.Request) screen.Screen {
	v.w.t.Helper()
	code, body := v.w.call("POST", "/page/v1/"+v.session+"/pay", pay)
	return v.read(code, body)
}

// pays pays with the card of that expiry date, and the workers do their part.
func (v *visit) pays(expiry string) {
	v.w.t.Helper()
	if got := words(v.send(v.attempt(expiry))); got != "wait: processing" {
		v.w.t.Errorf("having paid, the payer sees %q", got)
	}
	v.w.work()
}

// closes closes the form.
func (v *visit) closes() {
	v.w.t.Helper()
	code, body := v.w.call("POST", "/page/v1/"+v.session+"/cancel", nil)
	v.read(code, body)
}

// status returns the order's status and reason, as the merchant sees them.
func (v *visit) status() string {
	v.w.t.Helper()
	code, response := v.shop.status("order_id", v.order)
	if code != http.StatusOK {
		v.w.t.Fatalf("status: %d %v", code, response)
	}
	text := response["status"].(string)
	if reason, ok := response["reason"].(string); ok {
		text += " (" + reason + ")"
	}
	return text
}

// is compares the order's status with what a story expects.
func (v *visit) is(want string) {
	v.w.t.Helper()
	if got := v.status(); got != want {
		v.w.t.Errorf("status %q, want %q", got, want)
	}
}

// paymentID is the id that status answers for the order.
func (v *visit) paymentID() string {
	v.w.t.Helper()
	_, response := v.shop.status("order_id", v.order)
	id, _ := response["payment_id"].(string)
	return id
}

// payment is the payment as it is stored.
func (v *visit) payment() checkout.Payment {
	v.w.t.Helper()
	for _, record := range v.w.app.Store.Dump() {
		var p checkout.Payment
		if strings.HasSuffix(record.Key.Sort, "/payment") && record.Decode(&p) == nil && p.ID == v.paymentID() {
			return p
		}
	}
	v.w.t.Fatalf("no payment is stored")
	return checkout.Payment{}
}

// runs is one delivery of the payment's job.
func (v *visit) runs() error {
	v.w.t.Helper()
	return v.w.app.Service.RunJob(context.Background(), checkout.JobMessage{PaymentID: v.paymentID(), SessionID: v.session})
}

// presses opens the sandbox's own page, where the payer was sent, presses a button
// of it and returns where the browser is sent then.
func (v *visit) presses(button string) (location string) {
	v.w.t.Helper()
	page := v.screen()
	if page.Kind != screen.KindGo || !strings.HasPrefix(page.Go.URL, v.w.server.URL+"/sandbox/") {
		v.w.t.Fatalf("the payer is not sent to the sandbox but sees %q", words(page))
	}
	return v.pressesAt(page.Go.URL, button)
}

// pressesAt is presses at a page that the payer still has open.
func (v *visit) pressesAt(page, button string) (location string) {
	v.w.t.Helper()
	code, html := v.w.call("GET", strings.TrimPrefix(page, v.w.server.URL), nil)
	if code != http.StatusOK || !strings.Contains(string(html), `value="`+button+`"`) {
		v.w.t.Fatalf("the sandbox's page has no button %q: %d %s", button, code, html)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.PostForm(page, url.Values{"action": {button}})
	if err != nil {
		v.w.t.Fatalf("press %s: %v", button, err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusSeeOther {
		v.w.t.Fatalf("press %s: %d %s", button, response.StatusCode, body)
	}
	return response.Header.Get("Location")
}

// comesBack follows the way back from the sandbox to the checkout page.
func (v *visit) comesBack(location string) {
	v.w.t.Helper()
	if want := v.w.server.URL + "/page/v1/" + v.session + "/return"; location != want {
		v.w.t.Errorf("sent back to %q, want %q", location, want)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(location)
	if err != nil {
		v.w.t.Fatalf("come back: %v", err)
	}
	defer response.Body.Close()
	if want := v.w.server.URL + "/?session=" + v.session; response.StatusCode != http.StatusSeeOther || response.Header.Get("Location") != want {
		v.w.t.Errorf("back at the checkout: %d %q, want 303 %q", response.StatusCode, response.Header.Get("Location"), want)
	}
}

// bankPage is the sandbox page that the payer was sent to.
func (v *visit) bankPage() string {
	return v.w.server.URL + "/sandbox/" + v.paymentID()
}

// decidesAtBank is the payer's decision at the bank, after which the way back fails.
func (v *visit) decidesAtBank(button string) {
	v.w.t.Helper()
	response, err := http.PostForm(v.bankPage(), url.Values{"action": {button}})
	if err != nil {
		v.w.t.Fatalf("press %s: %v", button, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusInternalServerError {
		v.w.t.Errorf("the bank page returned %d", response.StatusCode)
	}
}

type payRequest = form.Request

// attempts are what several tabs with the same form send.
func (v *visit) attempts(n int, expiry string) []payRequest {
	v.w.t.Helper()
	var all []payRequest
	for range n {
		all = append(all, v.attempt(expiry))
	}
	return all
}
