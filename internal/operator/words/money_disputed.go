package words

import (
	"fmt"

	"checkout/internal/checkout/payment"
	"checkout/internal/money"
)

// disputed says what a bank or provider has returned.
func (m moneyWords) disputed() {
	means, tell := "The payer's bank took %s back", "Your bank has returned "
	if m.p.Status == payment.StatusReversal {
		means, tell = "The provider returned %s to the payer", "The payment did not go through in the end: the provider "+
			"has returned "
	}
	if m.Returned.IsZero() {
		return // stored by an earlier release
	}
	taken := minusRefunds(m.Returned, m.Refunded)
	m.Means = fmt.Sprintf(means, amount(taken)) + m.lastReturn() + "."
	m.Tell = tell + amount(taken) + " to you. " + bankIsSlow
	if m.p.Status == payment.StatusChargeback {
		m.Next = "The merchant contests the chargeback at the provider, or accepts it."
	}
	if !m.Refunded.IsZero() {
		m.Means += " Another " + amount(m.Refunded) + " was refunded by the merchant."
		m.Tell += " The shop had refunded " + amount(m.Refunded) + " before."
	}
	if !m.Net.IsZero() {
		m.Means += " " + amount(m.Net) + " of the " + amount(m.Arrived) + " that was paid is kept."
	}
}

// minusRefunds returns what was returned otherwise than by refunds.
func minusRefunds(returned, refunded money.Amount) money.Amount {
	left, err := returned.Sub(refunded)
	if err != nil {
		return returned
	}
	return left
}
