package checkout

import (
	"cmp"
	"context"
	"strings"

	"checkout/internal/method"
)

// payOut carries out a credit with a saved card: no page, no card data, and
// the payee's name is that of the card where the request names none (core.md,
// card_token). Errors: CodeInvalid, CodeDuplicate.
func (s *Service) payOut(ctx context.Context, m *Merchant, sess *Session, first *firstCall) (any, error) {
	now := sess.CreatedAt
	route, err := findRoute(m, &sess.Request)
	if err != nil {
		return nil, err
	}
	mids := route.order(method.Card, s.Random)
	if len(mids) == 0 {
		return nil, errNoMapping()
	}
	p, err := sess.payment(now, route.mapping, mids)
	if err != nil {
		return nil, err
	}
	card := sess.Saved[0]
	p.ID = newPaymentID(orderHash(p.Owner.text(), p.Order.Number), now, s.Random(4))
	p.SessionID, p.Method, p.SavedCard = "", method.Card, card.Token
	p.Payee.Name = cmp.Or(p.Payee.Name, strings.TrimSpace(card.Holder))
	p.Jobs = []Job{{Kind: JobCharge, Reference: p.ID, CardName: p.Payee.Name, MIDs: names(mids[1:]), DueAt: now.Add(newJobGrace)}}
	return s.startPayment(ctx, m, p, first)
}
