package wallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"slices"
	"time"
)

// PrivateKey decrypts tokens of Google Pay.
type PrivateKey struct {
	key *ecdh.PrivateKey // P-256
}

// ParsePrivateKey reads a private key of P-256 in PEM.
func ParsePrivateKey(text string) (PrivateKey, error) {
	parsed, err := parsePrivateKey(text)
	if err != nil {
		return PrivateKey{}, err
	}
	private, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return PrivateKey{}, errPrivateKey
	}
	key, err := private.ECDH()
	if err != nil || key.Curve() != ecdh.P256() {
		return PrivateKey{}, errPrivateKey
	}
	return PrivateKey{key}, nil
}

// googleMessage is the encrypted part of a token of Google Pay.
type googleMessage struct {
	ciphertext []byte
	ephemeral  []byte // uncompressed point
	tag        []byte
}

func parseGoogleMessage(text string) (googleMessage, error) {
	o, err := parseObject([]byte(text))
	if err != nil {
		return googleMessage{}, err
	}
	var m googleMessage
	if m.ciphertext, err = o.base64("encryptedMessage", 6<<10); err != nil {
		return googleMessage{}, err
	}
	if m.ephemeral, err = o.base64("ephemeralPublicKey", 128); err != nil {
		return googleMessage{}, err
	}
	if m.tag, err = o.base64("tag", 64); err != nil {
		return googleMessage{}, err
	}
	return m, nil
}

// decrypt returns the message's plain text: ECIES with HKDF-SHA256, HMAC-SHA256 and AES-256-CTR.
func (m googleMessage) decrypt(keys []PrivateKey) ([]byte, error) {
	public, err := ecdh.P256().NewPublicKey(m.ephemeral)
	if err != nil {
		return nil, ErrMalformed
	}
	for _, k := range keys {
		shared, err := k.key.ECDH(public)
		if err != nil {
			return nil, ErrMalformed
		}
		secret, err := hkdf.Key(sha256.New, slices.Concat(m.ephemeral, shared), make([]byte, sha256.Size), googleSender, 64)
		if err != nil {
			return nil, ErrDecrypt
		}
		mac := hmac.New(sha256.New, secret[32:])
		mac.Write(m.ciphertext)
		if !hmac.Equal(mac.Sum(nil), m.tag) {
			continue
		}
		block, err := aes.NewCipher(secret[:32])
		if err != nil {
			return nil, ErrDecrypt
		}
		plain := make([]byte, len(m.ciphertext))
		cipher.NewCTR(block, make([]byte, aes.BlockSize)).XORKeyStream(plain, m.ciphertext)
		return plain, nil
	}
	return nil, ErrDecrypt
}

// openGoogle reads the plain text and compares it with the settings.
func openGoogle(plain []byte, check Check) (Opened, error) {
	o, err := parseObject(plain)
	if err != nil {
		return Opened{}, err
	}
	until, err := checkExpiry(o, "messageExpiration", check.At)
	if err != nil {
		return Opened{}, err
	}
	id, err := o.text("messageId", 512)
	if err != nil {
		return Opened{}, err
	}
	gatewayMerchant, err := o.optional("gatewayMerchantId", 256)
	if err != nil {
		return Opened{}, err
	}
	if check.GatewayMerchantID != "" && gatewayMerchant != check.GatewayMerchantID {
		return Opened{}, ErrRecipient
	}
	kind, err := o.text("paymentMethod", 32)
	if err != nil || kind != "CARD" {
		return Opened{}, ErrMalformed
	}
	details, err := o.object("paymentMethodDetails")
	if err != nil {
		return Opened{}, err
	}
	opened := Opened{Verified: Verified{ID: hashOf([]byte(id)), Until: until}}
	if err := opened.readDetails(details, check); err != nil {
		return Opened{}, err
	}
	return opened, nil
}

func (opened *Opened) readDetails(o object, check Check) error {
	var err error
	if opened.Number, err = o.text("pan", 19); err != nil || !isPAN(opened.Number) {
		return ErrMalformed
	}
	month, err := o.number("expirationMonth")
	if err != nil || month < 1 || month > 12 {
		return ErrMalformed
	}
	year, err := o.number("expirationYear")
	if err != nil || year < 2000 || year > 9999 {
		return ErrMalformed
	}
	opened.ExpiryMonth, opened.ExpiryYear = int(month), int(year)
	if opened.AuthMethod, err = o.text("authMethod", 32); err != nil {
		return err
	}
	if !slices.Contains(check.AuthMethods, opened.AuthMethod) {
		return ErrAuthMethod
	}
	switch opened.AuthMethod {
	case PANOnly:
		opened.PANType = FPAN
		return nil
	case Cryptogram3DS:
		opened.PANType = DPAN
		return opened.setCryptogram(o, "cryptogram")
	}
	return ErrAuthMethod
}

const googleSender = "Google"

// checkExpiry compares a time, which is text with milliseconds, with the clock, and returns it.
func checkExpiry(o object, key string, at time.Time) (time.Time, error) {
	text, err := o.text(key, 19)
	if err != nil {
		return time.Time{}, err
	}
	milliseconds, err := integer(text)
	if err != nil {
		return time.Time{}, err
	}
	until := time.UnixMilli(milliseconds).UTC()
	if !at.Before(until) {
		return time.Time{}, ErrExpired
	}
	return until, nil
}
