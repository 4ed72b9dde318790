package faults

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/local/simulator"
	"checkout/internal/operator"
	"checkout/internal/settings"
)

// asks sends a request, again with the same key as long as the service has a problem.
func (x *faultRun) asks(key, verb, path string, body any) (int, []byte) {
	return x.repeats(func() (int, []byte) { return x.Send(key, verb, path, body) })
}

func (x *faultRun) repeats(send func() (int, []byte)) (int, []byte) {
	for try := 1; ; try++ {
		code, text := send()
		x.repeated = try > 1
		if code < 500 && code != http.StatusConflict || try == 6 {
			return code, text
		}
		x.runUntil(x.Clock.Now().Add(3 * time.Second))
	}
}

// calls has a merchant call the API.
func (x *faultRun) calls(path string, body any) (int, []byte) {
	x.called++
	return x.asks(fmt.Sprintf("key-%d", x.called), "POST", path, body)
}

// acts has payers act at the provider.
func (x *faultRun) acts() {
	choices := []simulator.Choice{
		simulator.Approve, simulator.Approve, simulator.Approve, simulator.Decline, simulator.Expire,
	}
	for _, o := range x.sim.Operations() {
		if o.State == simulator.Waiting && o.Step != simulator.StepCode {
			x.sim.Act(o.ID, pick(x, choices))
		}
	}
}

// disputes has a payer dispute a payment at the bank.
func (x *faultRun) disputes() { x.undoes(simulator.Charge, simulator.Dispute) }

// failsRefund has a bank send the money of a refund back.
func (x *faultRun) failsRefund() { x.undoes(simulator.Refund, simulator.Fail) }

func (x *faultRun) undoes(kind simulator.Kind, choice simulator.Choice) {
	approved := slices.DeleteFunc(x.sim.Operations(), func(o simulator.Operation) bool {
		return o.Kind != kind || o.State != simulator.Approved
	})
	if len(approved) > 0 {
		x.sim.Act(pick(x, approved).ID, choice)
	}
}

// manages has a merchant capture, refund or void a payment, mostly one that allows something.
func (x *faultRun) manages() {
	payments := x.Stored(x)
	if len(payments) == 0 {
		return
	}
	allow := slices.DeleteFunc(slices.Clone(payments), func(p payment.Payment) bool {
		return p.Status != payment.StatusPending && p.Status != payment.StatusSettled
	})
	if len(allow) > 0 && x.n(4) > 0 {
		payments = allow
	}
	x.managesPayment(pick(x, payments))
}

func (x *faultRun) managesPayment(p payment.Payment) {
	kinds := []string{"capture", "refund", "refund", "void"}
	switch {
	case x.n(4) == 0:
	case p.Status == payment.StatusPending:
		kinds = []string{"capture", "capture", "capture", "void"}
	case p.Status == payment.StatusSettled:
		kinds = []string{"refund", "refund", "refund", "refund", "void"}
	}
	kind := pick(x, kinds)
	if x.n(3) == 0 { // again, while this is under way
		x.after(x.between(0, 10*time.Second), func() { x.managesPayment(p) })
	}
	amount := ""
	if kind != "void" {
		whole := p.Order.Amount.Text
		amount = pick(x, []string{"", "1.00", "3.30", "6.00", "9.99", whole, strings.TrimSuffix(whole, "00") + "01", "99.00"})
	}
	x.asksFor(p, kind, amount)
}

// crosses has a merchant ask for a void and a refund of a settled payment at the same time.
func (x *faultRun) crosses() {
	settled := slices.DeleteFunc(x.Stored(x), func(p payment.Payment) bool { return p.Status != payment.StatusSettled })
	if len(settled) == 0 {
		return
	}
	x.counts("crossed")
	p := pick(x, settled)
	asks := []func(){func() { x.asksFor(p, "void", "") }, func() { x.asksFor(p, "refund", pick(x, []string{"", "1.00"})) }}
	first := x.n(2)
	x.after(x.between(0, 2*time.Second), asks[1-first])
	asks[first]()
}

// asksFor has a merchant or an operator ask for a capture, void or refund.
func (x *faultRun) asksFor(p payment.Payment, kind, amount string) {
	var code int
	var text []byte
	if x.n(3) == 0 {
		code = x.operates(operator.FollowUp{PaymentID: p.ID, Kind: payment.JobKind(kind), Amount: amount})
	} else {
		code, text = x.calls("/api/v1/payment/"+kind, x.shopOf(p.Merchant).AmountBody(p.ID, amount))
	}
	x.notes(ask{payment: p.ID, kind: kind, amount: amount, code: code}, text)
	if (strings.HasSuffix(amount, ".01") || amount == "99.00") && code < 400 {
		x.Errorf("a %s of %s of %s was taken: %s", kind, amount, p.Order.Amount.Text, text)
	}
}

