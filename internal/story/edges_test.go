package story

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/form"
	"checkout/internal/screen"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// A look-up that was not sent says nothing about the charge.
func TestLookupNotSent(t *testing.T) {
	w := open(t)
	bank := &provider{
		charge: func(connector.Charge) (connector.Result, error) { return connector.Result{}, errors.New("no response") },
		lookUp: func(connector.ProviderRequest) (connector.Result, error) {
			return connector.Result{}, fmt.Errorf("dial: %w", connector.ErrNotSent)
		},
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(40 * time.Minute)
	if len(bank.charges) != 1 {
		t.Errorf("charged %d times", len(bank.charges))
	}
	payer.sees("wait: checking_outcome")
	w.shop.told("sale undefined prepare")
}

// deadline is a context with a deadline that it doesn't enforce.
type deadline struct {
	context.Context
	at time.Time
}

func (d *deadline) Deadline() (time.Time, bool) { return d.at, true }

// No other MID is tried if the function may end before that one responds.
func TestCascadeWithoutTimeLeft(t *testing.T) {
	w := open(t, mids("", "", "", ""))
	bank := &provider{charge: func(connector.Charge) (connector.Result, error) {
		w.clock.move(14 * time.Second)
		return soft, nil
	}}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	w.queue.lose = loseAll
	payer.send(payer.attempt("01/38"))
	w.queue.lose = nil
	payments := w.stored(t)
	function := &deadline{context.Background(), w.clock.Now().Add(30 * time.Second)}
	message := checkout.JobMessage{PaymentID: payments[0].ID, SessionID: payer.session}
	if err := w.app.Worker.RunJob(function, message); err != nil {
		t.Error(err)
	}
	if len(bank.charges) != 1 {
		t.Errorf("%d charges of 14 s each in 30 s", len(bank.charges))
	}
	payer.sees("form: declined (Later.)")
}

// The same key and the same body at another endpoint is another request.
func TestIdempotencyKeyOfAnotherEndpoint(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1", with("auth", true))
	payer.pays("01/38")
	body := w.shop.amountBody(payer.paymentID(), "")
	w.postWithKey("pen-1", "/api/v1/payment/capture", body)
	code, text := w.postWithKey("pen-1", "/api/v1/payment/refund", body)
	if code != 400 || !strings.Contains(text, "This key was used with another request.") {
		t.Errorf("refund with the key of the capture: %d %s", code, text)
	}
}

// hookedStore calls do once, after a document of a partition was read.
type hookedStore struct {
	store.Store
	prefix string
	once   sync.Once
	do     func()
}

func (h *hookedStore) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	records, err := h.Store.Get(ctx, now, keys...)
	if strings.HasPrefix(keys[0].Partition, h.prefix) {
		h.once.Do(h.do)
	}
	return records, err
}

// A repeat overtakes the first retry after both have looked for the key: both get the same response.
func TestIdempotencyKeyOfTwoRetries(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "02/41")
	_, declined := c.charge("pen-2", "5.00")
	body := w.shop.amountBody(declined["payment_id"].(string), "")
	var first string
	w.app.Core.Store = &hookedStore{Store: w.store, prefix: "idempotency/", do: func() {
		w.app.Core.Store = w.store
		_, first = w.postWithKey("again", "/api/v1/payment/retry", body)
	}}
	_, second := w.postWithKey("again", "/api/v1/payment/retry", body)
	if first != second || !strings.Contains(first, "accepted") {
		t.Errorf("responses %s and %s", first, second)
	}
}

// A key that expires while a request is under way never leads to an empty response.
func TestIdempotencyKeyAtItsEnd(t *testing.T) {
	w := open(t, operations)
	body := w.shop.sign(w.shop.order("pen-1"))
	w.postWithKey("one", "/api/v1/session", body)
	w.skip(24*time.Hour - time.Millisecond)
	expire := func() { w.clock.move(5 * time.Millisecond) }
	w.app.Core.Store = &hookedStore{Store: w.store, prefix: "merchant/", do: expire}
	code, text := w.postWithKey("one", "/api/v1/session", body)
	if !(code == 200 && strings.Contains(text, "redirect_url")) && code != 500 {
		t.Errorf("%d %s", code, text)
	}
}

