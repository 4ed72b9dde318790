package query

import (
	"context"

	"checkout/internal/checkout/payment"
	"checkout/internal/operator/chains"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/words"
)

// addChain adds the recurring chain of a payment: what its schedule charges next, so that nothing is called over while
// something is due, and whether a declined charge of it can be made again.
func (s *Reader) addChain(ctx context.Context, by grant.Person, v *View, p *payment.Payment) error {
	of, err := chains.OfPayment(ctx, s.core, by, p)
	if err != nil || of == nil {
		return err
	}
	v.Chain = &of.ChainItem
	if r := of.Retry; r != nil {
		v.Possible = append(v.Possible, Possible{
			Act: words.ActRetry, Label: words.Acts[words.ActRetry].Label, Allowed: r.Why == "", Why: r.Why, Amount: r.Amount,
		})
	}
	next := of.NextCharge()
	if v.Summary.Turn == words.TurnNobody && next != "" {
		v.Summary.Turn, v.Summary.Next, v.Summary.At = words.TurnService, of.ChargesAgain(), of.NextAt
	} else if next != "" {
		v.Summary.Means += " " + next
	}
	if p.Status == payment.StatusRefund && next != "" {
		v.Summary.Tell += " " + next
	}
	return nil
}
