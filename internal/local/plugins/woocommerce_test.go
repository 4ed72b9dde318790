// Package plugins runs the plugin for WooCommerce of infra/plugins in PHP, against the service: its shop has small
// doubles of WordPress and WooCommerce, its payments and callbacks are real.
package plugins

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/local/client"
)

// stories are what happens to orders, by what it is about, with the settings of the shop that differ.
var stories = []struct {
	about    string
	settings map[string]string
	tell     func(*shop)
}{
	{"paid", nil, paid},
	{"paid, callbacks are JSON", map[string]string{"test_key": otherKey, "hash": "sha256"}, paid},
	{"return before callback", nil, returnFirst},
	{"declined", nil, declined},
	{"sessions", nil, sessions},
	{"left", nil, left},
	{"responses that are wrong", nil, wrongResponses},
	{"currencies", nil, currencies},
	{"amounts that differ", nil, amounts},
	{"forgeries", nil, forgeries},
	{"late and second payments", nil, late},
	{"not decided", nil, notDecided},
	{"disputes", nil, disputes},
	{"without a secret", map[string]string{"callback_secret": ""}, withoutSecret},
	{"captures", map[string]string{"authorize_only": "yes"}, captures},
	{"voids", map[string]string{"authorize_only": "yes"}, voids},
	{"refunds", nil, refunds},
	{"refunds that fail", nil, failedRefunds},
	{"settings", nil, settingsOfShop},
	{"blocks", nil, blocks},
}

func TestWooCommerce(t *testing.T) {
	w := start(t)
	t.Run("stories", func(t *testing.T) {
		for _, story := range stories {
			t.Run(story.about, func(t *testing.T) {
				t.Parallel()
				story.tell(w.open(t, story.settings))
			})
		}
	})
	t.Logf("%v of processor time in PHP", time.Duration(processor.Load()))
}

// bought places an order of 10.50 USD, pays it with a card of an expiry date and returns its callback, which was not
// delivered yet.
func (s *shop) bought(expiry string) (id int, c client.Callback) {
	s.t.Helper()
	id = s.order("10.50", "USD")
	s.pay(s.t, s.checkout(id), expiry)
	return id, s.callback(id)
}

const isPaid = "paid stock >processing processing"

// paid: four callbacks at once, of which one counts, and repeats.
func paid(s *shop) {
	id, c := s.bought("01/38")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { s.deliver(c, http.StatusOK) })
	}
	all.Wait()
	s.is(id, isPaid)
	before := s.read(id)
	s.deliver(c, http.StatusOK)
	s.deliver(edited(s.t, c, "msg_later_1", nil), http.StatusOK) // the same event with another webhook-id
	s.is(id, isPaid)
	if before.TransactionID != c.Fields.Get("id") {
		s.t.Errorf("transaction id %q", before.TransactionID)
	}
	if got := s.back(id, "wc_order_k3y", "left"); got != "/received/101" {
		s.t.Errorf("a buyer who has paid and left gets to %s", got)
	}
}

// returnFirst: the buyer's return asks the service and believes nothing else.
func returnFirst(s *shop) {
	open := s.order("10.50", "USD")
	s.checkout(open)
	if got := s.back(open, "wc_order_k3y", "done"); got != "/received/101" {
		s.t.Errorf("a buyer gets to %s", got)
	}
	s.is(open, "pending")
	id, c := s.bought("01/38")
	if got := s.back(id, "wc_order_other", "done"); got != "/" {
		s.t.Errorf("a stranger gets to %s", got)
	}
	s.is(id, "pending")
	s.back(id, "wc_order_k3y", "done")
	s.is(id, isPaid)
	s.deliver(c, http.StatusOK)
	s.is(id, isPaid)
	both, c := s.bought("01/38")
	other := s.twin()
	var all sync.WaitGroup
	s.hold(func() { // while the service is asked, the callback comes and waits
		all.Go(func() { other.deliver(c, http.StatusOK) })
		for s.ctx.Err() == nil && !s.somebodyWaits() {
			time.Sleep(time.Millisecond)
		}
	})
	s.back(both, "wc_order_k3y", "done")
	all.Wait()
	s.is(both, isPaid)
}

