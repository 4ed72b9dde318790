package wallet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"
)

const (
	googleVersion = "ECv2"
)

// errForOther is one of two: the recipient is in what is signed and nowhere else.
var errForOther = fmt.Errorf("%w, or %w", ErrRecipient, ErrSignature)

// Google verifies tokens of Google Pay.
type Google struct {
	Roots []RootKey
}

// RootKey is a key that signs keys that sign tokens of Google Pay.
type RootKey struct {
	Key   *ecdsa.PublicKey // P-256
	Until time.Time        // not valid from here
}

// googleToken is a token of Google Pay that has the right form. What is signed is text, byte for byte.
type googleToken struct {
	text          string // JSON of what belongs to it
	signature     []byte
	signedKey     string
	keySignatures [][]byte
	signedMessage string
}

// Verify checks who signed a token and for whom, for the virtual flow.
func (g Google) Verify(token string, check Check) (Verified, error) {
	t, err := parseGoogle(token)
	if err != nil {
		return Verified{}, err
	}
	until, err := g.verify(t, check)
	if err != nil {
		return Verified{}, err
	}
	return Verified{ID: hashOf([]byte(t.signedMessage)), Token: t.text, Until: until}, nil
}

// Open verifies a token and decrypts it with the first of the keys that can.
func (g Google) Open(token string, keys []PrivateKey, check Check) (Opened, error) {
	t, err := parseGoogle(token)
	if err != nil {
		return Opened{}, err
	}
	if len(check.Recipients) == 0 {
		return Opened{}, ErrRecipient // whoever decrypts is the recipient
	}
	if _, err := g.verify(t, check); err != nil {
		return Opened{}, err
	}
	message, err := parseGoogleMessage(t.signedMessage)
	if err != nil {
		return Opened{}, err
	}
	plain, err := message.decrypt(keys)
	if err != nil {
		return Opened{}, err
	}
	opened, err := openGoogle(plain, check)
	if err != nil {
		return Opened{}, err
	}
	opened.Token = t.text
	return opened, nil
}

func parseGoogle(token string) (googleToken, error) {
	if len(token) > MaxToken {
		return googleToken{}, ErrSize
	}
	o, err := parseObject([]byte(token))
	if err != nil {
		return googleToken{}, err
	}
	version, err := o.text("protocolVersion", 32)
	if err != nil {
		return googleToken{}, err
	}
	if version != googleVersion {
		return googleToken{}, ErrVersion
	}
	var t googleToken
	part := o.only("protocolVersion", "signature", "signedMessage")
	if t.signature, err = o.base64("signature", 256); err != nil {
		return googleToken{}, err
	}
	if t.signedMessage, err = o.text("signedMessage", 6<<10); err != nil {
		return googleToken{}, err
	}
	intermediate, err := o.object("intermediateSigningKey")
	if err != nil {
		return googleToken{}, err
	}
	part["intermediateSigningKey"] = intermediate.only("signedKey", "signatures")
	t.text = part.jsonText()
	if t.signedKey, err = intermediate.text("signedKey", 1<<10); err != nil {
		return googleToken{}, err
	}
	signatures, err := intermediate.texts("signatures", 256)
	if err != nil {
		return googleToken{}, err
	}
	for _, text := range signatures {
		signature, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return googleToken{}, ErrMalformed
		}
		t.keySignatures = append(t.keySignatures, signature)
	}
	return t, nil
}

// verify checks the signature of a root over the intermediate key, and that key's over the message. It returns when the
// key ends.
func (g Google) verify(t googleToken, check Check) (until time.Time, err error) {
	if len(g.Roots) == 0 {
		return until, ErrNoRoot
	}
	if !g.certifies(t, check.At) {
		return until, ErrChain
	}
	signedKey, err := parseObject([]byte(t.signedKey))
	if err != nil {
		return until, err
	}
	text, err := signedKey.text("keyValue", 256)
	if err != nil {
		return until, err
	}
	intermediate, err := parseSigningKey(text)
	if err != nil {
		return until, err
	}
	if until, err = checkExpiry(signedKey, "keyExpiration", check.At); err != nil {
		return until, err
	}
	if len(check.Recipients) == 0 {
		return until, nil
	}
	for _, recipient := range check.Recipients {
		if verifies(intermediate, t.signature, googleSender, recipient, googleVersion, t.signedMessage) {
			return until, nil
		}
	}
	return until, errForOther
}

// certifies reports whether a root that is not over signed the token's intermediate key. One signature is enough, so
// that the vendor can change its roots.
func (g Google) certifies(t googleToken, at time.Time) bool {
	for _, root := range g.Roots {
		for _, signature := range t.keySignatures {
			if at.Before(root.Until) && verifies(root.Key, signature, googleSender, googleVersion, t.signedKey) {
				return true
			}
		}
	}
	return false
}

// verifies checks an ECDSA signature over fields, each with its length before it.
func verifies(key *ecdsa.PublicKey, signature []byte, fields ...string) bool {
	hash := sha256.New()
	for _, field := range fields {
		hash.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(field))))
		hash.Write([]byte(field))
	}
	return ecdsa.VerifyASN1(key, hash.Sum(nil), signature)
}

// parseSigningKey reads a public key of P-256: base64 of its SubjectPublicKeyInfo.
func parseSigningKey(text string) (*ecdsa.PublicKey, error) {
	der, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, ErrMalformed
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, ErrMalformed
	}
	key, ok := parsed.(*ecdsa.PublicKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, ErrMalformed
	}
	return key, nil
}
