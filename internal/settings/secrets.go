package settings

import (
	"context"
	"encoding/json"
	"time"
)

// SecretUse is the purpose of a merchant's secret. Each use has documents, a data key and permissions of its own.
type SecretUse string

// The uses.
const (
	SecretPassword    SecretUse = "password"    // hashes of requests, callbacks and returns
	SecretCallback    SecretUse = "callback"    // webhook-signature
	SecretCredentials SecretUse = "credentials" // credentials of the MIDs

	SecretWalletIdentity   SecretUse = "wallet-identity"   // with which the service identifies itself to Apple Pay
	SecretWalletProcessing SecretUse = "wallet-processing" // which decrypt wallets' tokens
)

// SecretUses is every use.
var SecretUses = []SecretUse{
	SecretPassword, SecretCallback, SecretCredentials, SecretWalletIdentity, SecretWalletProcessing,
}

// replacedSecret is a secret that was replaced and is still valid until a time.
type replacedSecret struct {
	text  string
	until time.Time
}

func (r replacedSecret) expired(now time.Time) bool { return r.text != "" && !now.Before(r.until) }

// secretsByMID are the secrets of a merchant and its MIDs for one use, by mapping and MID; both are "" for the
// merchant's own.
type secretsByMID[T any] map[string]map[string]T

// Add adds the secrets of a MID.
func (all secretsByMID[T]) Add(mapping, mid string, secrets T) {
	if all[mapping] == nil {
		all[mapping] = map[string]T{}
	}
	all[mapping][mid] = secrets
}

// text returns the text that is encrypted, "" if there are no secrets.
func (all secretsByMID[T]) text() string {
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic("marshal secrets: " + err.Error()) // can't happen: a map of texts can always be encoded
	}
	return string(text)
}

// MIDCredentials are the credentials of MIDs, those of each encrypted by themselves.
type MIDCredentials = secretsByMID[SealedCredentials]

// SealedCredentials are the encrypted credentials of a MID. MIDs of a merchant with the same credentials have the same
// Account, 1, 2, ..., which says so without them.
type SealedCredentials struct {
	Encrypted []byte `json:"encrypted"`
	Account   int    `json:"account"`
}

// Secrets encrypts merchants' secrets, with their use and owner as associated data: the merchant's id, or that of a
// MID. It supports only the uses that the running function needs, and returns an error for others.
type Secrets interface {
	Encrypt(ctx context.Context, use SecretUse, owner string, plain []byte) ([]byte, error)
	Decrypt(ctx context.Context, use SecretUse, owner string, encrypted []byte) ([]byte, error)
	// Uses returns the supported uses.
	Uses() []SecretUse
}