// The number of a recipient's card is ignored if the form has no field for it.
func TestPayeeNumberOfPurchase(t *testing.T) {
	for _, number := range []string{"1", "1234509876"} {
		w := open(t)
		payer := w.shop.visits("pen-1")
		c := paymentCard(t, "01/38")
		c.PayeeNumber = number
		payer.send(payer.fill(payer.screen(), c))
		w.work()
		payer.is("settled")
		if got := w.shop.last("sale").fields.Get("payee_card"); got != "" {
			t.Errorf("payee_card %q", got)
		}
	}
}

// A disabled MID takes no retry, and a removed one no recurring payment.
func TestChainOfMIDThatIsGone(t *testing.T) {
	for name, change := range map[string]func(*settings.MID){
		"disabled": func(m *settings.MID) { m.Disabled = true },
		"removed":  func(m *settings.MID) { m.Name = "another" },
	} {
		w := open(t, operations)
		c := w.shop.begins("pen-1", "02/41")
		_, declined := c.charge("pen-2", "5.00")
		w.shop.set(func(m *settings.Merchant) { change(&m.Mappings[0].MIDs[0]) })
		w.skip(time.Minute)
		if got := w.shop.retries(declined["payment_id"].(string)); got != "403 100000 Access denied." {
			t.Errorf("%s: retry: %s", name, got)
		}
		if got := inWords(c.charge("pen-3", "5.00")); got != "403 100000 Access denied." {
			t.Errorf("%s: recurring: %s", name, got)
		}
		w.ledgerIs("1 x 10.00 USD approved", "1 x 5.00 USD declined")
	}
}

// The amount of a recurring payment may be a JSON number and signed as its formatted text.
func TestRecurringAmountAsNumber(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "01/38")
	for i, signed := range []string{"7.50", "7.5"} {
		number := fmt.Sprintf("later-%d", i)
		order := map[string]any{"number": number, "amount": 7.5, "description": "A pen again"}
		body := w.shop.body(map[string]any{
			"recurring_init_trans_id": c.initial, "recurring_token": c.token, "order": order,
		}, c.initial, c.token, number, signed, "A pen again")
		if got := inWords(w.post("/api/v1/payment/recurring", body)); got != "200 settled" {
			t.Errorf("signed as %s: %s", signed, got)
		}
	}
}

// daily adds a schedule with a payment every day, without an end.
func daily(change func(*settings.Schedule)) func(*settings.Merchant) {
	return monthly(func(s *settings.Schedule) {
		s.IntervalUnit, s.PaymentsCount = settings.UnitDay, 0
		if change != nil {
			change(s)
		}
	})
}

// days lets days go by with one sweep each.
func (w *world) days(n int) {
	w.t.Helper()
	for range n {
		w.pass(time.Minute)
		w.skip(24*time.Hour - time.Minute)
	}
}

// A schedule whose interval changes goes on from its next date.
func TestScheduleChanged(t *testing.T) {
	every := func(n int, unit settings.IntervalUnit) settings.Interval {
		return settings.Interval{IntervalLength: n, IntervalUnit: unit}
	}
	for _, test := range []struct {
		name          string
		before, after settings.Interval
		days, passed  int // before the change and after it
		least, most   int // charges after it
	}{
		{"30 days to 7", every(30, settings.UnitDay), every(7, settings.UnitDay), 130, 31, 2, 3},
		{"days to months", every(1, settings.UnitDay), every(1, settings.UnitMonth), 30, 70, 2, 3},
	} {
		w := open(t, daily(func(s *settings.Schedule) { s.Interval = test.before }))
		w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
		w.days(test.days)
		before := len(w.shop.charged())
		w.shop.set(func(m *settings.Merchant) { m.Schedules[0].Interval = test.after })
		w.skip(time.Minute)
		w.days(test.passed)
		charged := w.shop.charged()[before:]
		declined := strings.Contains(strings.Join(charged, " "), "decline")
		if len(charged) < test.least || len(charged) > test.most || declined {
			t.Errorf("%s: charged %q", test.name, charged)
		}
	}
}

