package checkout

import (
	"context"
	"encoding/json"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/merchant"
	"checkout/internal/money"
	"checkout/internal/screen"
)

// MaxBatch is how many messages one request has at most (a limit of SQS).
const MaxBatch = 10

// Queue sends messages to the connector and callback functions. A message may arrive more than once, late, or
// (after a crash) not at all: then Sweep sends it again. A delay is at most callback.MaxDelay.
type Queue interface {
	SendJob(ctx context.Context, message JobMessage, delay time.Duration) error
	callback.Queue

	// SendJobs sends at most MaxBatch messages, all of the same mode, in one request and without a delay.
	// refused is the number of messages that the queue did not accept.
	SendJobs(ctx context.Context, messages []JobMessage) (refused int, err error)
}

// JobMessage names a job of a payment by its Reference; without a Reference it stands for all jobs of the payment.
// With Chain it names a recurring chain by its initial payment. It carries only ids.
type JobMessage struct {
	PaymentID string `json:"payment_id"`
	SessionID string `json:"session_id"`
	Reference string `json:"reference,omitempty"`
	Chain     bool   `json:"chain,omitempty"`
	LookUp    bool   `json:"look_up,omitempty"` // a call asks for a look-up of what is unknown
	Test      bool   `json:"test,omitempty"`    // of a payment with the test key: it has a queue of its own
	Cause     string `json:"cause,omitempty"`   // id of the API call that caused it, "" if unknown
}

// Wallets verifies and decrypts wallets' payment tokens. Only the connector function has it.
type Wallets interface {
	// OpenToken verifies a token, and in the card flow decrypts it. A *TokenError declines the payment; after any other
	// error it can be tried again.
	OpenToken(ctx context.Context, token WalletToken) (OpenedToken, error)
}

// WalletToken is a payment token with what it has to fit.
type WalletToken struct {
	Kind      string // method.ApplePay or method.GooglePay
	Token     string // JSON text
	CardFlow  bool   // decrypt it; else verify what can be verified without a key
	Provider  bool   // the provider's own token, which can't be verified
	Test      bool   // of a payment with the test key: the sandbox's tokens alone are good; else they are not
	SentAt    time.Time
	SessionID string // "" for a payment without a page
	Amount    money.Amount
	Settings  merchant.Wallets // of the MID, with the private keys
}

// OpenedToken is a token that is good.
type OpenedToken struct {
	ID     string    // what is used once: hex SHA-256 of the wallet's id of the token
	Token  string    // what the provider gets of it, JSON text without anything that does not belong to it
	Card   card.Card // in the card flow: number, expiry, PANType, Cryptogram, ECI
	Holder string    // the name on the card, "" if the wallet does not tell
	// Unauthenticated means that 3-D Secure is due. In the virtual flow it is never known.
	Unauthenticated bool
	Until           time.Time // when it ends, zero if that is within minutes or not known
}

// TokenError says why a token is not good. Neither the reason nor the text has any part of the token.
type TokenError struct {
	Reason screen.ReasonCode
	Text   string // for operators
}

func (e *TokenError) Error() string { return e.Text }

// MerchantSessions begins merchant sessions of W1. Only the page function has it.
type MerchantSessions interface {
	// Begin returns the wallet's opaque object, JSON, which is good once and for a few minutes.
	Begin(ctx context.Context, request MerchantSession) (json.RawMessage, error)
}

// MerchantSession is a request for a merchant session of W1.
type MerchantSession struct {
	Settings merchant.ApplePay // with the identity key
	Domain   string            // host of the top-level page
}
