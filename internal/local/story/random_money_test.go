package story

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/settings"
)

// A merchant, payers, the provider and functions that die do anything with one order, in any order. Captures never
// exceed the authorised amount and refunds never the captured one, at most one payment of the session succeeds, and in
// the end the provider's ledger, the payments and the callbacks agree.
func TestMoneyInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.SampledFrom([]string{"", "", "declines softly"}).Draw(t, "first MID")
		w := open(t, operations, func(m *settings.Merchant) {
			mids := m.Mappings[0].MIDs
			mids[0].Credentials = map[string]string{"sandbox": first}
			second := mids[0]
			second.Name, second.Credentials = "mid-2", nil
			m.Mappings[0].MIDs = append(mids, second)
		})
		r := &random{World: w, statuses: map[string]payment.Status{}}
		r.visit = w.shop.visits("pen-1", with("auth", rapid.Bool().Draw(t, "auth")),
			with("recurring_init", rapid.Bool().Draw(t, "recurring_init")))
		r.form = r.visit.screen()
		m := &randomMoney{random: r}
		t.Repeat(map[string]func(*rapid.T){
			"":        m.invariants,
			"pay":     m.pay,
			"capture": func(t *rapid.T) { m.followUp(t, "capture") },
			"refund":  func(t *rapid.T) { m.followUp(t, "refund") },
			"refunds": m.refundsAtOnce,
			"void":    func(t *rapid.T) { m.followUp(t, "void") },
			"again":   m.again,
			"later":   m.later,
			"retry":   m.retry,
			"bank":    m.atBank,
			"notice":  m.notice,
			"message": m.message,
			"work":    func(t *rapid.T) { r.troubled(t, w.work) },
			"sweep":   func(t *rapid.T) { r.troubled(t, func() { _ = w.app.Sweeper.Sweep(context.Background()) }) },
			"time":    func(t *rapid.T) { w.skip(rapid.SampledFrom(waits).Draw(t, "wait")) },
			"shop":    func(t *rapid.T) { w.shop.responds(rapid.SampledFrom([]int{200, 500}).Draw(t, "response")) },
		})
		w.shop.responds(200)
		w.pass(10 * time.Hour)
		m.noticesAgain(t)
		w.pass(50 * time.Hour)
		m.invariants(t)
		m.ledgerAgrees(t)
		m.shopKnowsAll(t)
	})
}

// moneyCards are expiry dates for various outcomes of charges, captures, voids and refunds.
var moneyCards = []string{
	"01/38", "01/38", "02/38", "03/38", "05/38", "12/38", "01/39", "03/39", "04/39", "06/39",
	"01/40", "02/40", "03/40", "04/40", "05/40", "06/40", "07/40", "08/40", "09/40", "01/41", "02/41",
}

// randomMoney is an order with random operations on its money.
type randomMoney struct {
	*random
	calls  []moneyCall // those with an Idempotency-Key
	orders int         // number of recurring payments
}

// moneyCall is a call that can be sent again.
type moneyCall struct {
	key, path string
	body      map[string]any
	response  string // the first one with HTTP 200, "" if there was none
}

func (m *randomMoney) pay(t *rapid.T) {
	if len(m.clicks) == 6 {
		return
	}
	click := m.visit.Fill(m.form, paymentCard(t, rapid.SampledFrom(moneyCards).Draw(t, "card")))
	m.clicks = append(m.clicks, click)
	m.post(t, "/pay", click)
}

// any returns one of the order's payments or of its recurring payments.
func (m *randomMoney) any(t *rapid.T) (payment.Payment, bool) {
	payments := m.Stored(t)
	if len(payments) == 0 {
		return payment.Payment{}, false
	}
	return rapid.SampledFrom(payments).Draw(t, "payment"), true
}

func (m *randomMoney) followUp(t *rapid.T, kind string) {
	p, ok := m.any(t)
	if !ok {
		return
	}
	amount := ""
	if kind != "void" {
		amount = rapid.SampledFrom([]string{"", "0.01", "1.00", "3.33", "9.99", "10.00", "10.01"}).Draw(t, "amount")
	}
	call := moneyCall{path: "/api/v1/payment/" + kind, body: m.shop.AmountBody(p.ID, amount)}
	if rapid.Bool().Draw(t, "with a key") {
		call.key = fmt.Sprintf("key-%d", len(m.calls))
	}
	m.make(t, &call)
	if call.key != "" {
		m.calls = append(m.calls, call)
	}
}

