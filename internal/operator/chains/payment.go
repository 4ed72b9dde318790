package chains

import (
	"context"
	"errors"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
)

// Of is the chain of a payment.
type Of struct {
	ChainItem
	Retry *Retry // nil: the payment is not a declined later one
}

// Retry is whether a declined later payment can be charged again now.
type Retry struct {
	Amount string
	Why    string // not; "": it can
}

// OfPayment returns the chain that a payment has begun or belongs to, nil if it has none that is stored.
func OfPayment(ctx context.Context, core *checkout.Core, by grant.Person, p *payment.Payment) (*Of, error) {
	if p.Chain == "" {
		return nil, nil
	}
	now := core.Now()
	c, err := core.Chain(ctx, now, p.Chain)
	if err != nil || c == nil {
		return nil, err
	}
	of := &Of{ChainItem: itemOf(c)}
	if !p.Recurring || p.Status != payment.StatusDecline {
		return of, nil
	}
	m, err := core.Merchant(ctx, c.Merchant, now)
	if err != nil {
		return nil, err
	}
	of.Retry = &Retry{Amount: p.Amount.String()}
	if by.Level(grant.Money, p.Owner) == grant.None {
		of.Retry.Why = notAllowed
		return of, nil
	}
	err = core.MayRetryIn(p, c, m)
	if err == nil {
		err = MayRetryNow(ctx, core, p, c)
	}
	if err == nil {
		return of, nil
	}
	var refused *checkout.Refusal
	switch {
	case errors.As(err, &refused):
		of.Retry.Why = refused.Why
	case fault.CodeOf(err) == fault.CodeInternal:
		return nil, err
	default:
		of.Retry.Why = err.Error()
	}
	return of, nil
}

// ChargesAgain says what the schedule charges.
func (of *Of) ChargesAgain() string {
	return "The schedule charges " + of.Amount + " " + of.Currency + " again."
}

// NextCharge says when the schedule charges again, "" if it does not.
func (of *Of) NextCharge() string {
	if of.State != Running {
		return ""
	}
	return "The next charge of " + of.Amount + " " + of.Currency + " is due on " + clock(of.NextAt) + "."
}
