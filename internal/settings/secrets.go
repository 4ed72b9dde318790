package settings

import (
	"context"
	"time"
)

// SecretUse is the purpose of a merchant's secret. Each use has documents, keys and permissions of its own.
type SecretUse string

// The uses.
const (
	SecretPassword    SecretUse = "password"    // hashes of requests, callbacks and returns
	SecretCallback    SecretUse = "callback"    // webhook-signature
	SecretCredentials SecretUse = "credentials" // credentials of the MIDs

	SecretWalletIdentity   SecretUse = "wallet-identity"   // with which the service identifies itself to Apple Pay
	SecretWalletProcessing SecretUse = "wallet-processing" // which decrypt wallets' tokens
)

// FingerprintUse is the use of the key of fingerprints, with which nothing is encrypted.
const FingerprintUse SecretUse = "fingerprint"

// SecretUses is every use of secrets.
var SecretUses = []SecretUse{
	SecretPassword, SecretCallback, SecretCredentials, SecretWalletIdentity, SecretWalletProcessing,
}

// replacedSecret is a secret that was replaced and is still valid until a time.
type replacedSecret struct {
	text  string
	until time.Time
}

func (r replacedSecret) expired(now time.Time) bool { return r.text != "" && !now.Before(r.until) }

// ReplacedKey is a merchant_key that was replaced and is still valid until a time.
type ReplacedKey struct {
	Key   string    `json:"key"`
	Test  bool      `json:"test,omitempty"`
	Until time.Time `json:"until"`
}

// replacedValues are a merchant's keys and secrets that were replaced. Secrets are empty in a function that may not
// decrypt them.
type replacedValues struct {
	password, callbackSecret replacedSecret
	keys                     []ReplacedKey
}

// SecretPlace says what a secret is, for its fingerprint.
type SecretPlace struct {
	Use   SecretUse
	Owner string // the merchant's id
	Name  string // of the setting
}

// Sealer encrypts merchants' secrets of all uses, and can't decrypt one.
type Sealer interface {
	// Encrypt encrypts a secret, with its use and owner as associated data: the merchant's id, or that of a MID.
	Encrypt(ctx context.Context, use SecretUse, owner string, plain []byte) ([]byte, error)
	// Fingerprint returns a keyed hash of a secret, by which it is known again.
	Fingerprint(ctx context.Context, of SecretPlace, value string) ([]byte, error)
}

// Secrets decrypts merchants' secrets. It supports only the uses that the running function needs, and returns an error
// for others.
type Secrets interface {
	Decrypt(ctx context.Context, use SecretUse, owner string, encrypted []byte) ([]byte, error)
	// Uses returns the supported uses.
	Uses() []SecretUse
}
