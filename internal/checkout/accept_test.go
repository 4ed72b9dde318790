package checkout

import (
	"strings"
	"testing"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
)

// An approval that came too late is accepted only while nothing else has taken its place.
func TestMayAccept(t *testing.T) {
	refund := func(change func(p *payment.Payment)) *payment.Payment {
		p := paid(payment.StatusSettled)
		did(p, payment.EventRefund, payment.Fail, "3.00")
		p.Contradictions().Add("refund", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
		change(p)
		return p
	}
	decline := func(status payment.Status) *payment.Payment {
		p := paid(payment.StatusDecline)
		p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
		p.Status = status
		return p
	}
	for name, test := range map[string]struct {
		p    *payment.Payment
		sess *Session
		want string
	}{
		"a decline":                    {decline(payment.StatusDecline), nil, ""},
		"a decline, session open":      {decline(payment.StatusDecline), &Session{State: SessionOpen}, ""},
		"a decline, session declined":  {decline(payment.StatusDecline), &Session{State: SessionDeclined}, ""},
		"a decline, session cancelled": {decline(payment.StatusDecline), &Session{State: SessionCancelled}, ""},
		"an authorisation": {decline(payment.StatusPending), &Session{State: SessionOpen},
			"The payment is authorised or waiting: the money can only"},
		"a decline, paid otherwise":    {decline(payment.StatusDecline), &Session{State: SessionComplete}, "has succeeded"},
		"a decline, being paid":        {decline(payment.StatusDecline), &Session{State: SessionProcessing}, "in progress"},
		"a success":                    {decline(payment.StatusSettled), nil, "The payment is paid: the money can only"},
		"a refund":                     {refund(func(*payment.Payment) {}), nil, ""},
		"a refund, session complete":   {refund(func(*payment.Payment) {}), &Session{State: SessionComplete}, ""},
		"a refund of all that is left": {refund(func(p *payment.Payment) { p.Jobs[0].Amount = usd("10.00") }), nil, ""},
		"a refund of more": {refund(func(p *payment.Payment) { p.Jobs[0].Amount = usd("10.01") }), nil,
			"Of the payment 10.00 USD is left to refund."},
		"a refund beside another": {refund(func(p *payment.Payment) {
			p.Jobs[0].Amount = usd("7.01")
			p.Jobs = append(p.Jobs, job(payment.JobRefund))
		}), nil, "Another refund is in progress."},
		"a refund beside a void": {refund(func(p *payment.Payment) { p.Jobs = append(p.Jobs, job(payment.JobVoid)) }), nil,
			"A void is in progress."},
		"a refund of an authorisation": {refund(func(p *payment.Payment) { p.Status = payment.StatusPending }), nil,
			"The payment is authorised or waiting: the case can only be closed."},
		"a refund of a disputed payment": {refund(func(p *payment.Payment) {
			if _, err := p.Disputes().Apply(connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "d"},
				paidAt); err != nil {
				t.Fatal(err)
			}
		}), nil, ""},
	} {
		why := Task{Payment: test.p, Session: test.sess}.MayAccept(&test.p.Jobs[0])
		if (why == "") != (test.want == "") || !strings.Contains(why, test.want) {
			t.Errorf("%s: %q", name, why)
		}
	}
}
