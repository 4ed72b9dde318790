package story

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/local/client"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/payer"
	"checkout/internal/store"

	"github.com/google/uuid"
)

// Visit is one session and its payer.
type Visit struct {
	client.Visit
	w     *World
	shop  *Shop
	order string // its order's number
}

// visits creates a session and opens its page.
func (s *Shop) visits(number string, changes ...func(map[string]any)) *Visit {
	s.w.t.Helper()
	return s.opens("/api/v1/session", number, s.Sign(s.Order(number, changes...)))
}

// opens creates a session with a body as it is and opens its page.
func (s *Shop) opens(path, number string, body any) *Visit {
	s.w.t.Helper()
	code, text := s.w.call("POST", path, body)
	id, err := client.SessionOf(text, s.w.server.URL+"/")
	if err != nil || id == "" || code != http.StatusOK {
		s.w.t.Fatalf("create session: %d %s %v", code, text, err)
	}
	return s.Visit(id, number)
}

// Visit returns the visit of a session.
func (s *Shop) Visit(session, order string) *Visit {
	return &Visit{Visit: client.Visit{Session: session, Call: s.w.try}, w: s.w, shop: s, order: order}
}

// screen requests what the page has to show.
func (v *Visit) screen() screen.Screen {
	v.w.t.Helper()
	return v.Shown(v.Screen())
}

// Shown returns what the page shows, and fails the story if that is no screen.
func (v *Visit) Shown(shown screen.Screen, err error) screen.Screen {
	v.w.t.Helper()
	if err != nil {
		v.w.t.Fatalf("%v", err)
	}
	return shown
}

// words describes a screen in a few words.
var words = client.Words

// sees compares what the page shows now with what a story expects.
func (v *Visit) sees(want string) {
	v.w.t.Helper()
	if got := words(v.screen()); got != want {
		v.w.t.Errorf("the payer sees %q, want %q", got, want)
	}
}

// attempt returns the request that the page sends when the payer clicks on Pay, with the test card of that expiry
// date. A story can send it more than once.
func (v *Visit) attempt(expiry string) form.Request {
	v.w.t.Helper()
	page := v.screen()
	if page.Kind != screen.KindForm {
		// A tab that still shows an earlier form.
		return form.Request{Attempt: uuid.NewString(), Method: "card"}
	}
	return v.Fill(page, paymentCard(v.w.t, expiry))
}

// cardForm returns the screen's form with card as its first method.
func (v *Visit) cardForm() screen.Screen {
	v.w.t.Helper()
	page := v.screen()
	card := slices.IndexFunc(page.Methods, func(m screen.Method) bool { return m.ID == "card" })
	page.Methods = page.Methods[card:]
	return page
}

// paymentCard returns the test card with this expiry date, as MM/YY.
func paymentCard(t Tester, expiry string) card.Card {
	c, err := client.Card(expiry)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return c
}

// Fill fills in the first method of a form.
func (v *Visit) Fill(page screen.Screen, hidden card.Card) form.Request {
	v.w.t.Helper()
	pay, err := client.Fill(page, hidden)
	if err != nil {
		v.w.t.Fatalf("fill in: %v", err)
	}
	return pay
}

// send sends an attempt and returns the screen of the response.
func (v *Visit) send(pay form.Request) screen.Screen {
	v.w.t.Helper()
	return v.Shown(v.Post("pay", pay))
}

// pays pays with the test card of that expiry date and lets the workers work.
func (v *Visit) pays(expiry string) {
	v.w.t.Helper()
	if got := words(v.send(v.attempt(expiry))); got != "wait: processing" {
		v.w.t.Errorf("having paid, the payer sees %q", got)
	}
	v.w.work()
}

// closes cancels the session on the page.
func (v *Visit) closes() {
	v.w.t.Helper()
	v.Shown(v.Post("cancel", nil))
}

// status returns the order's status and reason, as the merchant sees them.
func (v *Visit) status() string {
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
func (v *Visit) is(want string) {
	v.w.t.Helper()
	if got := v.status(); got != want {
		v.w.t.Errorf("status %q, want %q", got, want)
	}
}

// paymentID returns the payment_id of the order's status.
func (v *Visit) paymentID() string {
	v.w.t.Helper()
	_, response := v.shop.status("order_id", v.order)
	id, _ := response["payment_id"].(string)
	return id
}

// payment returns the stored payment.
func (v *Visit) payment() payment.Payment {
	v.w.t.Helper()
	id := v.paymentID()
	for _, p := range v.w.Stored(v.w.t) {
		if p.ID == id {
			return p
		}
	}
	v.w.t.Fatalf("no payment is stored")
	return payment.Payment{}
}

// stands compares the stored status of the latest attempt, which a request for the status might have looked up.
func (v *Visit) stands(want string) {
	v.w.t.Helper()
	got := payment.Status("")
	for _, p := range v.w.Stored(v.w.t) {
		if p.SessionID == v.Session {
			got = p.Status
		}
	}
	if string(got) != want {
		v.w.t.Errorf("stored with status %q, want %q", got, want)
	}
}

// runs delivers the message of the payment's job once.
func (v *Visit) runs() error {
	v.w.t.Helper()
	message := payment.JobMessage{PaymentID: v.paymentID(), SessionID: v.Session}
	return v.w.app.Runner.RunJob(context.Background(), message)
}

// ReturnPath is the path that a provider sends the payer back to.
func (v *Visit) ReturnPath() string { return "/page/v1/" + store.ReturnID(v.Session) + "/return" }

// attempts are the requests of n tabs that show the same form.
func (v *Visit) attempts(n int, expiry string) []form.Request {
	v.w.t.Helper()
	var all []form.Request
	for range n {
		all = append(all, v.attempt(expiry))
	}
	return all
}

// submits sends a second form. It returns the HTTP status with the screen in words or the ids of invalid fields.
func (v *Visit) submits(step string, fields map[string]string) string {
	v.w.t.Helper()
	code, body := v.w.call("POST", v.Path("second-form"), payer.SecondForm{Step: step, Fields: fields})
	if code == 200 {
		return "200 " + words(v.Shown(client.Screen(code, body)))
	}
	var refused struct {
		Errors []struct {
			Message string `json:"error_message"`
		}
	}
	if err := json.Unmarshal(body, &refused); err != nil {
		v.w.t.Fatalf("%d %s", code, body)
	}
	text := fmt.Sprint(code)
	for _, e := range refused.Errors {
		id, _, _ := strings.Cut(e.Message, ": ")
		text += " " + id
	}
	return text
}
