package operator

import (
	"errors"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/operator/verdict"
	"checkout/internal/request"
)

// named is what a person names with a verdict.
type named struct{ amount, transfer string }

// decideCoins adds to a decision about money that does not count which coins it is about, and the amount that they
// count as if they are accepted. Coins of the payment's currency count as what they are. Others all count as the amount
// that the person names. Errors: CodeInvalid; CodeNotAllowed if an amount is missing or none belongs to the verdict, or
// the transfer is stored already.
func decideCoins(decision *payment.Decision, p *payment.Payment, job *payment.Job, d named) error {
	decision.Coins = job.Coins
	if decision.Verdict == payment.VerdictClose {
		if d.amount != "" {
			return fault.Refuse(fault.CodeNotAllowed, "No amount belongs to that: all that has arrived is closed.")
		}
		return nil
	}
	takes, err := verdict.AmountOf(p, job, decision.Verdict)
	if err != nil {
		return err
	}
	amount, err := readAmount(takes, d.amount)
	if err != nil {
		return err
	}
	returns := decision.Verdict == payment.VerdictReturned
	if !returns {
		decision.Amount = amount
	}
	if coins, err := job.Coins.Money(); returns || err == nil && coins.Currency() == amount.Currency() {
		decision.Coins = money.CoinsOf(amount)
	}
	if returns {
		decision.Transfer, err = transferOf(p, d.transfer)
	}
	return err
}

// readAmount reads the amount of a verdict.
func readAmount(takes verdict.Amount, text string) (money.Amount, error) {
	if text == "" && !takes.Default.IsZero() {
		return takes.Default, nil
	}
	if text == "" {
		return money.Amount{}, fault.Refuse(fault.CodeNotAllowed, "Name the amount in "+takes.Code+".")
	}
	amount, err := money.Parse(text, takes.Currency)
	switch {
	case errors.Is(err, money.ErrNotPositive):
		return money.Amount{}, fault.At("amount", "This value should be greater than 0.")
	case err != nil:
		return money.Amount{}, fault.At("amount", request.AmountNotValid(takes.Currency))
	case !takes.Most.IsZero() && amount.Cmp(takes.Most) > 0:
		return money.Amount{}, fault.At("amount", "This value should be "+takes.Most.String()+" or less.")
	}
	return amount, nil
}

// transferOf checks the reference of a payment that has returned money: each counts once.
func transferOf(p *payment.Payment, transfer string) (string, error) {
	if fault.Printable(transfer, maxDecision) != transfer {
		return "", fault.At("transfer", "It has at most 120 printable characters.")
	}
	if p.Masker().Mask(p.Masker().Secrets(connector.Charge{}).Mask(transfer)) != transfer {
		return "", fault.At("transfer", "It may have no card number and no secret of the payment.")
	}
	if slices.ContainsFunc(p.Transactions, func(t payment.Transaction) bool {
		return t.Decision != nil && t.Decision.Transfer == transfer
	}) {
		return "", fault.Refuse(fault.CodeNotAllowed, "That transfer is stored already.")
	}
	return transfer, nil
}
