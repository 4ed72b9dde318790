package plugins

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// sessions: one for each state of an order, however often the buyer clicks and whatever is lost.
func sessions(s *shop) {
	const path = "/api/v1/session"
	id := s.order("10.50", "USD")
	pages := make([]string, 3)
	var all sync.WaitGroup
	for i := range pages {
		all.Go(func() { pages[i] = s.checkout(id) })
	}
	all.Wait()
	if pages[0] == "" || pages[1] != pages[0] || pages[2] != pages[0] {
		s.t.Errorf("pages of one order: %q", pages)
	}
	s.skip()
	s.change(id, func(o *order) { o.Total = "11.00" })
	dearer := s.checkout(id)
	s.skip()
	if got := s.back(id, buyersKey, "left"); !strings.HasPrefix(got, "/pay/Nnotice: ") {
		s.t.Errorf("a buyer who has left gets to %s", got)
	}
	if another := s.checkout(id); dearer == pages[0] || another != dearer {
		s.t.Errorf("pages of an order that has changed and was left: %s, %s, %s", pages[0], dearer, another)
	}
	s.write("options.json", map[string]any{"woocommerce_hosted_checkout_settings": s.settings(),
		"woocommerce_manage_stock": "yes", "woocommerce_hold_stock_minutes": "10"})
	held := s.order("10.50", "USD")
	shown, err := s.visit(s.t, s.checkout(held)).Screen()
	if err != nil || shown.LifetimeMS != (9*time.Minute).Milliseconds() {
		s.t.Errorf("a session of %d ms, whose goods are held for 10 minutes, %v", shown.LifetimeMS, err)
	}
	if want := fmt.Sprintf("Größe & 'Söhne' #%d", held); shown.Order.Description != want {
		s.t.Errorf("the page shows %q, want %q", shown.Order.Description, want)
	}
	lost := s.order("10.50", "USD")
	before := len(s.sent(path))
	s.lose(path)
	if page := s.checkout(lost); page != "" {
		s.t.Errorf("the response was lost, and the page is %s", page)
	}
	if s.checkout(lost) == "" {
		s.t.Error("no page")
	}
	if keys := s.sent(path)[before:]; len(keys) != 2 || keys[0] == "" || keys[0] != keys[1] {
		s.t.Errorf("Idempotency-Keys %q", keys)
	}
	known, _ := s.bought("01/38")
	if got := s.checkout(known); got != fmt.Sprintf("%s/received/%d", s.url, known) {
		s.t.Errorf("who has paid is sent to %s", got)
	}
	s.is(known, isPaid)
}

// left: who leaves the page has not tried to pay.
func left(s *shop) {
	id := s.order("10.50", "USD")
	page := s.checkout(id)
	if _, err := s.visit(s.t, page).Post("cancel", nil); err != nil {
		s.t.Fatal(err)
	}
	if got := s.back(id, buyersKey, "left"); !strings.HasPrefix(got, "/pay/Nnotice: ") {
		s.t.Errorf("a buyer who has left gets to %s", got)
	}
	s.is(id, "pending")
	another := s.checkout(id) // at once: the shop waits until the service takes it
	if another == page || another == "" {
		s.t.Errorf("the page after %s, which is cancelled, is %s", page, another)
	}
	if got := s.back(id, buyersKey, "left"); !strings.HasPrefix(got, "/pay/Nnotice: ") {
		s.t.Errorf("a buyer who has left without an end gets to %s", got)
	}
	if again := s.checkout(id); again != another {
		s.t.Errorf("two pages are open: %s, %s", another, again)
	}
	s.pay(s.t, another, "01/38")
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, isPaid)
}

// wrongResponses: what the service would not say is not believed, and a refusal is told from what nobody knows.
func wrongResponses(s *shop) {
	id := s.order("10.50", "USD")
	for _, response := range []string{`200 {"redirect_url":"javascript:alert(1)"}`,
		`200 {"redirect_url":["https://x"]}`, "200 []", `200 {"redirect_url":"http://x.example/"}`, "200 <html>",
		"502 <html>", `500 {"redirect_url":"https://x.example/"}`, `403 {"redirect_url":"https://x.example/"}`} {
		s.respond("/api/v1/session", response)
		if page := s.checkout(id); page != "" {
			s.t.Errorf("%s leads to %s", response, page)
		}
	}
	settled := `200 {"payment_id":"p","status":"settled","order":{"number":"%","amount":"10.50","currency":"USD"}}`
	s.respond("/api/v1/payment/status", strings.Replace(settled, "%", fmt.Sprintf("%d-abcdefgh", id+1), 1))
	s.back(id, buyersKey, "done")
	const notes = "nowhere nowhere nowhere nowhere unknown unknown unknown refused "
	s.is(id, notes+"pending")
	s.respond("/api/v1/payment/status", strings.Replace(settled, "%", s.number(id), 1))
	s.back(id, buyersKey, "done")
	s.is(id, notes+isPaid)
	refusal := `400 {"errors":[{"error_message":"No.<script>"}]}`
	for _, response := range []string{refusal, "502 <html>", refusal,
		`500 {"error_message":"Internal server error."}`, "403 <html>"} {
		s.respond(refundPath, response)
		if got := s.do("refund?id=%d&amount=1.00", id); !strings.Contains(got, `{"error":"The payment service `) ||
			strings.Contains(got, "script") {
			s.t.Errorf("%s is told as %s", response, got)
		}
	}
	s.respond(refundPath, `200 {"result":"accepted"}`)
	if !s.refund(id, "1.00") {
		s.t.Error("a refund after others that failed")
	}
	if keys := s.sent(refundPath); len(keys) != 6 || keys[0] == keys[1] || len(slices.Compact(keys)) != 2 {
		s.t.Errorf("Idempotency-Keys %q", keys)
	}
}

// currencies: of none, two and three decimals, however many the shop writes.
func currencies(s *shop) {
	for _, in := range [][2]string{{"1000", "JPY"}, {"1000.00", "JPY"}, {"1.500", "KWD"}, {"10.5", "USD"},
		{"10.500", "USD"}, {"0.10", "EUR"}} {
		s.decimals(in[0])
		id := s.order(in[0], in[1])
		s.pay(s.t, s.checkout(id), "01/38")
		s.deliver(s.callback(id), http.StatusOK)
		s.is(id, isPaid)
	}
	before := len(s.sent("/api/v1/session"))
	for _, in := range [][2]string{{"100.5", "JPY"}, {"10.505", "USD"}} {
		s.decimals(in[0])
		if page := s.checkout(s.order(in[0], in[1])); page != "" {
			s.t.Errorf("%s has a page", in)
		}
	}
	if len(s.sent("/api/v1/session")) != before {
		s.t.Error("an amount that is none was sent")
	}
}

// decimals sets how many decimals the shop writes to those of an amount.
func (s *shop) decimals(amount string) {
	_, decimals, _ := strings.Cut(amount, ".")
	s.write("options.json", map[string]any{"woocommerce_hosted_checkout_settings": s.settings(),
		"woocommerce_price_num_decimals": strconv.Itoa(len(decimals))})
}
