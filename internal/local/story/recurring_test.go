package story

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/page/form"
	"checkout/internal/settings"
)

// chain is a recurring chain that a shop began.
type chain struct {
	shop           *Shop
	initial, token string
}

// begins pays an order with recurring_init and returns its chain.
func (s *Shop) begins(number, expiry string, changes ...func(map[string]any)) chain {
	s.w.t.Helper()
	payer := s.visits(number, append(changes, with("recurring_init", "true"))...)
	payer.pays(expiry)
	taken := s.Taken()
	fields := taken[len(taken)-1].Fields
	c := chain{s, fields.Get("recurring_init_trans_id"), fields.Get("recurring_token")}
	if c.initial != payer.paymentID() || c.token == "" {
		s.w.t.Fatalf("the shop was told %v", fields)
	}
	return c
}

func (c chain) charge(number, amount string) (int, map[string]any) {
	c.shop.w.t.Helper()
	return c.shop.w.post("/api/v1/payment/recurring", c.shop.RecurringBody(c.initial, c.token, number, amount))
}

func TestRecurring(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "01/38")
	code, response := c.charge("pen-2", "7.50")
	if got := inWords(code, response); got != "200 settled" {
		t.Fatalf("recurring: %s %v", got, response)
	}
	if response["recurring_token"] != c.token {
		t.Errorf("response %v", response)
	}
	w.shop.told("sale success settled", "recurring success settled")
	last := w.shop.last("recurring").Fields
	for name, want := range map[string]string{
		"id": response["payment_id"].(string), "order_number": "pen-2", "order_amount": "7.50", "order_currency": "USD",
		"recurring_token": c.token, "recurring_init_trans_id": c.initial, "card": "411111******1111",
	} {
		if last.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, last.Get(name), want)
		}
	}
	if got := w.shop.refunds(last.Get("id"), "0.50"); got != "200 accepted" {
		t.Errorf("refund of a recurring payment: %s", got)
	}
	number := w.shop.RecurringBody(c.initial, c.token, "pen-4", "7.50")
	number["order"].(map[string]any)["amount"] = 7.5
	badAmount := "400 100000 order.amount: This value is not valid. " +
		"It should be a number such as 10.00: USD has 2 decimals."
	for _, test := range []struct{ name, got, want string }{
		{"same order at once", inWords(c.charge("pen-2", "7.50")), "400 400 Duplicate request."},
		{"wrong token", inWords(chain{c.shop, c.initial, "x"}.charge("pen-3", "1.00")), "404 208001 Payment not found"},
		{"unknown chain", inWords(chain{c.shop, "x", c.token}.charge("pen-3", "1.00")), "404 208001 Payment not found"},
		{"bad amount", inWords(c.charge("pen-3", "1.001")), badAmount},
		{"a number, signed as its text", inWords(w.post("/api/v1/payment/recurring", number)), "200 settled"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
}

// A chain begins when its initial transaction settles: in two steps, with the capture.
func TestRecurringBeginsWithCapture(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1", with("recurring_init", true), with("auth", true))
	payer.pays("01/38")
	if token := w.shop.last("sale").Fields.Get("recurring_token"); token != "" {
		t.Errorf("recurring_token %q before the capture", token)
	}
	if got := w.shop.captures(payer.paymentID(), "2.00"); got != "200 SUCCESS settled" {
		t.Fatalf("capture: %s", got)
	}
	w.work()
	fields := w.shop.last("capture").Fields
	c := chain{w.shop, fields.Get("recurring_init_trans_id"), fields.Get("recurring_token")}
	if got := inWords(c.charge("pen-2", "1.00")); got != "200 settled" {
		t.Errorf("recurring: %s", got)
	}
}

// Several requests with one order number at the same moment, taken by functions whose clocks differ: one makes a
// payment (protocol.md, Idempotency).
func TestPaymentsAtOnce(t *testing.T) {
	for name, request := range map[string]func(s *Shop, c chain, token string) (int, map[string]any){
		"recurring": func(_ *Shop, c chain, _ string) (int, map[string]any) { return c.charge("pen-2", "10.00") },
		"payout": func(s *Shop, _ chain, token string) (int, map[string]any) {
			out := s.Order("pen-2", with("operation", "credit"), with("card_token", []string{token}))
			return s.w.post("/api/v1/session", s.Sign(out))
		},
	} {
		for range 5 {
			w := open(t, operations)
			c := w.shop.begins("pen-1", "01/38", with("req_token", true))
			token := w.shop.last("sale").Fields.Get("card_token")
			var made, refused atomic.Int32
			w.atOnce(4, func(int) {
				switch code, response := request(w.shop, c, token); {
				case code == http.StatusOK:
					made.Add(1)
				case response["error_message"] == "Duplicate request.":
					refused.Add(1)
				}
			})
			if made.Load() != 1 || refused.Load() != 3 {
				t.Errorf("%s: %d made, %d refused as duplicates", name, made.Load(), refused.Load())
			}
			w.work()
			w.ledgerIs("1 x 10.00 USD approved", "1 x 10.00 USD approved")
		}
	}
}

// monthly adds a schedule of three monthly payments.
func monthly(change func(*settings.Schedule)) func(*settings.Merchant) {
	return func(m *settings.Merchant) {
		operations(m)
		everyMonth := settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitMonth}
		s := settings.Schedule{ID: "monthly", Name: "Monthly", Interval: everyMonth, PaymentsCount: 3}
		if change != nil {
			change(&s)
		}
		m.Schedules = []settings.Schedule{s}
	}
}

