package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"checkout/internal/card"
	"checkout/internal/form"
	"checkout/internal/screen"
	"checkout/internal/vault"

	"github.com/google/uuid"
)

// visit is a session and its payer.
type visit struct {
	w       *world
	session string
	order   string
}

// request is a signed session request.
func (w *world) request(number string) map[string]any {
	return map[string]any{
		"merchant_key": "test-key", "operation": "purchase", "success_url": "https://shop.example/paid",
		"cancel_url": "https://shop.example/cart",
		"order":      map[string]any{"number": number, "amount": "10.00", "currency": "USD", "description": "A pen"},
		"hash":       hash(number, "10.00", "USD", "A pen"),
	}
}

// visit creates a session.
func (w *world) visit() *visit {
	w.t.Helper()
	number := fmt.Sprintf("pen-%d", w.orders.Add(1))
	code, body := w.call("POST", "/api/v1/session", w.request(number))
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	if err := json.Unmarshal(body, &created); err != nil || code != http.StatusOK {
		w.t.Fatalf("create session: %d %s", code, body)
	}
	id, ours := strings.CutPrefix(created.RedirectURL, w.cloud.BaseURL()+"/?session=")
	if !ours {
		w.t.Fatalf("redirect_url %q", created.RedirectURL)
	}
	return &visit{w: w, session: id, order: number}
}

// screen requests what the page has to show.
func (v *visit) screen() screen.Screen {
	v.w.t.Helper()
	code, body := v.w.call("GET", "/page/v1/"+v.session, nil)
	var page screen.Screen
	if err := json.Unmarshal(body, &page); err != nil || code != http.StatusOK {
		v.w.t.Fatalf("screen: %d %s", code, body)
	}
	return page
}

// sees compares a summary of the screen with what a story expects.
func (v *visit) sees(want string) {
	v.w.t.Helper()
	page := v.screen()
	got := string(page.Kind)
	switch {
	case page.Kind == screen.KindGo:
		got += " " + page.Go.URL
	case page.Message != nil:
		got += ": " + string(page.Message.Text)
	}
	if got != want {
		v.w.t.Errorf("the payer of %s sees %q, want %q", v.order, got, want)
	}
}

// fill fills in the form with the test card of an expiry date such as 01/38.
func (v *visit) fill(expiry string) form.Request {
	v.w.t.Helper()
	filled := v.screen()
	if filled.Kind != screen.KindForm {
		v.w.t.Fatalf("no form but %q", filled.Kind)
	}
	var month, year int
	if _, err := fmt.Sscanf(expiry, "%d/%d", &month, &year); err != nil {
		v.w.t.Fatal(err)
	}
	point, err := base64.RawURLEncoding.DecodeString(filled.Seal.Key)
	if err != nil {
		v.w.t.Fatal(err)
	}
	sealed, err := vault.Seal(point, filled.Seal.KeyID, filled.Seal.Info,
		card.Card{Number: testCard, ExpiryMonth: month, ExpiryYear: 2000 + year, SecurityCode: securityCode})
	if err != nil {
		v.w.t.Fatal(err)
	}
	pay := form.Request{Attempt: uuid.NewString(), Method: "card", Sealed: &sealed, Fields: map[string]string{}}
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

// send sends an attempt, and repeats it as the page does when there is no response.
func (v *visit) send(pay form.Request) {
	v.w.t.Helper()
	v.w.until("the attempt is taken", func() bool {
		code, body := v.w.call("POST", "/page/v1/"+v.session+"/pay", pay)
		if code != http.StatusOK && code < http.StatusInternalServerError {
			v.w.t.Fatalf("pay: %d %s", code, body)
		}
		return code == http.StatusOK
	})
}

// pays pays and waits until no message waits.
func (v *visit) pays(expiry string) {
	v.w.t.Helper()
	v.send(v.fill(expiry))
	v.w.rest()
}

// status is the order's status in the merchant's API.
func (v *visit) status() string {
	v.w.t.Helper()
	code, body := v.w.call("POST", "/api/v1/payment/status",
		map[string]string{"merchant_key": "test-key", "order_id": v.order, "hash": hash(v.order)})
	var reply struct {
		Status string `json:"status"`
	}
	if err := json.Unmarshal(body, &reply); err != nil || code != http.StatusOK {
		v.w.t.Fatalf("status: %d %s", code, body)
	}
	return reply.Status
}

func (v *visit) is(want string) {
	v.w.t.Helper()
	if got := v.status(); got != want {
		v.w.t.Errorf("the status of %s is %q, want %q", v.order, got, want)
	}
}

// client follows no redirect.
var client = http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// presses opens the sandbox's own page and presses a button there.
func (v *visit) presses(button string) {
	v.w.t.Helper()
	page := v.screen()
	if page.Kind != screen.KindGo {
		v.w.t.Fatalf("the payer is sent nowhere but sees %q", page.Kind)
	}
	code, form := v.w.call("GET", strings.TrimPrefix(page.Go.URL, v.w.cloud.BaseURL()), nil)
	if code != http.StatusOK || !strings.Contains(string(form), `value="`+button+`"`) {
		v.w.t.Fatalf("the sandbox's page: %d %s", code, form)
	}
	next := page.Go.URL
	back := v.redirect(client.PostForm(next, url.Values{"action": {button}}))
	if end := v.redirect(client.Get(back)); end != v.w.cloud.BaseURL()+"/?session="+v.session {
		v.w.t.Errorf("back at %q", end)
	}
}

func (v *visit) redirect(response *http.Response, err error) string {
	v.w.t.Helper()
	if err != nil {
		v.w.t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusSeeOther {
		v.w.t.Fatalf("%s returns %d", response.Request.URL.Path, response.StatusCode)
	}
	return response.Header.Get("Location")
}