// declined: a later attempt on the same page pays.
func declined(s *shop) {
	id := s.order("10.50", "USD")
	page := s.checkout(id)
	s.pay(s.t, page, "02/38")
	first := s.callback(id)
	s.deliver(first, http.StatusOK)
	s.deliver(first, http.StatusOK)
	s.is(id, "declined >failed failed")
	if again := s.checkout(id); again != page {
		s.t.Errorf("the page is %s, then %s", page, again)
	}
	s.pay(s.t, page, "01/38")
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, "declined >failed "+isPaid)
	s.deliver(edited(s.t, first, "msg_late_1", nil), http.StatusOK)
	s.is(id, "declined >failed paid stock >processing reported processing")
}

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
	if got := s.back(id, "wc_order_k3y", "left"); !strings.HasPrefix(got, "/pay/101notice: ") {
		s.t.Errorf("a buyer who has left gets to %s", got)
	}
	if another := s.checkout(id); dearer == pages[0] || another == dearer || another == "" {
		s.t.Errorf("pages of an order that has changed and was left: %s, %s, %s", pages[0], dearer, another)
	}
	s.write("options.json", map[string]any{"woocommerce_hosted_checkout_settings": s.settings(),
		"woocommerce_manage_stock": "yes", "woocommerce_hold_stock_minutes": "10"})
	shown, err := client.Screen(http.StatusOK, s.call(s.t, s.path(s.t, s.checkout(s.order("10.50", "USD"))), nil))
	if err != nil || shown.LifetimeMS != (9*time.Minute).Milliseconds() {
		s.t.Errorf("a session of %d ms, whose goods are held for 10 minutes, %v", shown.LifetimeMS, err)
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
	if got := s.checkout(known); got != s.url+"/received/104" {
		s.t.Errorf("who has paid is sent to %s", got)
	}
	s.is(known, isPaid)
}

// left: who leaves the page has not tried to pay.
func left(s *shop) {
	id := s.order("10.50", "USD")
	page := s.checkout(id)
	s.call(s.t, s.path(s.t, page)+"/cancel", client.Object{})
	if got := s.back(id, "wc_order_k3y", "left"); !strings.HasPrefix(got, "/pay/101notice: ") {
		s.t.Errorf("a buyer who has left gets to %s", got)
	}
	s.is(id, "pending")
	s.skip()
	another := s.checkout(id)
	s.pay(s.t, another, "01/38")
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, isPaid)
}

