package wallet

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"time"
)

// Borders of the time that may lie between the wallet's signature and the payer's sending of the token. More is a
// replay, or a clock that is wrong.
const (
	maxAge   = 5 * time.Minute
	maxAhead = time.Minute
)

// Limits of the fields of Apple Pay's tokens, in characters.
const (
	maxSignature = 6 << 10
	maxData      = 2 << 10
	maxKey       = 1 << 10
)

const (
	versionEC  = "EC_v1"
	versionRSA = "RSA_v1"
)

// Apple verifies tokens of Apple Pay.
type Apple struct {
	Root *x509.Certificate
}

// appleToken is a token of Apple Pay that has the right form.
type appleToken struct {
	text          string // JSON of what belongs to it
	version       string
	data          []byte
	signature     []byte
	key           []byte // header.ephemeralPublicKey or header.wrappedKey
	publicKeyHash []byte
	transactionID []byte
	application   []byte // header.applicationData, absent if the page gave none
}

// Verify checks who signed a token, when, and for which session, for the virtual flow.
func (a Apple) Verify(token string, check Check) (Verified, error) {
	t, err := parseApple(token)
	if err != nil {
		return Verified{}, err
	}
	return a.verify(t, check)
}

// Open verifies a token of EC_v1 and decrypts it with that of the keys which it was encrypted to.
func (a Apple) Open(token string, keys []ProcessingKey, check Check) (Opened, error) {
	t, err := parseApple(token)
	if err != nil {
		return Opened{}, err
	}
	if t.version != versionEC {
		return Opened{}, ErrRSA
	}
	verified, err := a.verify(t, check)
	if err != nil {
		return Opened{}, err
	}
	plain, err := t.decrypt(keys)
	if err != nil {
		return Opened{}, err
	}
	return openApple(plain, verified, check)
}

// parseApple reads a token: the wallet's paymentData, alone or as a part of its whole payment token.
func parseApple(token string) (appleToken, error) {
	if len(token) > MaxToken {
		return appleToken{}, ErrSize
	}
	o, err := parseObject([]byte(token))
	if err != nil {
		return appleToken{}, err
	}
	if inner, err := o.object("paymentData"); err == nil {
		o = inner
	}
	var t appleToken
	if t.version, err = o.text("version", 16); err != nil {
		return appleToken{}, err
	}
	header, err := o.object("header")
	if err != nil {
		return appleToken{}, err
	}
	part := o.only("version", "data", "signature")
	part["header"] = header.only("ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId", "applicationData")
	t.text = part.jsonText()
	keyField := map[string]string{versionEC: "ephemeralPublicKey", versionRSA: "wrappedKey"}[t.version]
	if keyField == "" {
		return appleToken{}, ErrVersion
	}
	if t.signature, err = o.base64("signature", maxSignature); err != nil {
		return appleToken{}, err
	}
	if t.data, err = o.base64("data", maxData); err != nil {
		return appleToken{}, err
	}
	if t.key, err = header.base64(keyField, maxKey); err != nil {
		return appleToken{}, err
	}
	if t.publicKeyHash, err = header.base64("publicKeyHash", 64); err != nil {
		return appleToken{}, err
	}
	return t.readIDs(header)
}

// readIDs reads the two fields in hex. Both are 32 bytes, so that no byte can pass from one signed field to the next.
func (t appleToken) readIDs(header object) (appleToken, error) {
	transaction, err := header.text("transactionId", 64)
	if err != nil {
		return appleToken{}, err
	}
	application, err := header.optional("applicationData", 64)
	if err != nil {
		return appleToken{}, err
	}
	var transactionErr, applicationErr error
	t.transactionID, transactionErr = hex.DecodeString(transaction)
	t.application, applicationErr = hex.DecodeString(application)
	if transactionErr != nil || len(t.transactionID) != sha256.Size ||
		applicationErr != nil || len(t.application) != 0 && len(t.application) != sha256.Size {
		return appleToken{}, ErrMalformed
	}
	return t, nil
}

func (a Apple) verify(t appleToken, check Check) (Verified, error) {
	if a.Root == nil {
		return Verified{}, ErrNoRoot
	}
	signed := make([]byte, 0, len(t.key)+len(t.data)+2*sha256.Size)
	for _, part := range [][]byte{t.key, t.data, t.transactionID, t.application} {
		signed = append(signed, part...)
	}
	at, err := signingTime(t.signature, signed, a.Root)
	if err != nil {
		return Verified{}, err
	}
	if at.Before(check.At.Add(-maxAge)) || at.After(check.At.Add(maxAhead)) {
		return Verified{}, ErrSigningTime
	}
	if check.SessionID != "" && !t.isOf(check.SessionID) {
		return Verified{}, ErrSession
	}
	return Verified{ID: hashOf(t.transactionID), Token: t.text, SignedAt: at}, nil
}

// isOf reports whether the page that the token was made on gave this session's id as applicationData. The page gives it
// in base64, and what is hashed is either that text or the id.
func (t appleToken) isOf(session string) bool {
	id := sha256.Sum256([]byte(session))
	text := sha256.Sum256([]byte(base64.StdEncoding.EncodeToString([]byte(session))))
	return subtle.ConstantTimeCompare(t.application, id[:])|subtle.ConstantTimeCompare(t.application, text[:]) == 1
}
