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
	"checkout/internal/method"
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

// walletAt returns how a MID takes the tokens of the payment's wallet, the zero value without a wallet.
func (x execution) walletAt(mid settings.MID) walletAt {
	p := x.task.Payment
	if !method.IsWallet(p.Method) {
		return walletAt{}
	}
	settings := x.merchant.WalletsFor(p.Owner, &mid)
	return walletAt{settings, x.core.Declarations.WalletFlow(p.Owner, settings, mid.ConnectorFor(p.Owner), p.Method)}
}

// takesWallet reports whether a charge may go to a MID that is not its first one: only cards go to other MIDs than the
// one that a token was made for.
func (x execution) takesWallet(mid settings.MID) bool {
	return !method.IsWallet(x.task.Payment.Method) || x.walletAt(mid).flow.Cascades()
}

// openToken verifies a token, and decrypts it in the card flow. A reason declines the payment before anything is sent.
func (x execution) openToken(
	ctx context.Context, now time.Time, sent string,
) (*payment.DecryptedCard, reason.Code, error) {
	p, at := x.task.Payment, x.wallet
	if sent == "" || len(sent) > card.MaxToken {
		return nil, reason.TokenInvalid, nil
	}
	opened, err := x.runner.Wallets.OpenToken(ctx, x.walletToken(sent))
	var bad *token.Error
	if errors.As(err, &bad) {
		x.core.Log.WarnContext(ctx, "token of a wallet refused", "payment", p.ID, "wallet", p.Method, "reason", bad.Text)
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
	d.ToSave, err = x.encryptCardToSave(ctx, now, d.Card)
	return d, "", err
}

// walletToken returns a token with what it has to fit, and the keys that open it.
func (x execution) walletToken(sent string) token.Token {
	p := x.task.Payment
	opens := token.Token{
		Kind: p.Method, Token: sent, CardFlow: x.wallet.flow.Card, Provider: x.wallet.flow.ProviderTokens,
		Test: p.Test, SentAt: p.CreatedAt,
		SessionID: p.SessionID, Amount: p.Amount, Settings: x.wallet.settings,
	}
	if p.TokenSent {
		opens.SessionID = "" // the merchant's own page made it, which knows no session
	}
	return opens
}

// authenticates reports whether a card that the wallet has not authenticated the payer for may be charged at a MID: its
// connector sends payers to 3-D Secure, or the merchant takes the risk.
func (s *Runner) authenticates(connector string, at walletAt) bool {
	takesRisk := at.settings.GooglePay != nil && at.settings.GooglePay.WithoutThreeDSecure
	return takesRisk || s.core.Declarations[connector].ThreeDSecure
}

// maySend reports whether the charge may be sent at a MID: one with a card that the wallet has not authenticated the
// payer for may not everywhere.
func (x execution) maySend(mid settings.MID) bool {
	wallet := x.charge.Wallet
	return wallet == nil || !wallet.Unauthenticated || x.runner.authenticates(mid.Connector, x.walletAt(mid))
}

// moveToAuthenticate moves a charge to another of its MIDs if its card is one that the wallet has not authenticated the
// payer for and that its own MID can't charge. That shows only when the token is decrypted, so an open circuit breaker
// may have moved the charge here. The reason declines it where no other MID can charge the card either, or where a
// provider may have an earlier request of it.
func (x *execution) moveToAuthenticate(
	ctx context.Context, c *payment.DecryptedCard,
) (reason.Code, error) {
	p, job := x.task.Payment, x.task.Job()
	if c == nil || c.Wallet == nil || !c.Wallet.Unauthenticated || x.runner.authenticates(p.Connector, x.wallet) {
		return "", nil
	}
	if job.LookUps > 0 || p.Status != payment.StatusPrepare || p.Action != nil {
		return reason.NotAuthenticated, nil
	}
	x.charge.Wallet = c.Wallet
	to, ok := x.nextMID(ctx)
	if !ok {
		return reason.NotAuthenticated, nil
	}
	x.core.Log.InfoContext(ctx, "3-D Secure is due", "payment", p.ID, "mid", p.MID, "next_mid", to.mid.Name)
	return "", x.moveTo(ctx, to)
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
func (s *Runner) useToken(
	ctx context.Context, p *payment.Payment, c *payment.DecryptedCard,
) ([]store.Record, reason.Code, error) {
	if c == nil || c.TokenID == "" {
		return nil, "", nil
	}
	now, key := s.core.Now(), tokenKey(p, c.TokenID)
	var use walletUse
	found, err := s.core.Load(ctx, now, key, &use)
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

// Wallets verifies and decrypts wallets' payment tokens. Only the connector function has it.
type Wallets interface {
	// OpenToken verifies a token, and in the card flow decrypts it. A *token.Error declines the payment; after any other
	// error it can be tried again.
	OpenToken(ctx context.Context, token token.Token) (token.Opened, error)
}
