package signin

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"time"
)

const (
	// AttemptTTL is how long a browser has the secret of an attempt.
	AttemptTTL = 10 * time.Minute

	secretSize = 32 // bytes of each random value
)

// Attempt is the secret of one attempt to sign in, which only the browser has that began it. All that the attempt has
// to show is computed of it, so that nothing is stored before somebody is known.
type Attempt string

// NewAttempt returns the secret of a new attempt. random returns n unpredictable bytes.
func NewAttempt(random func(n int) []byte) Attempt { return Attempt(text(random(secretSize))) }

// State is what comes back from the provider with the browser.
func (a Attempt) State() string { return a.derived("state") }

// Nonce is what the provider has to sign.
func (a Attempt) Nonce() string { return a.derived("nonce") }

// Verifier is what the code of the provider is exchanged with (RFC 7636).
func (a Attempt) Verifier() string { return a.derived("verifier") }

// derived returns a value of the attempt that leads to none of the others.
func (a Attempt) derived(purpose string) string {
	mac := hmac.New(sha256.New, []byte(a))
	mac.Write([]byte(purpose))
	return text(mac.Sum(nil))
}

// Challenge is the S256 challenge of a verifier (RFC 7636).
func Challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return text(sum[:])
}

// text returns bytes as letters, digits, - and _.
func text(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
