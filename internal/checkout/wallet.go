package checkout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"checkout/internal/card"
	"checkout/internal/form"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/metric"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// formMethod returns a method as the page shows it, a wallet with what the browser needs to open it.
func (s *Service) formMethod(m *merchant.Merchant, route merchant.Route, name string, sess *Session) screen.Method {
	shown := form.Method(route, name, &sess.Request, sess.Saved)
	if method.IsWallet(name) {
		settings, flow := route.Wallet(name)
		shown.Wallet = screen.WalletOf(screen.WalletSheet{
			Kind: name, Merchant: m, Settings: settings, Flow: flow, Request: &sess.Request, SessionID: sess.ID,
			Frame: s.WalletURL,
		})
		screen.AskInWallet(&shown, settings)
	}
	return shown
}

// measureCertificates measures that certificates of a merchant's wallets end soon, or have ended. It looks at most once
// an hour: only visits of the page cost anything, and most of them one look at the cache.
func (s *Service) measureCertificates(ctx context.Context, now time.Time, m *merchant.Merchant) {
	_, _ = s.certificates.Get(m.ID, now, time.Hour, func() (bool, error) {
		warnings := m.Warnings(now)
		if len(warnings) == 0 {
			return false, nil
		}
		s.measure(ctx, metric.Line{
			Message: "certificates of wallets end",
			Metrics: []metric.Metric{{Name: "wallet_certificates_ending", Unit: "Count", Value: int64(len(warnings))}},
		}, slog.String("merchant", m.ID), slog.Any("warnings", warnings))
		return true, nil
	})
}

// digitalWallet returns the wallet that a payment was made with, "" for none, and what number it gave for the card, if
// that is known: in the card flow.
func (p *Payment) digitalWallet() (wallet string, panType card.PANType) {
	if !method.IsWallet(p.Method) {
		return "", ""
	}
	if p.Card != nil {
		panType = p.Card.PANType
	}
	return p.Method, panType
}

// walletAt is how a MID takes a wallet's tokens: its settings, with the keys, and the flow.
type walletAt struct {
	settings merchant.Wallets
	flow     merchant.WalletFlow
}

// walletAt returns how a MID takes the tokens of the payment's wallet, the zero value without a wallet.
func (s *Service) walletAt(m *merchant.Merchant, p *Payment, mid merchant.MID) walletAt {
	if !method.IsWallet(p.Method) {
		return walletAt{}
	}
	settings := m.WalletsFor(p.Owner, &mid)
	return walletAt{settings, s.Declarations.WalletFlow(p.Owner, settings, mid.ConnectorFor(p.Owner), p.Method)}
}

// takesWallet reports whether a charge may go to a MID that is not its first one: only cards go to other MIDs than the
// one that a token was made for.
func (s *Service) takesWallet(m *merchant.Merchant, p *Payment, mid merchant.MID) bool {
	return !method.IsWallet(p.Method) || s.walletAt(m, p, mid).flow.Cascades()
}

// openToken verifies a token, and decrypts it in the card flow. A reason declines the payment before anything is sent.
func (s *Service) openToken(
	ctx context.Context, now time.Time, t task, token string,
) (*decryptedCard, screen.ReasonCode, error) {
	p, at := t.payment, t.wallet
	if token == "" || len(token) > card.MaxToken {
		return nil, screen.ReasonTokenInvalid, nil
	}
	opened, err := s.Wallets.OpenToken(ctx, t.walletToken(token))
	var bad *TokenError
	if errors.As(err, &bad) {
		s.Log.WarnContext(ctx, "token of a wallet refused", "payment", p.ID, "wallet", p.Method, "reason", bad.Text)
		return nil, bad.Reason, nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("open token of payment %s: %w", p.ID, err)
	}
	d := &decryptedCard{tokenID: opened.ID, until: opened.Until, holder: opened.Holder, wallet: &Wallet{
		Kind: p.Method, CardFlow: at.flow.Card, Unauthenticated: opened.Unauthenticated,
	}}
	if !at.flow.Decrypted {
		d.wallet.Token = opened.Token
	}
	if !at.flow.Card {
		return d, "", nil
	}
	d.card = opened.Card
	if reason := checkCard(d.card, p, now); reason != "" {
		return nil, reason, nil
	}
	d.toSave, err = s.encryptCardToSave(ctx, now, t, d.card)
	return d, "", err
}