// A recurring payment can begin its chain's schedule again. Order numbers are never used twice.
func TestScheduleBegunAgain(t *testing.T) {
	w := open(t, daily(nil))
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	w.pass(25 * time.Hour)
	body := w.shop.recurringBody(c.initial, c.token, "extra", "3.00")
	body["schedule_id"] = "monthly"
	if got := inWords(w.post("/api/v1/payment/recurring", body)); got != "200 settled" {
		t.Fatalf("recurring: %s", got)
	}
	w.pass(25 * time.Hour)
	var numbers []string
	for _, r := range w.shop.taken() {
		numbers = append(numbers, r.fields.Get("order_number")+" "+r.fields.Get("order_amount"))
	}
	if got := strings.Join(numbers, ", "); got != "pen-1 10.00, pen-1-1 10.00, extra 3.00, pen-1-2 3.00" {
		t.Errorf("orders %s", got)
	}
}

// Captured after schedule_start_date: the dates before the capture are skipped, and no charge is lost.
func TestCapturedAfterStartDate(t *testing.T) {
	w := open(t, daily(func(s *settings.Schedule) { s.PaymentsCount = 3 }))
	payer := w.shop.visits("pen-1", with("recurring_init", true), with("auth", true),
		with("schedule_id", "monthly"), with("schedule_start_date", "2030-03-05"))
	payer.pays("01/38")
	w.skip(7 * 24 * time.Hour)
	if got := w.shop.captures(payer.paymentID(), ""); got != "200 SUCCESS settled" {
		t.Fatalf("capture: %s", got)
	}
	w.pass(5 * 24 * time.Hour)
	want := "2030-03-11 pen-1-1 10.00 settled, 2030-03-12 pen-1-2 10.00 settled, 2030-03-13 pen-1-3 10.00 settled"
	if got := strings.Join(w.shop.charged(), ", "); got != want {
		t.Errorf("charged %s, want %s", got, want)
	}
}

// A void of the initial transaction ends its schedule.
func TestVoidEndsSchedule(t *testing.T) {
	w := open(t, daily(nil))
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	if got := w.shop.voids(c.initial); got != "200 SUCCESS void" {
		t.Fatalf("void: %s", got)
	}
	w.pass(49 * time.Hour)
	w.shop.told("sale success settled", "void success void")
}

// Nobody is charged or paid long after the request.
func TestSavedCardLate(t *testing.T) {
	w := open(t, operations)
	token := w.shop.saves("pen-1", "01/38")
	payer := w.shop.visits("pen-2", with("card_token", []string{token}))
	w.queue.lose = loseJobs
	payer.chooses("1")
	w.app.Merchant.Pause = func(context.Context, time.Duration) error { return nil }
	body := w.shop.sign(w.shop.order("pay-out", with("operation", "credit"), with("card_token", []string{token})))
	if got := inWords(w.post("/api/v1/session", body)); got != "200 prepare" {
		t.Errorf("credit: %s", got)
	}
	w.queue.lose = nil
	w.skip(25 * time.Hour)
	w.pass(5 * time.Minute)
	payer.is("decline (The payment could not be carried out in time.)")
	if _, response := w.shop.status("order_id", "pay-out"); response["status"] != "decline" {
		t.Errorf("the payout is %v", response)
	}
	w.ledgerIs("1 x 10.00 USD approved")
}