// make sends a call. The first response with HTTP 200 to a call with an Idempotency-Key has to be that of every repeat.
func (m *randomMoney) make(t *rapid.T, call *moneyCall) {
	m.troubled(t, func() {
		if call.key == "" {
			m.call("POST", call.path, call.body)
			return
		}
		code, text := m.postWithKey(call.key, call.path, call.body)
		switch {
		case code != 200:
		case call.response == "":
			call.response = text
		case call.response != text && !strings.Contains(call.response, "WAITING"):
			t.Errorf("%s with %s: first %s, then %s", call.path, call.key, call.response, text)
		}
	})
}

func (m *randomMoney) again(t *rapid.T) {
	if len(m.calls) > 0 {
		m.make(t, &m.calls[rapid.IntRange(0, len(m.calls)-1).Draw(t, "call")])
	}
}

func (m *randomMoney) refundsAtOnce(t *rapid.T) {
	if p, ok := m.any(t); ok {
		body := m.shop.AmountBody(p.ID, "4.00")
		m.atOnce(4, func(int) { m.call("POST", "/api/v1/payment/refund", body) })
	}
}

// later requests a recurring payment, if there is a token.
func (m *randomMoney) later(t *rapid.T) {
	p, ok := m.any(t)
	if !ok || p.RecurringToken == "" || m.orders == 3 {
		return
	}
	m.orders++
	body := m.shop.RecurringBody(p.Chain, p.RecurringToken, fmt.Sprintf("later-%d", m.orders), "10.00")
	call := moneyCall{path: "/api/v1/payment/recurring", body: body}
	m.make(t, &call)
}

func (m *randomMoney) retry(t *rapid.T) {
	if p, ok := m.any(t); ok {
		call := moneyCall{path: "/api/v1/payment/retry", body: m.shop.AmountBody(p.ID, "")}
		m.make(t, &call)
	}
}

// atBank presses a button on the sandbox's page of any payment.
func (m *randomMoney) atBank(t *rapid.T) {
	if p, ok := m.any(t); ok {
		button := rapid.SampledFrom([]string{"confirm", "confirm", "refuse", "chargeback", "reverse"}).Draw(t, "button")
		reference := p.ChargeReference
		if reference == "" {
			reference = p.ID
		}
		m.troubled(t, func() { m.press(reference, button) })
	}
}

func (m *randomMoney) notice(t *rapid.T) {
	if p, ok := m.any(t); ok {
		notices := []map[string]string{{"reference": p.ID}, {"reference": p.ID, "event": "taken back"}}
		for _, transaction := range p.Transactions {
			kind := kindOf(string(transaction.Type))
			notices = append(notices, map[string]string{"reference": transaction.Reference, "kind": kind})
		}
		for _, job := range p.Jobs {
			notices = append(notices, map[string]string{"reference": job.Reference, "kind": string(job.Kind)})
		}
		notice := rapid.SampledFrom(notices).Draw(t, "notice")
		m.troubled(t, func() { m.call("POST", "/api/v1/notify/sandbox", notice) })
	}
}

// kindOf returns the kind of the job that a transaction belongs to.
func kindOf(transaction string) string {
	if transaction == "sale" || transaction == "recurring" {
		return "charge"
	}
	return transaction
}

// noticesAgain sends all notices again, as a provider does whose notices failed.
func (m *randomMoney) noticesAgain(t *rapid.T) {
	for _, p := range m.Stored(t) {
		for _, event := range []string{"", "taken back"} {
			notice := map[string]string{"reference": p.ChargeReference, "event": event}
			code, text := m.call("POST", "/api/v1/notify/sandbox", notice)
			// The sandbox doesn't know a payment that was declined before any request was sent.
			if code != 200 && code != 404 {
				t.Errorf("a notice is not taken: %d %s", code, text)
			}
		}
	}
}

func (m *randomMoney) message(t *rapid.T) {
	p, ok := m.any(t)
	if !ok {
		return
	}
	message := payment.JobMessage{PaymentID: p.ID}
	if len(p.Jobs) > 0 && rapid.Bool().Draw(t, "one job") {
		message.Reference = rapid.SampledFrom(p.Jobs).Draw(t, "job").Reference
	}
	m.troubled(t, func() { _ = m.app.Runner.RunJob(context.Background(), message) })
}

