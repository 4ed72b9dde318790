package merchant

import (
	"context"
	"fmt"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/page/form"
	"checkout/internal/store"
)

// payWithToken makes the payment of a session request with a wallet's token (protocol.md, Wallets): the session
// with its only attempt, and the token sealed as the page seals it. It returns the payment: with its outcome, if the
// provider responds within AwaitTimeout, else with the address of the page, where 3-D Secure follows if that is due.
// Errors: CodeInvalid, CodeDuplicate.
func (s *Creator) payWithToken(
	ctx context.Context, r *SessionRequest, sess *checkout.Session, idem *checkout.IdempotencyRecord,
) (Response, error) {
	now := sess.CreatedAt
	route, err := r.Route()
	if err != nil {
		return nil, err
	}
	s.nameSession(ctx, sess)
	sess.MaxDeclines = 1
	key, err := card.Keys{Store: s.core.Store, Cache: &s.keys}.PublicKey(ctx, now)
	if err != nil {
		return nil, err
	}
	sealed, err := s.sealer.Seal(key, payment.SealInfo(sess.Request.Owner, sess.ID), card.Card{Token: r.WalletToken})
	if err != nil {
		return nil, fmt.Errorf("seal a token: %w", err)
	}
	attempt := store.NewUUID(s.core.Random(16))
	p, _, err := s.core.NewAttempt(now, sess, route, form.Request{Attempt: attempt, Method: r.Methods[0], Sealed: &sealed})
	if err != nil {
		return nil, err
	}
	p.TokenSent = true
	sess.Begin(p, attempt)
	return s.payments.startPayment(ctx, directPayment{
		Payment: p, merchant: r.Merchant, redirectURL: sess.PageURL(s.baseURL),
		more: []store.Record{sess.Record(), payment.SealedRecord(p, &sealed)},
	}, idem)
}
