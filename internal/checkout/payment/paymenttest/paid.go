// Package paymenttest makes payments of 10.00 USD for tests.
package paymenttest

import (
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/money"
)

// At is when payments were paid, and their requests sent.
var At = time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)

// USD returns an amount, zero for "".
func USD(text string) money.Amount {
	currency, _ := money.Find("USD")
	amount, err := money.Parse(text, currency)
	if err != nil && text != "" {
		panic(err)
	}
	return amount
}

// Paid is a payment of 10.00 with a status, which was authorised or settled unless it is declined.
func Paid(status payment.Status, jobs ...payment.Job) *payment.Payment {
	p := &payment.Payment{ID: "charge", Status: status, Amount: USD("10.00"), Jobs: jobs,
		ChargeOutcome: payment.ChargeOutcome{ChargeReference: "charge"}}
	p.Operation, p.Connector, p.Order.Currency = method.Purchase, "bank", "USD"
	end := payment.Success
	if status == payment.StatusDecline {
		end = payment.Fail
	} else if status != payment.StatusPending {
		p.Captured = p.Amount
	}
	Did(p, payment.EventSale, end, "10.00")
	p.Transactions[0].Reference = p.ChargeReference
	return p
}

// Job is a request of 3.00 that was sent and has no outcome.
func Job(kind payment.JobKind) payment.Job {
	return payment.Job{Kind: kind, Reference: string(kind), Amount: USD("3.00"), SentAt: At, Released: true,
		DueAt: At.Add(2 * time.Minute)}
}

// Did adds a request that has ended at that moment.
func Did(p *payment.Payment, kind payment.EventType, status payment.TransactionStatus, amount string) {
	p.Transactions = append(p.Transactions, payment.Transaction{Type: kind, Status: status, Amount: USD(amount),
		Reference: string(kind), Date: At})
}
