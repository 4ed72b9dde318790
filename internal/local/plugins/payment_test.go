package plugins

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/money"
)

// authorised places an order and has it authorised.
func (s *shop) authorised(expiry string) int {
	s.t.Helper()
	id, c := s.bought(expiry)
	s.deliver(c, http.StatusOK)
	s.is(id, isAuthorised+" on-hold")
	return id
}

const (
	isAuthorised = "authorised stock >on-hold"
	capturePath  = "/api/v1/payment/capture"
	refundPath   = "/api/v1/payment/refund"
)

// captures: by a status that ships, or by an action of whoever may edit the order.
func captures(s *shop) {
	first := s.authorised("01/38")
	id := first
	s.do("status?id=%d&to=processing", id)
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, isAuthorised+" paid >processing processing")
	s.do("status?id=%d&to=completed", id)
	s.is(id, isAuthorised+" paid >processing >completed completed")
	id = s.authorised("01/38")
	s.do("action?id=%d&do=capture", id)
	s.is(id, isAuthorised+" on-hold")
	if got := s.do("action?id=%d&do=capture&can=yes", id); !strings.Contains(got, "hosted_checkout_capture") {
		s.t.Errorf("actions of an authorised order: %s", got)
	}
	s.is(id, isAuthorised+" paid >processing processing")
	before := len(s.sent(capturePath))
	if s.refund(s.authorised("01/38"), "1.00") || len(s.sent(refundPath)) != 0 {
		s.t.Error("a refund of what was not captured was requested")
	}
	s.do("action?id=%d&do=capture&can=yes", id)
	s.do("action?id=%d&do=void&can=yes", id)
	s.is(id, isAuthorised+" paid >processing unauthorised unauthorised processing")
	if len(s.sent(capturePath)) != before {
		s.t.Error("a capture of what is paid was requested")
	}
	if got := s.do("action?id=%d", id); strings.Contains(got, "hosted_checkout_capture") {
		s.t.Errorf("actions of a paid order: %s", got)
	}
	id = s.authorised("01/38")
	before = len(s.sent(capturePath))
	s.lose(capturePath)
	s.do("status?id=%d&to=processing", id)
	s.is(id, isAuthorised+" unknown >on-hold >processing on-hold")
	s.do("status?id=%d&to=completed", id)
	s.is(id, isAuthorised+" unknown >on-hold >processing paid >completed completed")
	if keys := s.sent(capturePath)[before:]; len(keys) != 2 || keys[0] == "" || keys[0] != keys[1] {
		s.t.Errorf("Idempotency-Keys %q", keys)
	}
	id = s.authorised("03/38")
	s.do("told")
	s.do("status?id=%d&to=processing&admin=yes", id)
	s.is(id, isAuthorised+" reported >on-hold >processing on-hold")
	if s.read(id).Paid || !s.read(first).Paid {
		s.t.Error("an order is paid whose capture has failed, or is not although it was captured")
	}
	if got := s.do("told"); got != fmt.Sprintf(`["#%d: The payment provider has declined this."]`, id) {
		s.t.Errorf("who has tried to ship it is told: %s", got)
	}
	mails, err := os.ReadFile(filepath.Join(s.folder, "mails.txt"))
	if err != nil || !strings.Contains(string(mails), fmt.Sprintf("%d processing", first)) ||
		strings.Contains(string(mails), fmt.Sprintf("%d processing", id)) {
		s.t.Errorf("e-mails, but none of order %d, whose capture has failed: %s %v", id, mails, err)
	}
	id, c := s.bought("01/38")
	s.back(id, buyersKey, "done")
	s.deliver(c, http.StatusOK)
	s.is(id, isAuthorised+" on-hold")
	s.change(id, func(o *order) { o.Total = "8.00" })
	s.do("status?id=%d&to=processing", id)
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, isAuthorised+" paid >processing processing")
}

// voids: an order that is cancelled while its payment is only authorised releases the money.
func voids(s *shop) {
	const path = "/api/v1/payment/void"
	id := s.authorised("01/38")
	s.do("status?id=%d&to=cancelled", id)
	c := s.callback(id)
	s.deliver(c, http.StatusOK)
	s.is(id, isAuthorised+" voided restock >cancelled cancelled")
	id = s.authorised("01/38")
	s.lose(path)
	s.do("status?id=%d&to=cancelled", id)
	s.is(id, isAuthorised+" unknown restock >cancelled cancelled")
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, isAuthorised+" unknown restock >cancelled voided cancelled")
	if got := len(s.sent(path)); got != 2 {
		s.t.Errorf("%d voids were requested", got)
	}
	id = s.authorised("01/38")
	s.do("action?id=%d&do=void&can=yes", id)
	s.is(id, isAuthorised+" voided restock >cancelled cancelled")
	id, c = s.bought("01/38")
	s.deliver(c, http.StatusOK)
	s.call(s.t, path, merchant.Payment(c.Fields.Get("id"), ""))
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, isAuthorised+" voided restock >cancelled cancelled")
	if got := len(s.sent(path)); got != 3 {
		s.t.Errorf("%d voids were requested", got)
	}
}

// refund refunds and returns whether it was accepted.
func (s *shop) refund(id int, amount string) bool {
	s.t.Helper()
	return strings.Contains(s.do("refund?id=%d&amount=%s", id, amount), `{"amount":"`+amount)
}