// press presses a button on the sandbox's page.
func (w *World) press(reference, button string) {
	w.atSandbox(reference, url.Values{"action": {button}})
}

// payAtSandbox pays a crypto payment on the sandbox's page.
func (w *World) payAtSandbox(reference, amount string) {
	w.atSandbox(reference, url.Values{"action": {"pay"}, "amount": {amount}})
}

func (w *World) atSandbox(reference string, form url.Values) {
	response, err := w.server.Client().PostForm(w.server.URL+"/sandbox/"+reference, form)
	if err == nil {
		response.Body.Close()
	}
}

// mayFollow is the table of protocol.md, Statuses and moves, with the statuses that several moves lead to.
var mayFollow = map[payment.Status]string{
	payment.StatusPrepare:  "prepare 3ds redirect pending settled refund void chargeback reversal decline",
	payment.Status3DS:      "3ds pending settled refund void chargeback reversal decline",
	payment.StatusRedirect: "redirect pending settled refund void chargeback reversal decline",
	payment.StatusPending:  "pending settled refund void chargeback reversal decline",
	payment.StatusSettled:  "settled refund void chargeback reversal",
}

// invariants checks what is always true. Between two checks a payment may make more than one move.
func (m *randomMoney) invariants(t *rapid.T) {
	m.skip(time.Millisecond) // so that ids are in order
	succeeded := 0
	for _, p := range m.Stored(t) {
		m.moved(t, p, mayFollow)
		if p.SessionID != "" && Decided(p) && p.Status != payment.StatusDecline {
			succeeded++
		}
		refundedSum := Refunded(t, p)
		for _, job := range p.Jobs {
			if job.Kind == payment.JobRefund {
				refundedSum = plus(t, refundedSum, job.Amount.String())
			}
		}
		captured := Cents(t, p.Captured.String())
		if captured.Cmp(Cents(t, p.Amount.String())) > 0 || refundedSum.Cmp(captured) > 0 {
			t.Errorf("payment %s: authorised %s, captured %s, refunded %s", p.ID, p.Amount, p.Captured, refundedSum)
		}
	}
	if succeeded > 1 {
		t.Errorf("%d payments of one session succeeded", succeeded)
	}
}

// approvedCharges returns the charges that the sandbox approved, by payment. A payment has at most one.
func (m *randomMoney) approvedCharges(t *rapid.T) map[string]ledgerEntry {
	approved := map[string]ledgerEntry{}
	for _, c := range m.charges() {
		if c.Charges > 1 {
			t.Errorf("%s was charged %d times", c.Reference, c.Charges)
		}
		if c.Outcome != connector.OutcomeApproved {
			continue
		}
		if other, twice := approved[c.PaymentID]; twice {
			t.Errorf("payment %s was approved as %s and as %s", c.PaymentID, other.Reference, c.Reference)
		}
		approved[c.PaymentID] = c
	}
	return approved
}

// ledgerAgrees checks that in the end the provider and the service have the same amounts and status of every payment.
func (m *randomMoney) ledgerAgrees(t *rapid.T) {
	ledger := m.approvedCharges(t)
	for _, p := range m.Stored(t) {
		if len(p.Jobs) > 0 {
			t.Errorf("payment %s still has the jobs %+v", p.ID, p.Jobs)
		}
		c, approved := ledger[p.ID]
		if approved == (p.Status == payment.StatusDecline) || !Decided(p) {
			t.Errorf("payment %s is %s, the ledger says %+v", p.ID, p.Status, c)
		}
		if !approved {
			continue
		}
		refundedSum := Refunded(t, p)
		disputed := map[payment.Status]connector.Outcome{
			payment.StatusChargeback: connector.OutcomeChargeback,
			payment.StatusReversal:   connector.OutcomeReversal,
		}
		if c.Reference != p.ChargeReference ||
			Cents(t, c.Authorised.String()) != Cents(t, p.Amount.String()) ||
			Cents(t, c.Captured.String()) != Cents(t, p.Captured.String()) ||
			Cents(t, c.Refunded.String()) != refundedSum ||
			c.Voided != (p.Status == payment.StatusVoid) ||
			c.Disputed != disputed[p.Status] {
			t.Errorf("payment %s is %s, %s of %s captured, %s refunded; the ledger says %+v",
				p.ID, p.Status, p.Captured, p.Amount, refundedSum, c)
		}
	}
}
