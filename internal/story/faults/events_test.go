package faults

import (
	"slices"
	"strings"

	"checkout/internal/payment"
	"checkout/internal/screen"
	"checkout/internal/story"
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
	"recurring fail": "decline", "capture fail": "pending chargeback reversal",
}

// knowsAmounts checks that each callback is about its payment's order, with a status that its event allows, and that
// the amounts of captures and refunds by callbacks are those of the payment's requests.
func (s *faultShop) knowsAmounts() {
	x := s.x
	told, then := map[string][]string{}, map[string]int{}
	payments := map[string]payment.Payment{}
	for _, p := range x.Stored(x) {
		payments[p.ID] = p
	}
	for _, got := range s.Taken() {
		f := got.Fields
		p := payments[f.Get("id")]
		id, kind, status := got.Header.Get("webhook-id"), f.Get("type"), f.Get("status")
		if f.Get("order_number") != p.Order.Number || f.Get("order_amount") != p.Order.Amount.Text ||
			f.Get("order_currency") != p.Order.Currency {
			x.Errorf("%s is about another order than its payment: %s of %s", id, f.Get("order_number"), f.Get("order_amount"))
		}
		allowed, known := eventStatuses[kind+" "+status]
		if known && !slices.Contains(strings.Fields(allowed), f.Get("order_status")) {
			x.Errorf("%s says %s %s of a payment that is %s", id, kind, status, f.Get("order_status"))
		}
		x.fieldsAgree(got, p)
		then[p.ID] = x.wasThen(got, p, then[p.ID])
		ended := status == string(payment.Success) || status == string(payment.Fail)
		if ended && (kind == "capture" || kind == "refund") {
			told[p.ID] = append(told[p.ID], kind+" "+status+" "+f.Get("transaction_amount"))
		}
	}
	for _, p := range payments {
		if p.Merchant != s.Settings().ID {
			continue
		}
		var want []string
		for _, o := range outcomesOf(p) {
			if o.status == "" || o.kind != "capture" && o.kind != "refund" {
				continue
			}
			if o.later {
				want = append(want, o.kind+" success "+o.amount.String())
			}
			want = append(want, o.kind+" "+string(o.status)+" "+o.amount.String())
		}
		slices.Sort(want)
		slices.Sort(told[p.ID])
		if !slices.Equal(want, told[p.ID]) {
			x.Errorf("of payment %s the shop was told %q, want %q", p.ID, told[p.ID], want)
		}
	}
}

// fieldsAgree checks that a callback has an amount of its own only if its event has one, and a reason if that failed.
func (x *faultRun) fieldsAgree(got story.Received, p payment.Payment) {
	f := got.Fields
	id, kind, status, amount := got.Header.Get("webhook-id"), f.Get("type"), f.Get("status"), f.Get("transaction_amount")
	if slices.ContainsFunc(p.Transactions, func(t payment.Transaction) bool { return t.Decision != nil }) {
		return // a person names amounts and reasons
	}
	disputed := kind == string(payment.EventChargeback) || kind == string(payment.EventReversal)
	switch {
	case disputed && amount != p.Captured.String():
		x.Errorf("%s is about %s of payment %s, of which %s was captured", id, amount, p.ID, p.Captured)
	case !disputed && amount != "" && kind != "capture" && kind != "refund":
		x.Errorf("%s says that a %s is of %s", id, kind, amount)
	case status == string(payment.Fail) && (f.Get("reason") == "" || f.Get("reason_code") == ""):
		x.Errorf("%s does not say why a %s has failed", id, kind)
	case status == string(payment.Success) && !disputed && f.Get("reason_code") != "":
		x.Errorf("%s says that a %s has succeeded because of %q", id, kind, f.Get("reason"))
	}
}

// wasThen checks that the payment had the status of a callback when it had made this number of moves, or later. It
// returns how many moves it had made by then.
func (x *faultRun) wasThen(got story.Received, p payment.Payment, moves int) int {
	status := payment.Status(got.Fields.Get("order_status"))
	for i := moves; i <= len(p.Moves); i++ {
		if i == 0 && status == payment.StatusPrepare || i > 0 && p.Moves[i-1].To == status {
			return i
		}
	}
	x.Errorf("%s says %s of payment %s, which it was not by then", got.Header.Get("webhook-id"), status, p.ID)
	return moves
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
