package listing

import (
	"slices"
	"strings"
	"time"

	"checkout/internal/money"
	"checkout/internal/payment"
)

// moved returns how much money has moved by the success of a transaction: from the payer, or negative to the payer or
// to a payee. It is "" if nothing has moved. It does not change when more becomes of the payment.
func moved(p *payment.Payment, t payment.Transaction) string {
	at := t.SucceededAt
	switch {
	case at.IsZero() && t.Status != payment.Success:
		return ""
	case at.IsZero():
		at = t.Date
	}
	captured := slices.ContainsFunc(p.Moves, func(m payment.StatusMove) bool {
		return m.To == payment.StatusSettled && !m.At.After(at)
	})
	credit := p.EventType(payment.JobCharge) == payment.EventCredit
	switch {
	case t.Type == payment.EventCapture:
		return signed(t.Amount, false)
	case t.Type == payment.EventRefund:
		return signed(t.Amount, true)
	case !captured:
		return ""
	case t.Type == p.EventType(payment.JobCharge):
		return signed(t.Amount, credit)
	case t.Type == payment.EventVoid:
		return signed(t.Amount, !credit)
	case t.Type == payment.EventChargeback || t.Type == payment.EventReversal:
		return signed(atMost(t.Amount, notRefunded(p, at)), !credit)
	}
	return ""
}

// notRefunded returns what was captured and not refunded at a time. It is that of which a dispute can be.
func notRefunded(p *payment.Payment, at time.Time) money.Amount {
	left := p.Captured
	for _, t := range p.Transactions {
		made := t.Date
		if !t.SucceededAt.IsZero() {
			made = t.SucceededAt
		}
		failed := t.Status != payment.Success && (t.SucceededAt.IsZero() || !t.Date.After(at))
		if t.Type != payment.EventRefund || failed || made.After(at) || t.Amount.Currency() != left.Currency() {
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
