// Package testwallet makes payment tokens of the real format of the wallets W1 and W2 for the sandbox, good ones and
// ones with a fault. All of its keys and certificates are public by design: whoever trusts its roots trusts everybody.
package testwallet

import (
	"crypto/ecdsa"
	"crypto/x509"
	"time"
)

// Kind is a wallet.
type Kind string

// The wallets.
const (
	ApplePay  Kind = "applepay"
	GooglePay Kind = "googlepay"
)

// Fault is what is wrong with a token. The zero value is a good one.
type Fault string

// The faults.
const (
	Expired        Fault = "expired"         // made six minutes ago (W1), or its time is over (W2)
	BadSignature   Fault = "bad_signature"   // changed after it was signed
	Used           Fault = "used"            // the id of every other token with this fault
	AmountChanged  Fault = "amount_changed"  // W1: the payer confirmed a unit less
	OtherSession   Fault = "other_session"   // W1: made on the page of another session
	UnknownKey     Fault = "unknown_key"     // encrypted to a certificate that nobody has
	OtherRecipient Fault = "other_recipient" // W2: made for another merchant
	OtherRoot      Fault = "other_root"      // signed by somebody else
)

// Faults are those of a wallet.
func Faults(kind Kind) []Fault { return nil }

// Content is what a token is made of.
type Content struct {
	ID          string // differs for every token
	At          time.Time
	SessionID   string // W1: "" for a payment without a page
	Number      string
	ExpiryMonth int
	ExpiryYear  int    // four digits
	Amount      int64  // W1: in minor units
	Currency    string // W1: numeric code of ISO 4217
	PANOnly     bool   // W2: the card's own number, without a cryptogram
	Recurring   bool   // W1: with a merchant token identifier
}

// MerchantIdentifier is W1's of the sandbox.
const MerchantIdentifier = "merchant.sandbox.checkout"

// Recipient is the recipient of W2's tokens.
const Recipient = "merchant:12345678901234567890"

// AppleRoot returns the root of W1's tokens.
func AppleRoot() *x509.Certificate { return nil }

// GoogleRoot returns the root of W2's tokens.
func GoogleRoot() *ecdsa.PublicKey { return nil }

// ProcessingCertificate and ProcessingKey decrypt W1's tokens, PEM.
func ProcessingCertificate() string { return "" }

// ProcessingKey is the key of ProcessingCertificate, PEM.
func ProcessingKey() string { return "" }

// RecipientKey decrypts W2's tokens, PEM.
func RecipientKey() string { return "" }

// Make returns a token, JSON text.
func Make(kind Kind, content Content, fault Fault) (string, error) { return "", nil }