// An amount that the payer enters has to be within the limits of a MID.
func TestLimitsOfEnteredAmount(t *testing.T) {
	w := open(t, mids("", ""), func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Limits = []settings.Limit{{Currency: "USD", Max: "100.00"}}
		m.Mappings[0].MIDs[1].Limits = []settings.Limit{{Currency: "USD", Max: "500.00"}}
	})
	order := map[string]any{"number": "pen-1", "amount": "-1", "currency": "USD", "description": "A pen"}
	payer := w.shop.visits("pen-1", with("operation", "transfer"), payee, with("order", order))
	c := paymentCard(t, "01/38")
	c.PayeeNumber = payoutCard
	pay := payer.fill(payer.screen(), c)
	pay.Fields["order_amount"] = "500.01"
	code, body := w.call("POST", "/page/v1/"+payer.session+"/pay", pay)
	if code != 400 || !strings.Contains(string(body), "order_amount: ") {
		t.Errorf("500.01: %d %s", code, body)
	}
	pay.Fields["order_amount"] = "100.01"
	payer.send(pay)
	w.work()
	if p := payer.payment(); p.Status != checkout.StatusSettled || p.MID != "mid-2" {
		t.Errorf("%s by %s", p.Status, p.MID)
	}
}

// A MID that was disabled meanwhile is skipped in a cascade.
func TestCascadeOverDisabledMID(t *testing.T) {
	w := open(t, mids("declines softly", "", ""))
	payer := w.shop.visits("pen-1")
	w.queue.lose = loseAll
	payer.send(payer.attempt("01/38"))
	w.queue.lose = nil
	w.shop.set(func(m *settings.Merchant) { m.Mappings[0].MIDs[1].Disabled = true })
	w.skip(time.Minute)
	w.pass(2 * time.Minute)
	if p := payer.payment(); p.Status != checkout.StatusSettled || p.MID != "mid-3" {
		t.Errorf("%s by %s", p.Status, p.MID)
	}
}

// The first MID declines softly. While the second one charges, the first reports the decline without a reference.
func TestLateNoticeOfFirstMID(t *testing.T) {
	w := open(t, mids("", ""))
	bank := &provider{}
	bank.charge = func(c connector.Charge) (connector.Result, error) {
		if len(bank.charges) == 1 {
			return soft, nil
		}
		w.reported(realBank, connector.Notice{PaymentID: c.PaymentID, Result: declined})
		return approved, nil
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.sees("go https://shop.example/paid")
	w.shop.told("sale success settled")
}

// A refund that was not sent before a chargeback is not sent any more.
func TestRefundAfterChargeback(t *testing.T) {
	w := open(t, operations)
	bank := &provider{sandbox: w.bank, followUp: onFollowUp(approved)}
	w.connects(settings.SandboxConnector, bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.queue.lose = loseJobs
	if got := w.shop.refunds(payer.paymentID(), ""); got != "200 accepted" {
		t.Errorf("refund: %s", got)
	}
	w.queue.lose = nil
	payer.pressesAt(payer.bankPage(), "chargeback")
	w.pass(5 * time.Minute)
	if len(bank.followUps) != 0 {
		t.Error("10.00 charged back and 10.00 refunded of a payment of 10.00")
	}
	w.shop.told("sale success settled", "chargeback success chargeback", "refund fail chargeback")
}

// A payer pays to the address on the page. The amount is what arrives.
func TestCryptoWithoutAmount(t *testing.T) {
	w := open(t, operations, coins)
	payer := w.shop.visits("pen-1", cryptoBTC,
		with("order", map[string]any{"number": "pen-1", "currency": "BTC", "description": "A pen"}),
		with("crypto", map[string]any{"network": "bitcoin"}))
	filled := payer.screen()
	if len(filled.Methods) != 1 || filled.Methods[0].ID != "crypto" || filled.Order.Amount != "" {
		t.Fatalf("methods %+v, order %+v", filled.Methods, filled.Order)
	}
	payer.send(form.Request{Attempt: "11111111-1111-4111-8111-111111111111", Method: "crypto"})
	w.work()
	payer.is("pending")
	if shown := payer.screen().Show; len(shown) < 2 || shown[0].ID != "crypto_address" {
		t.Errorf("shown %+v", shown)
	}
	f := w.shop.last("init").fields
	if f.Get("crypto_address") == "" || f.Get("crypto_network") != "bitcoin" || f.Get("order_amount") != "" {
		t.Errorf("the shop was told %v", f)
	}
	w.payAtSandbox(payer.paymentID(), "0.00125")
	w.work()
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	w.shop.told("init success pending", "sale success settled")
	f = w.shop.last("sale").fields
	if f.Get("order_amount") != "0.00125" && f.Get("order_amount") != "0.00125000" {
		t.Errorf("the shop was told %v", f)
	}
}

// A payer who saw an address may send money there: after that no other MID is tried, and what arrived is reported.
func TestNoCascadeAfterAnAddress(t *testing.T) {
	w := open(t, mids("", ""), func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Methods = []string{"crypto"}
		m.Mappings[0].MIDs[1].Methods = []string{"crypto"}
	})
	// The look-up doesn't find the first charge.
	bank := &provider{lookUp: onFollowUp(connector.Result{Outcome: connector.OutcomeUnknown})}
	bank.charge = func(connector.Charge) (connector.Result, error) {
		if len(bank.charges) == 1 {
			return address, nil
		}
		received := &connector.Received{Currency: "BTC", Amount: "0.0005", Due: "0.001"}
		late := connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: screen.ReasonTryAgainLater}
		late.Received = received
		return late, nil
	}
	w.goesLive(bank)
	order := map[string]any{"number": "pen-1", "amount": "0.001", "currency": "BTC", "description": "A pen"}
	payer := w.shop.visits("pen-1", with("order", order), cryptoBTC)
	payer.send(form.Request{Attempt: "11111111-1111-4111-8111-111111111111", Method: "crypto"})
	w.pass(10 * time.Minute)
	w.shop.told("init success pending", "sale fail decline")
	w.shop.reasons("", halfLate)
	if len(bank.charges) != 2 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}

