// Package testwallet makes payment tokens of the real format of Apple Pay and Google Pay, good ones and ones with a
// fault, for the sandbox. Its keys and certificates are public by design: whoever trusts its roots trusts everybody. It
// imports the standard library alone.
package testwallet

import (
	"crypto/sha256"
	"strings"
	"time"
)

// Kind is a wallet, by the id of its method.
type Kind string

// The wallets.
const (
	ApplePay  Kind = "applepay"
	GooglePay Kind = "googlepay"
)

// Fault is what is wrong with a token. The zero value is nothing.
type Fault string

// The faults. Those that both wallets have are first. All tokens with the fault Used have one id, so that each but the
// first was used before.
const (
	Expired        Fault = "expired"         // Apple Pay: signed six minutes before; Google Pay: over
	BadSignature   Fault = "bad_signature"   // changed after it was signed
	OtherRoot      Fault = "other_root"      // signed by somebody else with certificates of the same names
	UnknownKey     Fault = "unknown_key"     // encrypted to somebody else
	Used           Fault = "used"            // used twice
	AmountChanged  Fault = "amount_changed"  // Apple Pay: the payer confirmed another amount
	OtherSession   Fault = "other_session"   // Apple Pay: made on the page of another session
	OtherRecipient Fault = "other_recipient" // Google Pay: made for another merchant
)

// Faults returns the faults that tokens of a wallet can have.
func Faults(kind Kind) []Fault {
	both := []Fault{Expired, BadSignature, OtherRoot, UnknownKey, Used}
	switch kind {
	case ApplePay:
		return append(both, AmountChanged, OtherSession)
	case GooglePay:
		return append(both, OtherRecipient)
	}
	return nil
}

// Content is what a token is made of. The same content makes the same token.
type Content struct {
	ID          string    // of the token: any text, another one for each
	At          time.Time // when the payer confirmed
	Number      string    // of the card, digits
	ExpiryMonth int
	ExpiryYear  int    // four digits
	Amount      string // Apple Pay: minor units, digits; Google Pay does not have it
	Currency    string // Apple Pay: numeric code of ISO 4217
	SessionID   string // Apple Pay: of the page's session, "" without one

	Recurring         bool   // Apple Pay: with a merchant token identifier
	PANOnly           bool   // Google Pay: the card's own number, without a cryptogram
	GatewayMerchantID string // Google Pay: "" without a gateway
	Recipient         string // Google Pay: "" for Recipient
}

// cryptogram returns 20 bytes, as networks make them.
func (c Content) cryptogram() []byte {
	sum := sha256.Sum256([]byte("cryptogram " + c.ID))
	return sum[:20]
}

// eci returns what the card's network calls an authenticated payment.
func (c Content) eci() string {
	if strings.HasPrefix(c.Number, "5") || strings.HasPrefix(c.Number, "2") {
		return "02"
	}
	return "05"
}