// refunds: one click is one refund, also if it is two or if the response is lost.
func refunds(s *shop) {
	id, c := s.bought("01/38")
	if s.refund(id, "1.00") {
		s.t.Error("a refund of an order without a payment")
	}
	s.deliver(c, http.StatusOK)
	s.hold(func() { // until the other click has come as far
		for len(s.read(id).Refunds) < 2 && s.ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
	})
	var all sync.WaitGroup
	var done [2]bool
	for i, entrance := range []*shop{s, s.twin()} {
		all.Go(func() { done[i] = entrance.refund(id, "4.00") })
	}
	all.Wait()
	if done[0] == done[1] {
		s.t.Errorf("two clicks at once: %t", done)
	}
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, "unpaid paid stock >processing twice refunded processing")
	s.lose(refundPath)
	if s.refund(id, "2.00") {
		s.t.Error("a refund without a response")
	}
	if !s.refund(id, "2.00") {
		s.t.Error("the repeat of a refund without a response")
	}
	s.deliver(s.callback(id), http.StatusOK)
	if keys := s.sent(refundPath); len(keys) != 3 || keys[0] == keys[1] || keys[1] != keys[2] {
		s.t.Errorf("Idempotency-Keys %q", keys)
	}
	s.lose(refundPath)
	if s.refund(id, "1.50") {
		s.t.Error("a refund without a response")
	}
	c = s.callback(id)
	s.deliver(c, http.StatusOK) // the shop adds the refund that it did not know of, once
	s.deliver(c, http.StatusOK)
	s.call(s.t, refundPath, merchant.Payment(c.Fields.Get("id"), "0.50"))
	s.deliver(s.callback(id), http.StatusOK)
	if s.refund(id, "2.51") || s.refund(id, "0.001") || s.refund(id, "0") {
		s.t.Error("a refund of more than is left, or of no amount")
	}
	if !s.refund(id, "2.50") {
		s.t.Error("the rest was not refunded")
	}
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, "unpaid paid stock >processing twice refunded unknown refunded unknown refunded refunded amount amount "+
		">refunded refunded refunded")
	var amounts []string
	for _, r := range s.read(id).Refunds {
		amounts = append(amounts, r.Amount)
	}
	if got := strings.Join(amounts, " "); got != "4.00 2.00 1.50 0.50 2.50" {
		s.t.Errorf("refunds %s", got)
	}
}

// failedRefunds: the shop does not count what was not paid back.
func failedRefunds(s *shop) {
	id, c := s.bought("04/40")
	s.deliver(c, http.StatusOK)
	if !s.refund(id, "10.50") {
		s.t.Error("the refund was not accepted")
	}
	s.is(id, "paid stock >processing >refunded refunded")
	s.deliver(s.callback(id), http.StatusOK)
	s.is(id, "paid stock >processing >refunded refund failed >on-hold on-hold")
	if left := s.read(id).Refunds; len(left) != 0 {
		s.t.Errorf("refunds %+v", left)
	}
	id, c = s.bought("01/38")
	s.deliver(c, http.StatusOK)
	s.lose(refundPath)
	s.refund(id, "3.00")
	s.change(id, func(o *order) { // the response was lost more than a day ago
		aged := strings.Replace(string(o.Meta["_hosted_checkout_refunds"]), `"time":1`, `"time":`, 1)
		o.Meta["_hosted_checkout_refunds"] = json.RawMessage(aged)
	})
	before := len(s.sent(refundPath))
	if s.refund(id, "3.00") || len(s.sent(refundPath)) != before {
		s.t.Error("a refund of which nobody knows was requested again after more than a day")
	}
	s.deliver(s.callback(id), http.StatusOK)
	if left := s.read(id).Refunds; len(left) != 1 {
		s.t.Errorf("refunds %+v", left)
	}
}

// TestDecimals compares the decimals of all currencies with those of the service.
func TestDecimals(t *testing.T) {
	s := (&world{ctx: t.Context()}).open(t, nil)
	var asked [][2]string
	var want []string
	for i := range 26 * 26 * 26 {
		code := string([]byte{'A' + byte(i/676), 'A' + byte(i/26%26), 'A' + byte(i%26)})
		if currency, ok := money.Find(code); ok && !currency.Crypto {
			digits := ".123456789"[:currency.Exponent+min(currency.Exponent, 1)]
			more := digits + ".1"[min(currency.Exponent, 1):]
			asked = append(asked, [2]string{"1" + digits, code}, [2]string{"1" + more, code})
			want = append(want, "1"+digits, "")
		}
	}
	for text, is := range map[string]string{"0.50": "0.50", "007": "7.00", "": "", "-1": "", "+1": "", "1.": "", ".5": "",
		"1,5": "", "1e2": "", " 1": "", "1\n": "", "1.5 ": "", "9999999999999999": "",
		"999999999999999.99": "999999999999999.99", "0": "0.00", "1.2300": "1.23", "1.230000001": "", "0x1": ""} {
		asked, want = append(asked, [2]string{text, "USD"}), append(want, is)
	}
	body, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	_, response := s.ask(http.NewRequest(http.MethodPost, s.url+"/test/money", strings.NewReader(string(body))))
	var got []string
	if err := json.Unmarshal(response, &got); err != nil || len(got) != len(want) || len(want) < 300 {
		t.Fatalf("%d of %d texts, %v: %s", len(got), len(want), err, response)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q is %q, want %q", asked[i], got[i], want[i])
		}
	}
}
