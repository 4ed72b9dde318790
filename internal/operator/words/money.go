package words

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/sums"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Money is what became of a payment's money. The amounts are of its currency.
type Money struct {
	Direction string         `json:"direction"` // in, or out for a payout: the merchant's money
	Currency  string         `json:"currency"`
	Asked     string         `json:"asked,omitempty"` // "" until the payer has entered it
	Arrived   string         `json:"arrived"`
	Returned  string         `json:"returned"`
	Net       string         `json:"kept"` // what arrived and was not returned
	Refunded  string         `json:"refunded,omitempty"`
	Reserved  string         `json:"reserved,omitempty"`
	Returning string         `json:"returning,omitempty"`
	Received  *MoneyReceived `json:"received,omitempty"`
}

// MoneyReceived is what arrived in another place, such as at the address of a coin, and in its own currency.
type MoneyReceived struct {
	Currency string `json:"currency"`
	Due      string `json:"due,omitempty"` // "" if the payer might pay any amount
	Arrived  string `json:"arrived"`
	Counts   bool   `json:"counts"` // the payment has succeeded by it
	// What became of that which does not count: it waits for a person, was returned, or its case was closed.
	Waiting  string `json:"waiting,omitempty"`
	Returned string `json:"returned,omitempty"`
	Closed   string `json:"closed,omitempty"`
}

// The directions of money.
const (
	moneyIn  = "in"
	moneyOut = "out"
)

// MoneyOf returns what became of a payment's money, nil for a nil p.
func MoneyOf(p *payment.Payment) *Money {
	if p == nil {
		return nil
	}
	s := sums.Of(p)
	m := &Money{
		Direction: moneyIn, Currency: p.Order.Currency, Asked: known(s.Asked), Arrived: s.Arrived.String(),
		Returned: s.Returned.String(), Net: s.Net.String(), Refunded: known(s.Refunded), Reserved: known(s.Reserved),
		Returning: known(s.Returning),
	}
	if s.PaysOut {
		m.Direction = moneyOut
	}
	if r := s.Received; r != nil {
		m.Received = &MoneyReceived{
			Currency: r.Arrived.Currency().Code, Due: known(r.Due), Arrived: r.Arrived.String(), Counts: r.Counts,
			Waiting: coinsText(r.Waiting), Returned: coinsText(r.Returned), Closed: coinsText(r.Closed),
		}
	}
	return m
}

// coinsText returns the amount of coins, "" for none.
func coinsText(c *money.Coins) string {
	if c == nil {
		return ""
	}
	return c.Amount
}

// ofMoney says what became of the money, and what the payer can be told of it.
func (s *Summary) ofMoney(p *payment.Payment, sums sums.Sums) {
	m := moneyWords{p: p, Sums: sums, Summary: s}
	switch {
	case sums.PaysOut:
		m.payout()
	case p.Status == payment.StatusDecline:
		m.declined()
	case p.Status == payment.StatusPending && !p.Undecided():
		m.reserved()
	case p.Status == payment.StatusSettled:
		m.paid()
	case p.Status == payment.StatusRefund:
		m.Means = "All of the " + amount(sums.Arrived) + " that was paid was refunded" + m.lastReturn() + "."
		m.Tell = "Your " + amount(sums.Arrived) + " was refunded" + m.lastReturn() + ". " + bankIsSlow
	case p.Status == payment.StatusVoid && !sums.Returned.IsZero():
		m.Means = "The payment was cancelled, and its " + amount(sums.Returned) + " went back to the payer" + m.lastReturn() +
			"."
		m.Tell = "The payment was cancelled, and your " + amount(sums.Returned) + " was returned. " + bankIsSlow
	case p.Disputed():
		m.disputed()
	}
}

// moneyWords makes a summary of sums.
type moneyWords struct {
	p *payment.Payment
	sums.Sums
	*Summary
}

// lastReturn returns when money last went back, "" if it is not known.
func (m moneyWords) lastReturn() string {
	var last time.Time
	for _, t := range m.p.Transactions {
		switch t.Type {
		case payment.EventRefund, payment.EventVoid, payment.EventGiveBack, payment.EventChargeback, payment.EventReversal:
			if t.Status == payment.Success && t.Date.After(last) {
				last = t.Date
			}
		}
	}
	if last.IsZero() {
		return ""
	}
	return " on " + Clock(last)
}

