package faults

import (
	"slices"
	"strings"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/page/screen"
)

// eventStatuses are the statuses that a payment may have by a callback, by its type and status. A dispute may have come
// before what was asked for earlier. A refund or void that has failed leaves any status.
var eventStatuses = map[string]string{
	"sale success": "settled pending", "debit success": "settled", "credit success": "settled",
	"transfer success": "settled", "recurring success": "settled",
	"capture success": "settled chargeback reversal", "void success": "void chargeback reversal",
	"refund success":     "settled refund chargeback reversal",
	"chargeback success": "chargeback", "reversal success": "reversal",
	"3ds success": "3ds", "redirect success": "redirect", "init success": "pending",
	"sale fail": "decline", "debit fail": "decline", "credit fail": "decline", "transfer fail": "decline",
	"recurring fail": "decline", "capture fail": "pending void chargeback reversal",
}

// saysTrue reports whether a callback says what its payment is when both are stored, and an event that has happened to
// it.
func saysTrue(c callback.Callback, p *payment.Payment) bool {
	says := map[string]string{}
	for _, f := range c.Fields {
		says[f.Name] = f.Value
	}
	kind, status := payment.EventType(says["type"]), payment.TransactionStatus(says["status"])
	amount := says["transaction_amount"]
	statuses, known := eventStatuses[says["type"]+" "+says["status"]]
	if says["order_status"] != string(p.Status) || says["order_amount"] != p.Order.Amount.Text ||
		says["order_number"] != p.Order.Number || known && !slices.Contains(strings.Fields(statuses), says["order_status"]) {
		return false
	}
	switch {
	case slices.Contains([]payment.EventType{payment.Event3DS, payment.EventRedirect, payment.EventInit}, kind):
		return p.Action != nil && status == payment.Success && amount == ""
	case status != payment.Success && status != payment.Fail:
		return !p.Undecided() || says["reason_code"] != ""
	case status == payment.Fail && (says["reason"] == "" || says["reason_code"] == ""):
		return false
	}
	return slices.ContainsFunc(p.Transactions, func(t payment.Transaction) bool {
		moves := !slices.Contains([]payment.EventType{payment.EventVoid, p.EventType(payment.JobCharge)}, t.Type)
		return t.Type == kind && t.Status == status && (amount != "" || !moves) &&
			(amount == "" || amount == t.Amount.String())
	})
}

// payersAgree checks that the page of a session says that it is paid if one of its payments was, and only then.
func (x *faultRun) payersAgree(payments []payment.Payment) {
	paid, attempts := map[string]bool{}, map[string]int{}
	for _, p := range payments {
		paid[p.SessionID] = paid[p.SessionID] || p.Succeeded()
		attempts[p.SessionID]++
	}
	for _, o := range x.opened {
		if o.session == "" {
			continue
		}
		s := o.page()
		if s == nil {
			x.Errorf("order %s has no page", o.number)
			continue
		}
		says := s.Payment != nil || s.Message != nil && s.Message.Text == screen.TextPaid ||
			s.Go != nil && strings.Contains(s.Go.URL, "success")
		if says != paid[o.session] {
			x.Errorf("the page of order %s says paid: %t, and it is %t: %+v", o.number, says, paid[o.session], s)
		}
	}
}
