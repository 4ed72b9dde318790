// Package wallet verifies and decrypts the payment tokens of Apple Pay and Google Pay. Clock, trusted roots and private
// keys are arguments, so that a token made by a test is as good as one of the vendor's. No error has any part of a
// token or a card in it.
package wallet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"checkout/internal/money"
)

// MaxToken is the size of the largest token that is read, in bytes.
const MaxToken = 8 << 10

// What is wrong with a token. Errors of this package are one of these, or wrap one.
var (
	ErrSize        = errors.New("wallet: the token is too large")
	ErrMalformed   = errors.New("wallet: the token has not the wallet's format")
	ErrVersion     = errors.New("wallet: the version of the token's format is not supported")
	ErrSignature   = errors.New("wallet: the token's signature is wrong")
	ErrChain       = errors.New("wallet: the wallet's root did not certify who signed the token")
	ErrMarkers     = errors.New("wallet: who signed the token is certified for something else")
	ErrSigningTime = errors.New("wallet: the token was not signed just now")
	ErrExpired     = errors.New("wallet: the token is over")
	ErrUnknownKey  = errors.New("wallet: the token is encrypted to a certificate that the settings do not have")
	ErrRSA         = errors.New("wallet: the token is of RSA_v1; EC_v1 is needed: a certificate with a P-256 key")
	ErrDecrypt     = errors.New("wallet: the token can't be decrypted with the keys of the settings")
	ErrSession     = errors.New("wallet: the token was made for another session")
	ErrAmount      = errors.New("wallet: the payer confirmed another amount")
	ErrCurrency    = errors.New("wallet: the payer confirmed another currency")
	ErrRecipient   = errors.New("wallet: the token was made for another recipient")
	ErrAuthMethod  = errors.New("wallet: the token's authentication method is not accepted")
)

// ErrNoRoot means that there is no root to verify a token with. It says nothing about the token.
var ErrNoRoot = errors.New("wallet: there is no root to verify tokens with")

// Check is what a token has to fit.
type Check struct {
	At time.Time // when the payer sent the token

	// SessionID is compared with Apple Pay's applicationData, unless it is "".
	SessionID string
	// Amount is what the payer confirmed. Apple Pay alone has it in the token, encrypted.
	Amount money.Amount

	// Recipients are the ids that Google Pay may have made the token for: merchant:ID or gateway:ID. Without one, in
	// the virtual flow, the recipient is left to the provider, and so is the signature that covers it.
	Recipients []string
	// GatewayMerchantID is compared with Google Pay's, unless it is "".
	GatewayMerchantID string
	// AuthMethods are those of Google Pay that are accepted: PAN_ONLY, CRYPTOGRAM_3DS.
	AuthMethods []string
}

// Verified is a token whose signature is good.
type Verified struct {
	// ID is what is used once: the SHA-256, in hex, of what the wallet calls the token. In the virtual flow of Google
	// Pay that name is encrypted, and the signed message stands for it.
	ID string
	// Token is the JSON text of what belongs to the token, and of nothing else that was sent with it.
	Token    string
	SignedAt time.Time // Apple Pay alone, else zero
	// Until is when a token of Google Pay ends, as far as that can be read: in the virtual flow, when the key that
	// signed it does. It is zero for Apple Pay, whose tokens are good for minutes.
	Until time.Time
}

// Values of Opened.PANType.
const (
	DPAN = "dpan" // the number stands for the card on one device
	FPAN = "fpan" // the number is the card's own
)

// Authentication methods of tokens.
const (
	ThreeDSecure  = "3DSecure" // Apple Pay
	PANOnly       = "PAN_ONLY"
	Cryptogram3DS = "CRYPTOGRAM_3DS"
)

// Opened is a verified and decrypted token. Nothing of it is ever logged; of a card, see protocol.md, Card data.
type Opened struct {
	Verified
	Number          string // digits
	ExpiryMonth     int    // 1..12
	ExpiryYear      int    // four digits
	Holder          string // "" if the wallet does not tell
	Cryptogram      string // base64, good for one charge; "" with PANOnly
	ECI             string // two digits, "" if the wallet gives none
	PANType         string // DPAN or FPAN
	AuthMethod      string // one of the three above
	Device          string // Apple Pay's id of the device's manufacturer, "" if the wallet does not tell
	MerchantTokenID string // Apple Pay's number of a recurring payment's card, "" if there is none
}

// hashOf returns a SHA-256 in hex.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