// wrongResponses: what the service would not say is not believed, and a refusal is told from what nobody knows.
func wrongResponses(s *shop) {
	id := s.order("10.50", "USD")
	for _, response := range []string{`200 {"redirect_url":"javascript:alert(1)"}`, `200 {"redirect_url":["https://x"]}`,
		"200 []", `200 {"redirect_url":"http://x.example/"}`, "200 <html>", "502 <html>", `500 {"redirect_url":"https://x.example/"}`,
		`403 {"redirect_url":"https://x.example/"}`} {
		s.respond("/api/v1/session", response)
		if page := s.checkout(id); page != "" {
			s.t.Errorf("%s leads to %s", response, page)
		}
	}
	settled := `200 {"payment_id":"p","status":"settled","order":{"number":"%","amount":"10.50","currency":"USD"}}`
	s.respond("/api/v1/payment/status", strings.Replace(settled, "%", "102-abcdefgh", 1))
	s.back(id, "wc_order_k3y", "done")
	s.is(id, "pending")
	s.respond("/api/v1/payment/status", strings.Replace(settled, "%", s.number(id), 1))
	s.back(id, "wc_order_k3y", "done")
	s.is(id, isPaid)
	for _, response := range []string{`400 {"errors":[{"error_message":"No.<script>"}]}`, "502 <html>",
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
	if keys := s.sent(refundPath); len(keys) != 5 || keys[0] == keys[1] || len(slices.Compact(keys)) != 2 {
		s.t.Errorf("Idempotency-Keys %q", keys)
	}
}

// currencies: of none, two and three decimals, however many the shop writes.
func currencies(s *shop) {
	for _, in := range [][2]string{{"1000", "JPY"}, {"1000.00", "JPY"}, {"1.500", "KWD"}, {"10.5", "USD"},
		{"10.500", "USD"}, {"0.10", "EUR"}} {
		id := s.order(in[0], in[1])
		s.pay(s.t, s.checkout(id), "01/38")
		s.deliver(s.callback(id), http.StatusOK)
		s.is(id, isPaid)
	}
	before := len(s.sent("/api/v1/session"))
	for _, in := range [][2]string{{"100.5", "JPY"}, {"10.505", "USD"}, {"1e3", "USD"}} {
		if page := s.checkout(s.order(in[0], in[1])); page != "" {
			s.t.Errorf("%s has a page", in)
		}
	}
	if len(s.sent("/api/v1/session")) != before {
		s.t.Error("an amount that is none was sent")
	}
}

// late: who pays after the order was cancelled, or twice, is told to the shop, and nothing is sold for it.
func late(s *shop) {
	id, c := s.bought("01/38")
	s.do("status?id=%d&to=cancelled", id)
	s.deliver(c, http.StatusOK)
	s.is(id, ">cancelled odd stock >on-hold on-hold")
	id, c = s.bought("02/38")
	s.do("status?id=%d&to=cancelled", id)
	s.deliver(c, http.StatusOK)
	s.is(id, ">cancelled reported cancelled")
	id, c = s.bought("01/38")
	s.deliver(c, http.StatusOK)
	second := edited(s.t, c, "msg_second_1", map[string]string{"id": "00000000-0000-8000-8000-000000000000"})
	s.deliver(second, http.StatusOK)
	s.is(id, "paid stock >processing second processing")
	if got := s.read(id).TransactionID; got != c.Fields.Get("id") {
		s.t.Errorf("transaction id %q", got)
	}
	id, c = s.bought("01/38")
	s.change(id, func(o *order) { o.PaymentMethod, o.Status = "cheque", "processing" })
	s.deliver(c, http.StatusOK)
	s.is(id, "second processing")
	id, c = s.bought("01/38")
	s.change(id, func(o *order) { o.PaymentMethod, o.Status = "cheque", "on-hold" })
	s.deliver(c, http.StatusOK)
	s.is(id, "paid stock >processing processing")
	if got := s.read(id).PaymentMethod; got != "hosted_checkout" {
		s.t.Errorf("an order that was paid here is of %s, by which it can't be refunded", got)
	}
}

// notDecided: the goods are reserved once, whatever comes.
func notDecided(s *shop) {
	for _, event := range []map[string]string{
		{"status": "waiting", "order_status": "prepare"}, {"status": "undefined", "order_status": "prepare"},
		{"type": "init", "order_status": "pending"},
	} {
		id, c := s.bought("01/38")
		s.deliver(edited(s.t, c, "msg_first_1", event), http.StatusOK)
		s.deliver(edited(s.t, c, "msg_first_2", event), http.StatusOK)
		s.is(id, "waits stock >on-hold on-hold")
		s.deliver(c, http.StatusOK)
		s.is(id, "waits stock >on-hold paid >processing processing")
	}
	id, c := s.bought("01/38")
	for _, kind := range []string{"3ds", "redirect"} {
		s.deliver(edited(s.t, c, "msg_act_"+kind, map[string]string{"type": kind, "order_status": kind}), http.StatusOK)
		s.is(id, "pending")
	}
}

// disputes: an order that was paid waits for a person.
func disputes(s *shop) {
	id, c := s.bought("01/38")
	s.deliver(c, http.StatusOK)
	lost := edited(s.t, c, "msg_dispute_1", map[string]string{"type": "chargeback", "order_status": "chargeback"})
	s.deliver(lost, http.StatusOK)
	s.deliver(edited(s.t, lost, "msg_again_1", nil), http.StatusOK)
	s.is(id, "paid stock >processing disputed >on-hold on-hold")
	won := map[string]string{"type": "chargeback", "status": "fail"}
	s.deliver(edited(s.t, c, "msg_dispute_2", won), http.StatusOK)
	s.is(id, "paid stock >processing disputed >on-hold won on-hold")
	other := map[string]string{"type": "reversal", "id": "00000000-0000-8000-8000-000000000000"}
	s.deliver(edited(s.t, c, "msg_dispute_3", other), http.StatusOK)
	s.is(id, "paid stock >processing disputed >on-hold won reported on-hold")
}
