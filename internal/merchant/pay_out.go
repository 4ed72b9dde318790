package merchant

import (
	"cmp"
	"context"
	"strings"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/routing"
	"checkout/internal/store"
)

// payOut makes the payment of a credit with a saved card, which needs no page and no card data. If the request
// does not name the payee, the name on the card is used (protocol.md, Fields of operations). Errors: CodeInvalid,
// CodeDuplicate.
func (s *Creator) payOut(
	ctx context.Context, r *SessionRequest, sess *checkout.Session, idem *checkout.IdempotencyRecord,
) (Response, error) {
	now := sess.CreatedAt
	route, err := r.Route()
	if err != nil {
		return nil, err
	}
	mids := route.Order(method.Card, s.core.Random)
	if len(mids) == 0 {
		return nil, routing.ErrNoMapping()
	}
	p, err := sess.NewPayment(now, route.Mapping, mids)
	if err != nil {
		return nil, err
	}
	card := sess.Saved[0]
	p.ID = store.NewPaymentID(store.OrderHash(p.Owner.Text(), p.Order.Number), now, s.core.Random(4))
	p.SessionID, p.Method, p.SavedCard = "", method.Card, card.Token
	p.Payee.Name = cmp.Or(p.Payee.Name, strings.TrimSpace(card.Holder))
	p.Jobs = []payment.Job{{
		Kind: payment.JobCharge, Reference: p.ID, DueAt: now.Add(payment.NewJobGrace),
		ChargeInput: payment.ChargeInput{CardName: p.Payee.Name, MIDs: routing.MIDNames(mids[1:])},
	}}
	return s.payments.startPayment(ctx, directPayment{Payment: p, merchant: r.Merchant}, idem)
}
