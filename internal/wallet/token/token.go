// Package token has what the worker asks of a wallet's payment token, and what comes of it.
package token

import (
	"time"

	"checkout/internal/card"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/settings"
)

// Token is a payment token with what it has to fit.
type Token struct {
	Kind      string // method.ApplePay or method.GooglePay
	Token     string // JSON text
	CardFlow  bool   // decrypt it; else verify what can be verified without a key
	Provider  bool   // the provider's own token, which can't be verified
	Test      bool   // of a payment with the test key: the sandbox's tokens alone are good; else they are not
	SentAt    time.Time
	SessionID string // "" for a payment without a page
	Amount    money.Amount
	Settings  settings.Wallets // of the MID, with the private keys
}

// Opened is a token that is good.
type Opened struct {
	ID     string    // what is used once: hex SHA-256 of the wallet's id of the token
	Token  string    // what the provider gets of it, JSON text without anything that does not belong to it
	Card   card.Card // in the card flow: number, expiry, PANType, Cryptogram, ECI
	Holder string    // the name on the card, "" if the wallet does not tell
	// Unauthenticated means that 3-D Secure is due. In the virtual flow it is never known.
	Unauthenticated bool
	Until           time.Time // when it ends, zero if that is within minutes or not known
}

// Error says why a token is not good. Neither the reason nor the text has any part of the token.
type Error struct {
	Reason reason.Code
	Text   string // for operators
}

func (e *Error) Error() string { return e.Text }