// A MID that declined approves after the next one has charged: nothing changes, and an operator is alarmed.
func TestApprovedAfterTheCascade(t *testing.T) {
	w := open(t, mids("", ""))
	bank := &provider{}
	bank.charge = func(connector.Charge) (connector.Result, error) {
		if len(bank.charges) == 1 {
			return soft, nil
		}
		return approved, nil
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.sees("go https://shop.example/paid")
	id := payer.paymentID()
	w.reported(realBank, connector.Notice{PaymentID: id, Reference: id, Result: approved})
	w.shop.told("sale success settled")
	if !strings.Contains(w.log.String(), `"approved_after_declined":1`) {
		t.Error("nobody is told that the payer may have been charged twice")
	}
}

// A MID was moved to another provider: the old one doesn't get the new credentials, and the new one gets no refund of a
// payment that it doesn't know.
func TestMIDMovedToAnotherProvider(t *testing.T) {
	w := open(t, operations, func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Credentials = map[string]string{"secret": "of the first bank"}
	})
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.shop.set(func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Connector = anotherBank
		m.Mappings[0].MIDs[0].Credentials = map[string]string{"secret": "of the other bank"}
	})
	w.skip(2 * time.Minute)
	if got := w.shop.refunds(payer.paymentID(), "1.00"); got != "200 accepted" {
		t.Errorf("refund: %s", got)
	}
	w.work()
	for _, q := range bank.followUps {
		t.Errorf("the first bank was sent the secret %q", q.Credentials["secret"])
	}
	w.shop.told("sale success settled", "refund fail settled")
}

// A chargeback during a refund is not lost.
func TestChargebackDuringARefund(t *testing.T) {
	w := open(t, operations)
	w.goesLive(&provider{followUp: onFollowUp(connector.Result{})}) // pending
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	if got := w.shop.refunds(id, "1.00"); got != "200 accepted" {
		t.Errorf("refund: %s", got)
	}
	w.work()
	w.reported(realBank, connector.Notice{PaymentID: id, Result: connector.Result{Outcome: connector.OutcomeChargeback}})
	w.work()
	w.shop.told("sale success settled", "refund waiting settled", "chargeback success chargeback")
}