// charged lists the recurring payments that the shop was told of: date, order number, amount and status.
func (s *Shop) charged() []string {
	var days []string
	for _, r := range s.Taken() {
		f := r.Fields
		if f.Get("type") == "recurring" && f.Get("status") != "undefined" {
			order := f.Get("order_number") + " " + f.Get("order_amount") + " " + f.Get("order_status")
			days = append(days, f.Get("date")[:10]+" "+order)
		}
	}
	return days
}

func TestSchedule(t *testing.T) {
	w := open(t, monthly(nil))
	w.clock.Move(time.Date(2030, 1, 31, 10, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	w.skip(2 * time.Minute)
	w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"), with("payment_schedule_amount", "4.00"))
	for range 130 {
		w.pass(time.Minute)
		w.skip(24*time.Hour - time.Minute)
	}
	want := []string{
		"2031-02-28 pen-1-1 4.00 settled", "2031-03-31 pen-1-2 4.00 settled", "2031-04-30 pen-1-3 4.00 settled",
	}
	got := w.shop.charged()
	for i := range got {
		got[i] = strings.Replace(got[i], got[i][:4], "2031", 1)
	}
	if !slices.Equal(got, want) {
		t.Errorf("charged %q, want %q", got, want)
	}
	if id := w.shop.last("recurring").Fields.Get("schedule_id"); id != "monthly" {
		t.Errorf("schedule_id %q", id)
	}
}

// Several sweeps at once, and then none for days: each date is charged or declined once.
func TestScheduleSweptTwiceAndLate(t *testing.T) {
	w := open(t, monthly(func(s *settings.Schedule) {
		s.IntervalUnit, s.PaymentsCount = settings.UnitDay, 0
	}))
	w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	w.skip(24 * time.Hour)
	w.atOnce(6, func(int) { _ = w.app.Sweeper.Sweep(t.Context()) })
	w.atOnce(3, func(int) { w.work() })
	w.pass(2 * time.Minute)
	w.skip(72 * time.Hour) // three days without a sweep
	w.pass(3 * time.Minute)
	var ends []string
	for _, c := range w.shop.charged() {
		ends = append(ends, c[11:])
	}
	want := []string{
		"pen-1-1 10.00 settled", "pen-1-2 10.00 decline", "pen-1-3 10.00 decline", "pen-1-4 10.00 settled",
	}
	if !slices.Equal(ends, want) {
		t.Errorf("charged %q, want %q", ends, want)
	}
}

// consenting opens a page that asks for consent to a schedule. It returns the form filled in without consent.
func (w *World) consenting(t *testing.T, number string) (*Visit, form.Request) {
	payer := w.shop.visits(number, with("recurring_init", true), with("req_token", true), with("schedule_id", "monthly"),
		with("recurring_consent_required", "true"))
	form := payer.screen()
	s := form.Schedule
	if s == nil || s.Amount != "10.00" || s.Count != 3 || s.Start != "2030-04-04" {
		t.Errorf("schedule %+v", s)
	}
	return payer, payer.Fill(form, paymentCard(t, "01/38"))
}

// The payer agrees on the page, and the shop is told. The consent ends with the chain.
func TestConsent(t *testing.T) {
	w := open(t, monthly(nil), operations)
	payer, pay := w.consenting(t, "pen-1")
	pay.Fields["recurring_consent"] = "yes"
	code, body := w.call("POST", payer.Path("pay"), pay)
	if code != 400 || !strings.Contains(string(body), "recurring_consent: ") {
		t.Errorf("consent of another value: %d %s", code, body)
	}
	pay.Fields["recurring_consent"] = "true"
	payer.send(pay)
	w.work()
	payer.is("settled")
	sale := w.shop.last("sale").Fields
	if len(sale.Get("consent_id")) != 36 || sale.Get("consent_state") != "active" || sale.Get("recurring_token") == "" {
		t.Errorf("the shop was told %v", sale)
	}
	if got := w.shop.voids(payer.paymentID()); got != "200 SUCCESS void" {
		t.Fatal(got)
	}
	w.work()
	void := w.shop.last("void").Fields
	if void.Get("consent_id") != sale.Get("consent_id") || void.Get("consent_state") != "cancelled" {
		t.Errorf("of the void the shop was told %v", void)
	}
	w.pass(40 * 24 * time.Hour)
	w.shop.told("sale success settled", "void success void")
	w.skip(time.Minute)
	c := chain{w.shop, sale.Get("recurring_init_trans_id"), sale.Get("recurring_token")}
	if code, response := c.charge("pen-2", "5.00"); inWords(code, response) != "200 settled" {
		t.Errorf("a charge by the shop: %d %v", code, response)
	}
	if got := w.shop.last("recurring").Fields.Get("consent_state"); got != "cancelled" {
		t.Errorf("after the chain was stopped the consent is %q", got)
	}
}

// A recurring payment is refused, and nothing is charged, if the chain's MID doesn't take the amount, the schedule is
// unknown, or the merchant is not allowed to request it.
func TestRecurringRefused(t *testing.T) {
	w := open(t, monthly(nil), func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Limits = []settings.Limit{
			{Currency: "USD", Min: "2.00", Max: "20.00"},
			{Currency: "EUR", Max: "1.00"},
		}
	})
	c := w.shop.begins("pen-1", "01/38")
	asks := func(amount, schedule string) string {
		body := w.shop.RecurringBody(c.initial, c.token, "pen-2", amount)
		if schedule != "" {
			body["schedule_id"] = schedule
		}
		return inWords(w.post("/api/v1/payment/recurring", body))
	}
	badHash := w.shop.RecurringBody(c.initial, c.token, "pen-2", "7.50")
	badHash["hash"] = w.shop.Hash(c.initial, c.token, "pen-2", "7.51", "A pen again")
	for _, test := range []struct{ name, got, want string }{
		{"above the MID's limit", asks("20.01", ""), "400 204002 Protocol mapping not found."},
		{"below it", asks("1.99", ""), "400 204002 Protocol mapping not found."},
		{"no amount", asks("0", ""), "400 100000 order.amount: This value should be greater than 0."},
		{"schedule", asks("7.50", "weekly"), "400 100000 schedule_id: The value you selected is not a valid choice."},
		{
			"hash of another amount",
			inWords(w.post("/api/v1/payment/recurring", badHash)), "401 100000 hash: Hash is not valid.",
		},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
	w.shop.set(disabled)
	w.skip(time.Minute)
	if got := asks("7.50", ""); got != "403 100000 Access denied." {
		t.Errorf("disabled: %s", got)
	}
	w.shop.set(func(m *settings.Merchant) { m.Disabled = false })
	w.skip(time.Minute)
	w.ledgerIs("1 x 10.00 USD approved")
	for _, amount := range []string{"2.00", "20.00"} { // the limits themselves
		if got := asks(amount, ""); got != "200 settled" {
			t.Errorf("%s: %s", amount, got)
		}
		w.skip(15 * time.Second)
	}
}

// Consent belongs to the attempt with which it was given: consent of a declined attempt doesn't count.
func TestConsentOfEachAttempt(t *testing.T) {
	for _, test := range []struct{ first, second string }{{"false", "true"}, {"true", ""}} {
		w := open(t, monthly(nil), operations)
		payer, _ := w.consenting(t, "pen-1")
		for i, consent := range []string{test.first, test.second} {
			pay := payer.attempt([]string{"02/38", "01/38"}[i])
			if consent != "" {
				pay.Fields["recurring_consent"] = consent
			}
			payer.send(pay)
			w.work()
		}
		w.shop.told("sale fail decline", "sale success settled")
		sale := w.shop.last("sale").Fields
		agreed := test.second == "true"
		if agreed != (sale.Get("consent_state") == "active") || agreed != (sale.Get("recurring_token") != "") {
			t.Errorf("%+v: the shop was told %v", test, sale)
		}
		for _, record := range w.app.Store.Dump() {
			chain := strings.HasPrefix(record.Key.Sort, "chain/") || strings.HasPrefix(record.Key.Partition, "card/")
			if chain && !agreed {
				t.Errorf("%s %s is stored without consent", record.Key.Partition, record.Key.Sort)
			}
		}
		w.pass(32 * 24 * time.Hour)
		if got := len(w.shop.charged()); got != map[bool]int{true: 1}[agreed] {
			t.Errorf("%+v: charged %d times", test, got)
		}
	}
}
