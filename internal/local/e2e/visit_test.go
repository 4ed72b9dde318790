package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
)

// visit is a session and its payer.
type visit struct {
	client.Visit
	w     *world
	order string
}

// request is a signed session request.
func (w *world) request(number string, more ...client.Object) client.Object {
	return tests.Sign(tests.Session(number, more...))
}

// visit creates a session of the shop's test key, with more fields or other ones.
func (w *world) visit(more ...client.Object) *visit {
	w.t.Helper()
	return w.visitOf(tests, more...)
}

// visitOf creates a session of a merchant.
func (w *world) visitOf(m client.Merchant, more ...client.Object) *visit {
	w.t.Helper()
	number := fmt.Sprintf("pen-%d", w.orders.Add(1))
	page, err := client.Open(w.service().In(w.t.Context()), w.cloud.BaseURL()+"/", m.Sign(m.Session(number, more...)))
	if err != nil {
		w.t.Fatal(err)
	}
	return &visit{Visit: page, w: w, order: number}
}

// screen requests what the page has to show.
func (v *visit) screen() screen.Screen {
	v.w.t.Helper()
	page, err := v.Screen()
	if err != nil {
		v.w.t.Fatal(err)
	}
	return page
}

// sees compares a summary of the screen with what a story expects.
func (v *visit) sees(want string) {
	v.w.t.Helper()
	got := client.Words(v.screen())
	if got != want {
		v.w.t.Errorf("the payer of %s sees %q, want %q", v.order, got, want)
	}
}

// fill fills in the form with the test card of an expiry date such as 01/38.
func (v *visit) fill(expiry string) form.Request {
	v.w.t.Helper()
	pay, err := v.Fill(expiry)
	if err != nil {
		v.w.t.Fatal(err)
	}
	return pay
}

// send sends an attempt, and repeats it as the page does when there is no response.
func (v *visit) send(pay form.Request) {
	v.w.t.Helper()
	v.w.until("the attempt is taken", func() bool {
		code, body := v.w.call("POST", v.Path("pay"), pay)
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
	code, body := v.w.call("POST", "/api/v1/payment/status", tests.Order(v.order))
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

// browser follows no redirect.
var browser = http.Client{
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
	back := v.redirect(browser.PostForm(next, url.Values{"action": {button}}))
	if end := v.redirect(browser.Get(back)); end != v.w.cloud.BaseURL()+"/?session="+v.Session {
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
