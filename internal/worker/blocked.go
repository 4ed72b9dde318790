package worker

import (
	"context"

	"checkout/internal/checkout/blocklist"
	"checkout/internal/checkout/payment"
	"checkout/internal/reason"
)

// blocked returns the reason to decline a charge whose card, customer or payer is on a block list, "" if none is. It
// adds the card's fingerprint to the card, and what is shown of a blocked one to the payment.
func (x execution) blocked(ctx context.Context, c *payment.DecryptedCard) (reason.Code, error) {
	p, now := x.task.Payment, x.core.Now()
	if x.task.Job().Kind != payment.JobCharge {
		return "", nil
	}
	list, err := x.core.Blocks(ctx, now, p.Owner)
	if err != nil {
		return "", err
	}
	payer := blocklist.Payer{Email: p.Customer.Email, IP: p.PayerIP}
	if c != nil {
		if c.Fingerprint, err = x.runner.fingerprints().Of(ctx, now, c.Card.Number); err != nil && list.HasCards(now) {
			return "", err
		}
		if err != nil { // as after a restore without the old key: no charge may depend on it
			x.core.Log.ErrorContext(ctx, "a card has no fingerprint", "payment", p.ID, "error", err)
		}
		payer.Card = c.Fingerprint
	}
	entry := list.Find(payer, now)
	if entry == nil {
		return "", nil
	}
	if c != nil {
		c.ToSave = nil
		p.SetCard(*c)
	}
	return entry.Kind.Reason(), nil
}
