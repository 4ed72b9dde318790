package payment

import (
	"fmt"

	"checkout/internal/money"
)

// Refundable returns the captured amount minus all refunds, also those whose outcome is not known yet. It is zero if
// those exceed it because the provider has made others by itself.
func (p *Payment) Refundable() (money.Amount, error) {
	left, err := p.notRefunded()
	if err != nil {
		return left, err
	}
	for _, job := range p.Jobs {
		if job.Kind != JobRefund {
			continue
		}
		less, err := p.withoutRefund(left, job.Amount)
		switch {
		case err == nil:
			left = less
		case p.Transactions.refundedElsewhere():
			return money.Zero(left.Currency()), nil
		default:
			return left, err
		}
	}
	return left, nil
}

// notRefunded returns the captured amount minus all refunds that were made.
func (p *Payment) notRefunded() (money.Amount, error) {
	left := p.Captured
	if left.IsZero() {
		return left, fmt.Errorf("nothing of payment %s was captured", p.ID)
	}
	for _, t := range p.Transactions {
		if t.Type != EventRefund || t.Status != Success {
			continue
		}
		var err error
		if left, err = p.withoutRefund(left, t.Amount); err != nil {
			return left, err
		}
	}
	return left, nil
}

// withoutRefund returns what is left of an amount after a refund.
func (p *Payment) withoutRefund(left, refund money.Amount) (money.Amount, error) {
	if refund.Currency() != left.Currency() {
		return left, fmt.Errorf("a refund of payment %s has another currency", p.ID)
	}
	less, err := left.Sub(refund)
	if err != nil {
		return left, fmt.Errorf("refunds of payment %s: %w", p.ID, err)
	}
	return less, nil
}

// Refunds counts all refunds of the payment, failed ones too.
func (p *Payment) Refunds() int {
	n := 0
	for _, t := range p.Transactions {
		if t.Type == EventRefund {
			n++
		}
	}
	for _, j := range p.Jobs {
		if j.Kind == JobRefund {
			n++
		}
	}
	return n
}