// payout says what became of the merchant's money.
func (m moneyWords) payout() {
	switch {
	case m.p.Status == payment.StatusDecline:
		m.Means = "The payout was declined. No money has left the merchant."
		m.Tell = "The payout was declined. Please ask the shop how you get your money."
		m.Next = "The merchant pays the payee in another way."
	case !m.Returned.IsZero() && m.Net.IsZero():
		m.Means = "The payout of " + amount(m.Arrived) + " was made, and the money came back to the merchant" +
			m.lastReturn() + "."
		m.Tell = "The payout did not reach you: the money went back to the shop. Please ask the shop."
	case !m.Net.IsZero():
		m.Means = amount(m.Net) + " was paid out."
		m.Tell = "A payout of " + amount(m.Net) + " was made to you. " + bankIsSlow
	}
}

// declined says whether money was taken all the same.
func (m moneyWords) declined() {
	words := reasonWords(m.p.ReasonCode)
	m.Tell, m.Retry = words.Tell+" Nothing was charged.", words.Retry
	closed := m.closed()
	switch {
	case m.Received != nil && m.Received.Waiting == nil && cmp.Or(m.Received.Returned, m.Received.Closed) != nil:
		m.receivedEnded()
	case m.Received != nil && m.Refunded.IsZero():
		m.received()
	case !m.Returned.IsZero() && m.Net.IsZero():
		m.Means = "The payment was declined, but the provider took " + amount(m.Arrived) + ". All of it was given back" +
			m.lastReturn() + "."
		m.Tell = "The payment was declined. The " + amount(m.Returned) + " that was taken was returned" + m.lastReturn() +
			". " + bankIsSlow
		m.Retry = ""
	case !m.Arrived.IsZero():
		m.Means = "The payment was declined, but " + amount(m.Arrived) + " arrived. " + amount(m.Returned) +
			" of it was given back."
		m.Tell = "The payment was declined. Of the " + amount(m.Arrived) + " that arrived, " + amount(m.Returned) +
			" was returned. The shop decides about the rest."
		m.Turn, m.Next, m.Retry = turnOperator, "A person decides about the rest.", ""
	case closed != nil:
		m.Means = "The payment was declined. Later the provider reported that it was approved, and " + closed.By +
			" closed the case: " + Sentence(closed.Reason)
		m.Tell = "The payment was declined. If your bank shows that the money was taken, please ask the shop."
		m.Retry = ""
	default:
		m.Means = "The payment was declined. No money was taken."
	}
}

// closed returns the act by which a person has closed a report of an approval, nil if there is none.
func (m moneyWords) closed() *payment.Act {
	for i := range m.p.Acts {
		if a := &m.p.Acts[i]; a.Do == payment.VerdictClose {
			return a
		}
	}
	return nil
}

// received says that money arrived too late, or too little of it, and was not returned.
func (m moneyWords) received() {
	arrived, due := amount(m.Received.Arrived), amount(m.Received.Due)
	m.Turn, m.Retry = turnOperator, ""
	m.Next = "A person decides what becomes of the money: it counts as the payment, or it is returned."
	const decides = " It is being decided whether the money is accepted or returned. Please don't pay again before that."
	switch {
	case m.p.ReasonCode == reason.PaidTooLate:
		m.Means = arrived + " has arrived, after the time to pay was over. The payment counts as declined, and the money " +
			"was not returned."
		m.Tell = "Your " + arrived + " arrived after the time to pay was over." + decides
	case m.Received.Due.IsZero():
		m.Means = arrived + " has arrived. The payment counts as declined, and the money was not returned."
		m.Tell = "Your " + arrived + " has arrived, and the payment was declined." + decides
	default:
		m.Means = "Only " + arrived + " of " + due + " has arrived. The payment counts as declined, and the money was not " +
			"returned."
		m.Tell = "Your " + arrived + " has arrived, and " + due + " was due." + decides
	}
}

