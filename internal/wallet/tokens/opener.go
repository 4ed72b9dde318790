// Package tokens verifies and decrypts wallets' payment tokens for the worker: with which roots and keys a token is
// opened, what it is known by when it is used once, and why a payment with a bad one is declined.
package tokens

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/wallet"
	"checkout/internal/wallet/testwallet"
	"checkout/internal/wallet/token"
)

// Opener opens wallets' payment tokens with the roots of the vendors, and those of payments with the test key with the
// sandbox's own.
type Opener struct {
	AppleRoot                  *x509.Certificate
	GoogleKeys, GoogleTestKeys *wallet.RootKeys
}

// New returns an opener that fetches the keys of Google Pay from its vendor. The store has copies of them.
func New(s store.Store, now func() time.Time, log *slog.Logger) *Opener {
	keys := func(address string) *wallet.RootKeys {
		return &wallet.RootKeys{
			Address: address, Client: &http.Client{}, Now: now, Store: keyStore{s, now},
			Warn: func(err error) { log.Warn("root keys of a wallet", "address", address, "error", err) },
		}
	}
	return &Opener{
		AppleRoot: wallet.AppleRoot(), GoogleKeys: keys(wallet.GoogleKeys), GoogleTestKeys: keys(wallet.GoogleTestKeys),
	}
}

// OpenToken implements worker.Wallets.
func (w *Opener) OpenToken(ctx context.Context, t token.Token) (token.Opened, error) {
	var opened wallet.Opened
	var err error
	switch {
	case t.Provider && !t.Test: // no wallet has signed it, and the provider takes each of its own once
		sent := canonical(t.Token)
		sum := sha256.Sum256([]byte(sent))
		return token.Opened{ID: hex.EncodeToString(sum[:]), Token: sent}, nil
	case t.Kind == method.ApplePay && t.Settings.ApplePay != nil:
		opened, err = w.openApple(t, *t.Settings.ApplePay)
	case t.Kind == method.GooglePay && t.Settings.GooglePay != nil:
		opened, err = w.openGoogle(ctx, t, *t.Settings.GooglePay)
	default:
		err = wallet.ErrRecipient // the settings have been removed since the payer opened the wallet
	}
	if reason := reasonOf(err); reason != "" {
		return token.Opened{}, &token.Error{Reason: reason, Text: err.Error()}
	}
	if err != nil {
		return token.Opened{}, err
	}
	return token.Opened{
		ID: opened.ID, Token: opened.Token, Holder: opened.Holder, Until: opened.Until,
		Unauthenticated: opened.AuthMethod == wallet.PANOnly,
		Card: card.Card{
			Number: opened.Number, ExpiryMonth: opened.ExpiryMonth, ExpiryYear: opened.ExpiryYear,
			PANType: card.PANType(opened.PANType), Cryptogram: opened.Cryptogram, ECI: opened.ECI,
		},
	}, nil
}

// canonical returns the one text of a JSON value that can be written in many ways: without spaces and with sorted
// members, numbers with their digits. Any other text stays as it is.
func canonical(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil || !json.Valid([]byte(text)) { // a second value behind it
		return text
	}
	same, err := json.Marshal(value)
	if err != nil {
		return text
	}
	return string(same)
}

// openApple opens a token of Apple Pay. Those of the sandbox are encrypted to its own certificate, whatever the
// settings are.
func (w *Opener) openApple(t token.Token, own settings.ApplePay) (wallet.Opened, error) {
	verifier, processing := wallet.Apple{Root: w.AppleRoot}, own.Processing
	if t.Test {
		verifier.Root = testwallet.AppleRoot()
		processing = []settings.ProcessingCertificate{
			{Certificate: testwallet.ProcessingCertificate(), Key: testwallet.ProcessingKey()},
		}
	}
	check := wallet.Check{At: t.SentAt, SessionID: t.SessionID, Amount: t.Amount}
	if !t.CardFlow {
		verified, err := verifier.Verify(t.Token, check)
		return wallet.Opened{Verified: verified}, err
	}
	var keys []wallet.ProcessingKey
	for _, p := range processing {
		key, err := wallet.ParseProcessingKey(p.Certificate, p.Key)
		if err != nil {
			return wallet.Opened{}, fmt.Errorf("processing certificate of %s: %w", own.MerchantIdentifier, err)
		}
		keys = append(keys, key)
	}
	return verifier.Open(t.Token, keys, check)
}

// sandboxRoots is until when the root of the sandbox's tokens of Google Pay is good.
var sandboxRoots = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// openGoogle opens a token of Google Pay. In the card flow it is made for the merchant, else for the provider's
// gateway.
func (w *Opener) openGoogle(
	ctx context.Context, t token.Token, own settings.GooglePay,
) (opened wallet.Opened, err error) {
	check := wallet.Check{At: t.SentAt, Amount: t.Amount, AuthMethods: own.AuthMethods}
	private := own.PrivateKeys
	switch {
	case t.Test:
		private, check.Recipients = []string{testwallet.RecipientKey()}, []string{testwallet.Recipient}
	case !t.CardFlow:
		check.Recipients = []string{"gateway:" + own.Gateway}
	case own.Environment == settings.WalletTest:
		check.Recipients = []string{testwallet.Recipient}
	default:
		check.Recipients = []string{"merchant:" + own.MerchantIdentifier}
	}
	var keys []wallet.PrivateKey
	for _, text := range private {
		key, err := wallet.ParsePrivateKey(text)
		if err != nil {
			return opened, fmt.Errorf("private key of %s: %w", own.MerchantIdentifier, err)
		}
		keys = append(keys, key)
	}
	open := func(roots []wallet.RootKey) (err error) {
		verifier := wallet.Google{Roots: roots}
		if t.CardFlow {
			opened, err = verifier.Open(t.Token, keys, check)
			return err
		}
		opened.Verified, err = verifier.Verify(t.Token, check)
		return err
	}
	switch {
	case t.Test:
		err = open([]wallet.RootKey{{Key: testwallet.GoogleRoot(), Until: sandboxRoots}})
	case own.Environment == settings.WalletTest:
		err = w.GoogleTestKeys.With(ctx, open)
	default:
		err = w.GoogleKeys.With(ctx, open)
	}
	return opened, err
}