// goesOn has a merchant charge a chain again, or retry a decline.
func (x *faultRun) goesOn() {
	all := x.Stored(x)
	var can []payment.Payment
	for _, p := range all {
		if p.RecurringToken != "" && !p.Recurring && len(all) < 3*len(x.planned)+3 ||
			p.Recurring && p.Status == payment.StatusDecline {
			can = append(can, p)
		}
	}
	if len(can) == 0 {
		return
	}
	p := pick(x, can)
	if i := slices.IndexFunc(can, func(p payment.Payment) bool { return p.Recurring && p.RetriedBy == "" }); i >= 0 {
		p = can[i]
	}
	switch {
	case p.Recurring:
	case x.n(3) == 0:
		x.chargesTogether(p)
		return
	default:
		x.chargesChain(p)
		return
	}
	x.retries(p)
	if x.n(2) == 0 { // again, while this is under way or later
		x.after(x.between(0, pick(x, []time.Duration{5 * time.Second, 10 * time.Minute})), func() { x.retries(p) })
	}
}

// hardDecline is an amount that providers decline so that no other try may succeed.
const hardDecline = "9.08"

// chainAmounts are those of later payments. Providers decline some of them.
var chainAmounts = []string{"5.00", "15.00", "9.05", "9.05", hardDecline}

func (x *faultRun) chargesChain(p payment.Payment) {
	number, amount := fmt.Sprintf("later-%d", x.called), pick(x, append(chainAmounts, p.Order.Amount.Text))
	if x.n(3) == 0 { // declined now, and not when it is retried
		amount = p.Order.Amount.Text
		next := simulator.Next{Family: p.Connector, Kind: simulator.Charge, Decline: "insufficient_funds"}
		if x.called%2 == 0 { // should it be approved after all
			next.Fault = simulator.OtherAmount
		}
		x.sim.Expect(next)
		x.after(x.between(time.Minute, 3*time.Minute), x.goesOn)
		x.after(x.between(3*time.Minute, 9*time.Minute), x.reconsiders)
	}
	code, text := x.calls("/api/v1/payment/recurring",
		x.shopOf(p.Merchant).RecurringBody(p.ID, p.RecurringToken, number, amount))
	x.notes(ask{payment: p.ID, kind: "recurring", number: number, amount: amount, code: code}, text)
}

func (x *faultRun) retries(p payment.Payment) {
	code, text := x.calls("/api/v1/payment/retry", x.shopOf(p.Merchant).AmountBody(p.ID, ""))
	x.notes(ask{payment: p.ID, kind: "retry", code: code}, text)
}

// changes has an operator change something at a merchant.
func (x *faultRun) changes() {
	s := pick(x, x.shops)
	s.changed = true
	change := pick(x, []func(*settings.Merchant){
		func(m *settings.Merchant) { m.Disabled = !m.Disabled },
		func(m *settings.Merchant) { m.NotificationURL += "/new" },
		func(m *settings.Merchant) { m.CallbackJSON = new(!*m.CallbackJSON) },
		func(m *settings.Merchant) { slices.Reverse(m.Mappings[0].MIDs) },
		func(m *settings.Merchant) {
			mid := pick(x, m.Mappings[0].MIDs)
			m.Mappings[0].MIDs = []settings.MID{mid}
		},
		func(m *settings.Merchant) { m.Mappings[0].MIDs[0].Disabled = !m.Mappings[0].MIDs[0].Disabled },
		func(m *settings.Merchant) { m.Mappings[0].MIDs[0].CaptureType = settings.CaptureSMS },
		func(m *settings.Merchant) {
			m.Mappings[0].MIDs[0].Limits = []settings.Limit{{Currency: "USD", Min: "15.00"}}
		},
		nil, nil, nil, nil, // replace a key or secret
	})
	if change == nil {
		s.rotates()
		return
	}
	s.set(change)
}

// forges has somebody send a notice that an open charge was approved, signed by a secret of his own.
func (x *faultRun) forges() {
	for _, o := range x.sim.Operations() {
		if o.Family != "stripe" || o.Kind != simulator.Charge || o.NoticeURL == "" {
			continue
		}
		body := fmt.Sprintf(`{"object":"event","type":"payment_intent.succeeded","livemode":false,"data":{"object":{
			"id":%q,"object":"payment_intent","status":"succeeded","amount":1000,"amount_received":1000,"currency":"usd",
			"metadata":{"reference":%q,"payment_id":%q,"amount":"1000"}}}}`,
			o.Values["intent"], o.Reference, paymentOf(o.Reference))
		r, _ := http.NewRequest("POST", o.NoticeURL, strings.NewReader(body))
		r.Header.Set("Stripe-Signature", fmt.Sprintf("t=%d,v1=%064d", x.Clock.Now().Unix(), 0))
		_, _ = x.overAPI(r)
	}
}

// signNotice gives a notice of stripe the right signature.
func signNotice(n connector.Notification) {
	at, _, _ := strings.Cut(strings.TrimPrefix(http.Header(n.Header).Get("Stripe-Signature"), "t="), ",")
	mac := hmac.New(sha256.New, []byte(simulator.Secret))
	mac.Write([]byte(at + "."))
	mac.Write(n.Body)
	http.Header(n.Header).Set("Stripe-Signature", "t="+at+",v1="+hex.EncodeToString(mac.Sum(nil)))
}

// paymentOf is the payment that a reference belongs to.
func paymentOf(reference string) string { return reference[:min(len(reference), 36)] }
