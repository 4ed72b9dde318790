package sums_test

import (
	"testing"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/checkout/payment/sums"
	"checkout/internal/connector"
	"checkout/internal/method"
)

func sumsText(s sums.Sums) string {
	text := "asked " + s.Asked.String() + " arrived " + s.Arrived.String() + " returned " + s.Returned.String() +
		" kept " + s.Net.String()
	for _, x := range []struct {
		name string
		is   bool
		text string
	}{
		{"reserved", !s.Reserved.IsZero(), s.Reserved.String()},
		{"returning", !s.Returning.IsZero(), s.Returning.String()},
		{"refunded", !s.Refunded.IsZero(), s.Refunded.String()},
	} {
		if x.is {
			text += " " + x.name + " " + x.text
		}
	}
	if s.PaysOut {
		text += " out"
	}
	if r := s.Received; r != nil {
		text += " received " + connector.WithCurrency(r.Arrived)
	}
	return text
}

// What arrived, came back and is kept, by what has happened to a payment of 10.00.
func TestSums(t *testing.T) {
	paid, did, job, usd := paymenttest.Paid, paymenttest.Did, paymenttest.Job, paymenttest.USD
	const settled, success = payment.StatusSettled, payment.Success
	contradicted := func(authorised bool) *payment.Payment {
		p := paid(payment.StatusDecline)
		result := connector.Result{Outcome: connector.OutcomeApproved, Authorised: authorised}
		p.Contradictions().Add("charge", result, paymenttest.At)
		return p
	}
	for _, test := range []struct {
		name string
		p    *payment.Payment
		make func(p *payment.Payment)
		want string
	}{
		{"declined", paid(payment.StatusDecline), nil, "asked 10.00 arrived 0.00 returned 0.00 kept 0.00"},
		{"authorised", paid(payment.StatusPending), nil,
			"asked 10.00 arrived 0.00 returned 0.00 kept 0.00 reserved 10.00"},
		{"authorised, then voided", paid(payment.StatusVoid), func(p *payment.Payment) {
			p.Captured = usd("")
			did(p, payment.EventVoid, success, "10.00")
		}, "asked 10.00 arrived 0.00 returned 0.00 kept 0.00"},
		{"paid, then voided", paid(payment.StatusVoid), func(p *payment.Payment) {
			did(p, payment.EventVoid, success, "10.00")
		}, "asked 10.00 arrived 10.00 returned 10.00 kept 0.00"},
		{"captured in part", paid(settled), func(p *payment.Payment) { p.Captured = usd("7.00") },
			"asked 10.00 arrived 7.00 returned 0.00 kept 7.00"},
		{"refunds of each outcome", paid(settled, job(payment.JobRefund)), func(p *payment.Payment) {
			did(p, payment.EventRefund, success, "4.00")
			did(p, payment.EventRefund, payment.Fail, "1.00")
		}, "asked 10.00 arrived 10.00 returned 4.00 kept 6.00 returning 3.00 refunded 4.00"},
		{"charged back after a refund", paid(payment.StatusChargeback), func(p *payment.Payment) {
			did(p, payment.EventChargeback, success, "10.00")
			did(p, payment.EventRefund, success, "4.00")
		}, "asked 10.00 arrived 10.00 returned 10.00 kept 0.00 refunded 4.00"},
		{"a dispute that was won", paid(settled), func(p *payment.Payment) {
			did(p, payment.EventChargeback, payment.Fail, "10.00")
		}, "asked 10.00 arrived 10.00 returned 0.00 kept 10.00"},
		{"approved after the decline", contradicted(false), nil, "asked 10.00 arrived 10.00 returned 0.00 kept 10.00"},
		{"authorised after the decline", contradicted(true), nil,
			"asked 10.00 arrived 0.00 returned 0.00 kept 0.00 reserved 10.00"},
		{"being given back", contradicted(false), func(p *payment.Payment) {
			p.Jobs[0].GiveBack("back", "", paymenttest.At)
		}, "asked 10.00 arrived 10.00 returned 0.00 kept 10.00 returning 10.00"},
		{"given back", contradicted(false), func(p *payment.Payment) {
			p.Jobs = nil
			did(p, payment.EventGiveBack, success, "10.00")
			p.Transactions[len(p.Transactions)-1].About = "charge"
		}, "asked 10.00 arrived 10.00 returned 10.00 kept 0.00 refunded 10.00"},
		{"an authorisation that was given back", contradicted(true), func(p *payment.Payment) {
			p.Jobs = nil
			did(p, payment.EventGiveBack, success, "10.00")
			p.Transactions[len(p.Transactions)-1].About = "charge"
		}, "asked 10.00 arrived 0.00 returned 0.00 kept 0.00"},
		{"closed", contradicted(false), func(p *payment.Payment) { p.Jobs = nil },
			"asked 10.00 arrived 0.00 returned 0.00 kept 0.00"},
		{"coins too late", paid(payment.StatusDecline), func(p *payment.Payment) {
			p.Received = &connector.Received{Currency: "USDT", Amount: "20", Due: "10"}
		}, "asked 10.00 arrived 0.00 returned 0.00 kept 0.00 received 20.000000 USDT"},
		{"too little of the payment's currency", paid(payment.StatusDecline), func(p *payment.Payment) {
			p.Received = &connector.Received{Currency: "USD", Amount: "4", Due: "10"}
		}, "asked 10.00 arrived 4.00 returned 0.00 kept 4.00 received 4.00 USD"},
		{"paid out, and returned", paid(payment.StatusReversal), func(p *payment.Payment) {
			p.Operation = method.Credit
			did(p, payment.EventReversal, success, "10.00")
		}, "asked 10.00 arrived 10.00 returned 10.00 kept 0.00 out"},
	} {
		if test.make != nil {
			test.make(test.p)
		}
		if got := sumsText(sums.Of(test.p)); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}