// receivedEnded says what a person has decided of money that arrived too late, or of which too little did.
func (m moneyWords) receivedEnded() {
	m.Retry = ""
	m.Means = amount(m.Received.Arrived) + " arrived for the payment, which counts as declined."
	m.Tell = "Your " + amount(m.Received.Arrived) + " did not count as the payment."
	if back := m.Received.Returned; back != nil {
		m.Means += " " + back.Text() + " was returned" + m.lastReturn() + "."
		m.Tell += " " + back.Text() + " was returned" + m.lastReturn() + "."
	}
	closed := m.closed()
	if m.Received.Closed == nil || closed == nil {
		return
	}
	m.Means += " " + closed.By + " closed the case of " + m.Received.Closed.Text() + ": " + Sentence(closed.Reason)
	m.Tell += " Please ask the shop about " + m.Received.Closed.Text() + "."
}

func (m moneyWords) has(job func(payment.Job) bool) bool { return slices.ContainsFunc(m.p.Jobs, job) }

// reserved says what an authorisation is.
func (m moneyWords) reserved() {
	if m.has(func(j payment.Job) bool { return j.Kind == payment.JobCapture && !j.SentAt.IsZero() }) {
		m.Means = amount(m.Reserved) + " was reserved on the payer's account."
		m.Tell = "The " + amount(m.Reserved) + " is reserved. The shop has asked to charge it, and it is not known yet " +
			"whether that has succeeded. Please don't pay again."
		return
	}
	m.Means = amount(m.Reserved) + " is reserved on the payer's account and not captured yet."
	m.Turn, m.Next = turnMerchant, "The merchant captures or voids it."
	m.Tell = "The " + amount(m.Reserved) + " is reserved, not charged. The shop charges it, for instance when it ships, " +
		"or releases it."
}

// paid says what was paid, and what of it was returned.
func (m moneyWords) paid() {
	if m.Arrived.IsZero() {
		return // stored by an earlier release
	}
	means, tell := amount(m.Arrived)+" was paid", "Your payment of "+amount(m.Arrived)+" has succeeded"
	if m.p.Recurring {
		means, tell = amount(m.Arrived)+" was charged again, without the payer", "Your recurring payment of "+
			amount(m.Arrived)+" has succeeded"
	}
	if m.Arrived.Currency() == m.Asked.Currency() && m.Arrived.Cmp(m.Asked) < 0 {
		means += ", of " + amount(m.Asked) + " that was authorised"
		if rest, err := m.Asked.Sub(m.Arrived); err == nil && m.Reserved.IsZero() && m.Received == nil {
			tell += ". Your bank releases the other " + amount(rest) + " that was reserved"
		}
	}
	if !m.Returned.IsZero() {
		what := "refunded"
		if m.Refunded.IsZero() {
			what = "returned"
		}
		means += ". " + amount(m.Returned) + " of it was " + what + m.lastReturn() + ", and " + amount(m.Net) + " is kept"
		tell += ", and " + amount(m.Returned) + " of it was " + what + m.lastReturn() + ". " +
			strings.TrimSuffix(bankIsSlow, ".")
	}
	if !m.Returning.IsZero() {
		means += ". " + amount(m.Returning) + " is being refunded"
		stands := "that has not succeeded yet"
		if m.has(func(j payment.Job) bool { return j.Kind == payment.JobRefund && !j.UnknownSince.IsZero() }) {
			stands = "it is not known yet whether that has succeeded"
		}
		tell += ". " + amount(m.Returning) + " is being refunded, and " + stands
	}
	if r := m.Received; r != nil && !r.Due.IsZero() && r.Arrived.Cmp(r.Due) > 0 {
		means += ". More arrived than was due: " + amount(r.Arrived) + ", and " + amount(r.Due) + " was due"
		if r.Waiting == nil {
			tell += ". More arrived than was due; please ask the shop about the rest"
		}
	}
	if won := m.p.Transactions.Count(payment.EventChargeback, payment.Fail); won > 0 {
		means += ". The dispute was won: the money is the merchant's"
	}
	m.Means, m.Tell = means+".", tell+"."
}
