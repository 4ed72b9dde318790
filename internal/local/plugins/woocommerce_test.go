// Package plugins runs the plugin for WooCommerce of infra/plugins in PHP, against the service: its shop has small
// doubles of WordPress and WooCommerce, or is a real one, its payments and callbacks are real.
package plugins

import (
	"net/http"
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
	{"locks", nil, locks},
	{"dead processes", nil, deadProcesses},
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
	{"callbacks that never come", nil, lookedUp},
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
	if got := s.back(id, buyersKey, "left"); got != "/received/N" {
		s.t.Errorf("a buyer who has paid and left gets to %s", got)
	}
}

// returnFirst: the buyer's return asks the service and believes nothing else.
func returnFirst(s *shop) {
	open := s.order("10.50", "USD")
	s.checkout(open)
	if got := s.back(open, buyersKey, "done"); got != "/received/N" {
		s.t.Errorf("a buyer gets to %s", got)
	}
	s.is(open, "pending")
	id, c := s.bought("01/38")
	if got := s.back(id, "wc_order_other", "done"); got != "/" {
		s.t.Errorf("a stranger gets to %s", got)
	}
	s.is(id, "pending")
	s.back(id, buyersKey, "done")
	s.is(id, isPaid)
	s.deliver(c, http.StatusOK)
	s.is(id, isPaid)
	both, c := s.bought("01/38")
	other := s.twin()
	var all sync.WaitGroup
	s.hold(func() { // while the service is asked, the callback comes and waits
		all.Go(func() { other.deliver(c, http.StatusOK) })
		s.awaitWaiting()
	})
	s.back(both, buyersKey, "done")
	all.Wait()
	s.is(both, isPaid)
	again, c := s.bought("01/38")
	var page string
	s.hold(func() { // while the service is asked, the buyer pays again and waits
		all.Go(func() { page = other.checkout(again) })
		s.awaitWaiting()
	})
	s.back(again, buyersKey, "done")
	all.Wait()
	s.deliver(c, http.StatusOK)
	if !strings.HasPrefix(page, other.url+"/received/") {
		s.t.Errorf("who pays again what is paid meanwhile is sent to %s", page)
	}
	s.is(again, isPaid)
}

// locks: a callback that comes while the order is changed has to come again. What a dead process has left is removed.
func locks(s *shop) {
	id, c := s.bought("01/38")
	for at, want := range map[time.Duration]int{0: http.StatusServiceUnavailable, -5 * time.Minute: http.StatusOK} {
		s.do("lock?id=%d&since=%d", id, time.Now().Add(at).Unix())
		s.deliver(c, want)
		if left := s.do("unlock?id=%d", id) == "1"; left != (want != http.StatusOK) {
			s.t.Errorf("the lock of %v is left: %t", at, left)
		}
	}
	s.is(id, isPaid)
}

// deadProcesses: the repeat of a callback, while whose first delivery the shop has died, does all of it.
func deadProcesses(s *shop) {
	dispute := map[string]string{"type": "chargeback", "order_status": "chargeback"}
	for _, test := range []struct {
		note  string // the shop's last words
		event map[string]string
		want  string
	}{
		{"was paid by", nil, "paid " + isPaid},
		{"changed from", nil, isPaid},
		{"was authorised by", map[string]string{"order_status": "pending"}, "authorised authorised stock >on-hold on-hold"},
		{"is not decided", map[string]string{"status": "waiting"}, "waits waits stock >on-hold on-hold"},
		{"was declined", map[string]string{"status": "fail"}, "declined declined >failed failed"},
		{"charged back", dispute, isPaid[:len("paid stock >processing")] + " disputed disputed >on-hold on-hold"},
	} {
		id, c := s.bought("01/38")
		if test.event["type"] != "" {
			s.deliver(c, http.StatusOK)
		}
		c = edited(s.t, c, "msg_dead_1", test.event)
		options := map[string]any{"woocommerce_hosted_checkout_settings": s.settings(), "shop_dies_after": test.note}
		s.write("options.json", options)
		s.deliver(c, http.StatusInternalServerError)
		delete(options, "shop_dies_after")
		s.write("options.json", options)
		if got := s.do("unlock?id=%d", id); got != "1" { // it would count as left after three minutes
			s.t.Errorf("%s locks are left", got)
		}
		s.deliver(c, http.StatusOK)
		s.is(id, test.want)
	}
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
	s.call(s.t, "/api/v1/payment/void", merchant.Payment(c.Fields.Get("id"), ""))
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, "paid stock >processing second voided >refunded refunded")
	if got := s.read(id).Refunds; len(got) != 1 || got[0].Amount != "10.50" || got[0].Asked {
		s.t.Errorf("refunds of an order whose payment was voided: %+v", got)
	}
	id, c = s.bought("01/38")
	s.change(id, func(o *order) { o.PaymentMethod = "cheque" })
	s.do("status?id=%d&to=processing", id)
	s.deliver(c, http.StatusOK)
	s.is(id, "stock >processing second processing")
	id, c = s.bought("01/38")
	s.change(id, func(o *order) { o.PaymentMethod = "cheque" })
	s.do("status?id=%d&to=on-hold", id)
	s.deliver(c, http.StatusOK)
	s.is(id, "stock >on-hold paid >processing processing")
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
