package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/wallet/token"
)

// walletAt is how a MID takes a wallet's tokens: its settings, with the keys, and the flow.
type walletAt struct {
	settings settings.Wallets
	flow     settings.WalletFlow
}

// openToken verifies a token, and decrypts it in the card flow. A reason declines the payment before anything is sent.
func (o cards) openToken(
	ctx context.Context, now time.Time, sent string,
) (*payment.DecryptedCard, reason.Code, error) {
	p, at := o.task.Payment, o.at
	if sent == "" || len(sent) > card.MaxToken {
		return nil, reason.TokenInvalid, nil
	}
	opened, err := o.wallets.OpenToken(ctx, o.walletToken(sent))
	var bad *token.Error
	if errors.As(err, &bad) {
		o.core.Log.WarnContext(ctx, "token of a wallet refused", "payment", p.ID, "wallet", p.Method, "reason", bad.Text)
		return nil, bad.Reason, nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("open token of payment %s: %w", p.ID, err)
	}
	d := &payment.DecryptedCard{TokenID: opened.ID, Until: opened.Until, Holder: opened.Holder, Wallet: &connector.Wallet{
		Kind: p.Method, CardFlow: at.flow.Card, Unauthenticated: opened.Unauthenticated,
	}}
	if !at.flow.Decrypted {
		d.Wallet.Token = opened.Token
	}
	if !at.flow.Card {
		return d, "", nil
	}
	d.Card = opened.Card
	if reason := checkCard(d.Card, p, now); reason != "" {
		return nil, reason, nil
	}
	d.ToSave, err = o.encryptCardToSave(ctx, now, d.Card)
	return d, "", err
}

// walletToken returns a token with what it has to fit, and the keys that open it.
func (o cards) walletToken(sent string) token.Token {
	p := o.task.Payment
	opens := token.Token{
		Kind: p.Method, Token: sent, CardFlow: o.at.flow.Card, Provider: o.at.flow.ProviderTokens,
		Test: p.Test, SentAt: p.CreatedAt,
		SessionID: p.SessionID, Amount: p.Amount, Settings: o.at.settings,
	}
	if p.TokenSent {
		opens.SessionID = "" // the merchant's own page made it, which knows no session
	}
	return opens
}

// walletUseTTL is how long it is known at least that a token was used. Of a token that is good for longer, it is known
// until no payment that was made while it was good can be sent any more.
const walletUseTTL = 7 * 24 * time.Hour

// walletUse is the record that a payment used a token.
type walletUse struct {
	PaymentID string `json:"payment_id"`
}

// tokenKey returns the key of the use of a token. Test tokens, which everybody can make, use up no live ones.
func tokenKey(p *payment.Payment, id string) store.Key {
	mode := "live"
	if p.Test {
		mode = "test"
	}
	sum := sha256.Sum256([]byte(p.Method + "/" + mode + "/" + id))
	return store.WalletTokenKey(hex.EncodeToString(sum[:]))
}

// useToken returns the record that the payment uses its token, to be stored together with the fact that the request is
// being sent: of two payments with one token, only one is sent. There is none for a charge without a token, and if the
// payment has used the token before. The reason declines a payment whose token another payment has used.
func (o cards) useToken(ctx context.Context, c *payment.DecryptedCard) ([]store.Record, reason.Code, error) {
	if c == nil || c.TokenID == "" {
		return nil, "", nil
	}
	p := o.task.Payment
	now, key := o.core.Now(), tokenKey(p, c.TokenID)
	var use walletUse
	found, err := o.core.Load(ctx, now, key, &use)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("read use of the token of payment %s: %w", p.ID, err)
	case found && use.PaymentID != p.ID:
		return nil, reason.TokenUsed, nil
	case found:
		return nil, "", nil
	}
	r := store.Encode(key, 0, walletUse{p.ID})
	r.ExpiresAt = now.Add(walletUseTTL)
	if end := c.Until.Add(payment.SealedTTL); end.After(r.ExpiresAt) {
		r.ExpiresAt = end
	}
	return []store.Record{r}, "", nil
}
