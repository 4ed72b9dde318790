package payment

import (
	"errors"
	"fmt"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/request"
)

// Amounts reads from a payment what was paid, captured and refunded, and what is left.
type Amounts struct{ p *Payment }

// Amounts returns the reader of the payment's amounts.
func (p *Payment) Amounts() Amounts { return Amounts{p} }

// Refundable returns the captured amount minus all refunds, also those whose outcome is not known yet. It is zero if
// those exceed it because the provider has made others by itself.
func (a Amounts) Refundable() (money.Amount, error) {
	left, err := a.notRefunded()
	if err != nil {
		return left, err
	}
	for _, job := range a.p.Jobs {
		if job.Kind != JobRefund {
			continue
		}
		less, err := a.withoutRefund(left, job.Amount)
		switch {
		case err == nil:
			left = less
		case a.p.Transactions.refundedElsewhere():
			return money.Zero(left.Currency()), nil
		default:
			return left, err
		}
	}
	return left, nil
}

// notRefunded returns the captured amount minus all refunds that were made.
func (a Amounts) notRefunded() (money.Amount, error) {
	left := a.p.Captured
	if left.IsZero() {
		return left, fmt.Errorf("nothing of payment %s was captured", a.p.ID)
	}
	for _, t := range a.p.Transactions {
		if t.Type != EventRefund || t.Status != Success {
			continue
		}
		var err error
		if left, err = a.withoutRefund(left, t.Amount); err != nil {
			return left, err
		}
	}
	return left, nil
}

// withoutRefund returns what is left of an amount after a refund.
func (a Amounts) withoutRefund(left, refund money.Amount) (money.Amount, error) {
	if refund.Currency() != left.Currency() {
		return left, fmt.Errorf("a refund of payment %s has another currency", a.p.ID)
	}
	less, err := left.Sub(refund)
	if err != nil {
		return left, fmt.Errorf("refunds of payment %s: %w", a.p.ID, err)
	}
	return less, nil
}

// CountRefunds counts all refunds of the payment, failed ones too.
func (a Amounts) CountRefunds() int {
	n := 0
	for _, t := range a.p.Transactions {
		if t.Type == EventRefund {
			n++
		}
	}
	for _, j := range a.p.Jobs {
		if j.Kind == JobRefund {
			n++
		}
	}
	return n
}

// Refunds returns the amounts of all refunds that succeeded or are in progress.
func (a Amounts) Refunds() []money.Amount {
	var amounts []money.Amount
	for _, t := range a.p.Transactions {
		if t.Type == EventRefund && t.Status == Success {
			amounts = append(amounts, t.Amount)
		}
	}
	for _, j := range a.p.Jobs {
		if j.Kind == JobRefund {
			amounts = append(amounts, j.Amount)
		}
	}
	return amounts
}

// ReturnedBy returns what a capture, void or refund returns to the payer: the void of an authorisation nothing.
func (a Amounts) ReturnedBy(job *Job) money.Amount {
	switch job.Kind {
	case JobRefund:
		return job.Amount
	case JobVoid:
		return a.p.Captured
	}
	return money.Amount{}
}

// disputed returns the amount of a dispute: all that was captured if the provider names none, or one that can't
// be a part of that, such as in the payer's currency.
func (a Amounts) disputed(named money.Amount) money.Amount {
	if named.IsZero() || named.Currency() != a.p.Captured.Currency() || named.Cmp(a.p.Captured) > 0 {
		return a.p.Captured
	}
	return named
}

// MayCountRefund returns why a refund can't count beside those that were made, "" if it can, or is no refund: the
// provider has made others by itself while it was in progress.
func (a Amounts) MayCountRefund(job *Job) string {
	if job.Kind != JobRefund {
		return ""
	}
	if left, err := a.notRefunded(); err == nil && job.Amount.Currency() == left.Currency() && job.Amount.Cmp(left) > 0 {
		return "Of the payment " + connector.WithCurrency(left) + " is left to refund."
	}
	return ""
}

// CheckApproved returns an error for an approval without an amount in the payment's currency, if the payer entered the
// amount at the provider: it is unknown then what was paid.
func (a Amounts) CheckApproved(r connector.Result) error {
	named := !r.Amount.IsZero() && r.Amount.Currency().Code == a.p.Order.Currency
	if r.Outcome != connector.OutcomeApproved || !a.p.Amount.IsZero() || named {
		return nil
	}
	return fmt.Errorf("payment %s was approved without its amount", a.p.ID)
}

// Read reads the amount of a request, which is the limit if none was sent. tooMuch is the fault code of an
// amount above the limit.
func (a Amounts) Read(text string, limit money.Amount, tooMuch int) (money.Amount, error) {
	if limit.Currency().Code == "" {
		return money.Amount{}, a.unknownCurrency()
	}
	if text == "" {
		return limit, nil
	}
	amount, err := money.Parse(text, limit.Currency())
	wrong := fault.Fault{Number: fault.NumberInvalid, Path: "amount"}
	switch {
	case errors.Is(err, money.ErrNotPositive):
		wrong.Text = "This value should be greater than 0."
	case err != nil:
		wrong.Text = request.AmountNotValid(limit.Currency())
	case amount.Cmp(limit) > 0:
		wrong.Number, wrong.Text = tooMuch, "This value should be "+limit.String()+" or less."
	default:
		return amount, nil
	}
	return money.Amount{}, fault.Invalid([]fault.Fault{wrong})
}

// unknownCurrency is the error for a currency that the service no longer knows.
func (a Amounts) unknownCurrency() error {
	return fmt.Errorf("payment %s has the unknown currency %q", a.p.ID, a.p.Order.Currency)
}