// walletToken returns a token with what it has to fit, and the keys that open it.
func (t task) walletToken(token string) WalletToken {
	p := t.payment
	opens := WalletToken{
		Kind: p.Method, Token: token, CardFlow: t.wallet.flow.Card, Provider: t.wallet.flow.ProviderTokens,
		Test: p.Test, SentAt: p.CreatedAt,
		SessionID: p.SessionID, Amount: p.Amount, Settings: t.wallet.settings,
	}
	if p.TokenSent {
		opens.SessionID = "" // the merchant's own page made it, which knows no session
	}
	return opens
}

// authenticates reports whether a card that the wallet has not authenticated the payer for may be charged at a MID: its
// connector sends payers to 3-D Secure, or the merchant takes the risk.
func (s *Service) authenticates(connector string, at walletAt) bool {
	takesRisk := at.settings.GooglePay != nil && at.settings.GooglePay.WithoutThreeDSecure
	return takesRisk || s.Declarations[connector].ThreeDSecure
}

// authenticating returns the names of the MIDs that a charge may go to next: of a card that the wallet has not
// authenticated the payer for, those that may charge it.
func (s *Service) authenticating(m *merchant.Merchant, t task) []string {
	names, wallet := t.job().MIDs, t.charge.Wallet
	if wallet == nil || !wallet.Unauthenticated {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		mid, _ := m.MID(t.payment.Mapping, name)
		return !s.authenticates(mid.ConnectorFor(t.payment.Owner), s.walletAt(m, t.payment, mid))
	})
}

// moveToAuthenticate moves a charge to another of its MIDs if its card is one that the wallet has not authenticated the
// payer for and that its own MID can't charge. That shows only when the token is decrypted, so an open circuit breaker
// may have moved the charge here. The reason declines it where no other MID can charge the card either, or where a
// provider may have an earlier request of it.
func (s *Service) moveToAuthenticate(ctx context.Context, t *task, c *decryptedCard) (screen.ReasonCode, error) {
	p, job := t.payment, t.job()
	if c == nil || c.wallet == nil || !c.wallet.Unauthenticated || s.authenticates(p.Connector, t.wallet) {
		return "", nil
	}
	if job.LookUps > 0 || p.Status != StatusPrepare || p.Action != nil {
		return screen.ReasonNotAuthenticated, nil
	}
	m, err := s.merchant(ctx, p.Merchant, s.Now())
	if err != nil {
		return "", err
	}
	t.charge.Wallet = c.wallet
	mid, rest, probe, ok := s.nextMID(ctx, m, p, s.authenticating(m, *t))
	if !ok {
		return screen.ReasonNotAuthenticated, nil
	}
	s.Log.InfoContext(ctx, "3-D Secure is due", "payment", p.ID, "mid", p.MID, "next_mid", mid.Name)
	p.MID, p.Connector, job.MIDs = mid.Name, mid.Connector, rest
	t.connector, t.wallet, t.probe = s.Connectors[mid.Connector], s.walletAt(m, p, mid), probe
	t.charge, err = s.newCharge(ctx, *t, mid)
	return "", err
}

// walletUseTTL is how long it is known at least that a token was used. Of a token that is good for longer, it is known
// until no payment that was made while it was good can be sent any more.
const walletUseTTL = 7 * 24 * time.Hour

// walletUse is the record that a payment used a token.
type walletUse struct {
	PaymentID string `json:"payment_id"`
}

// tokenKey returns the key of the use of a token. Test tokens, which everybody can make, use up no live ones.
func (p *Payment) tokenKey(id string) store.Key {
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
func (s *Service) useToken(
	ctx context.Context, p *Payment, c *decryptedCard,
) ([]store.Record, screen.ReasonCode, error) {
	if c == nil || c.tokenID == "" {
		return nil, "", nil
	}
	now, key := s.Now(), p.tokenKey(c.tokenID)
	var use walletUse
	found, err := s.load(ctx, now, key, &use)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("read use of the token of payment %s: %w", p.ID, err)
	case found && use.PaymentID != p.ID:
		return nil, screen.ReasonTokenUsed, nil
	case found:
		return nil, "", nil
	}
	r := store.Encode(key, 0, walletUse{p.ID})
	r.ExpiresAt = now.Add(walletUseTTL)
	if end := c.until.Add(sealedTTL); end.After(r.ExpiresAt) {
		r.ExpiresAt = end
	}
	return []store.Record{r}, "", nil
}
