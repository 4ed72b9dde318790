package listing

import (
	"slices"
	"strings"

	"checkout/internal/checkout/payment"
	"checkout/internal/money"
)

// moved returns how much money has moved by the success of the payment's i-th transaction: from the payer, or negative
// to the payer or to a payee. It is "" if nothing has moved. It does not change when more becomes of the payment.
func moved(p *payment.Payment, i int) string {
	t, credit := p.Transactions[i], p.EventType(payment.JobCharge) == payment.EventCredit
	switch {
	case !succeeded(t):
		return ""
	case t.Type == payment.EventCapture:
		return signed(t.Amount, false)
	case t.Type == payment.EventRefund:
		return signed(t.Amount, true)
	case !captured(p, i):
		return ""
	case t.Type == p.EventType(payment.JobCharge):
		return signed(t.Amount, credit)
	case t.Type == payment.EventVoid:
		return signed(t.Amount, !credit)
	case t.Type == payment.EventChargeback || t.Type == payment.EventReversal:
		return signed(atMost(t.Amount, notRefunded(p, i)), !credit)
	}
	return ""
}

// succeeded reports whether a transaction has succeeded, also if it has failed since.
func succeeded(t payment.Transaction) bool {
	return t.Status == payment.Success || !t.SucceededAt.IsZero()
}

// captured reports whether the payment's money was moved by its i-th transaction or before: by a capture, or else by
// the charge. The order of transactions says so, and not their times: the clocks of two functions differ.
func captured(p *payment.Payment, i int) bool {
	capture := slices.IndexFunc(p.Transactions, func(t payment.Transaction) bool {
		return t.Type == payment.EventCapture && succeeded(t)
	})
	return capture < i && !p.Captured.IsZero()
}

// notRefunded returns what was captured and not refunded when the payment got its i-th transaction. It is that of which
// a dispute can be.
func notRefunded(p *payment.Payment, i int) money.Amount {
	left, at := p.Captured, p.Transactions[i].Date
	if made := p.Transactions[i].SucceededAt; !made.IsZero() {
		at = made
	}
	for _, t := range p.Transactions[:i] {
		failed := t.Status != payment.Success && !t.Date.After(at)
		if t.Type != payment.EventRefund || !succeeded(t) || failed || t.Amount.Currency() != left.Currency() {
			continue
		}
		less, err := left.Sub(t.Amount)
		if err != nil {
			return money.Zero(left.Currency())
		}
		left = less
	}
	return left
}

func atMost(a, most money.Amount) money.Amount {
	if a.Currency() == most.Currency() && a.Cmp(most) > 0 {
		return most
	}
	return a
}

func signed(a money.Amount, minus bool) string {
	switch {
	case a.IsZero():
		return ""
	case minus:
		return "-" + a.String()
	}
	return a.String()
}

// Negative returns a signed amount with the other sign.
func Negative(moved string) string {
	if positive, minus := strings.CutPrefix(moved, "-"); minus || moved == "" {
		return positive
	}
	return "-" + moved
}
