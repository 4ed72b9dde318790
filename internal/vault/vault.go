// Package vault seals and opens card data. The payer's browser seals a card
// with HPKE (RFC 9180, base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256,
// AES-256-GCM) to the vault's public key; the connector function alone opens
// it. Local keeps the private key in memory; KMS leaves it in AWS KMS and asks
// for each Diffie-Hellman secret. Seal is the Go side of what the page does.
//
// A saved card is kept as AES-256-GCM under a data key of its own, which is
// stored wrapped by a second key: again one in memory, or one of KMS.
//
// Merchants' secrets are AES-256-GCM under one data key for each use, wrapped
// likewise, and unwrapped once by those functions that may (Secrets).
package vault

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"checkout/internal/checkout"
)

const (
	// encSize is the encapsulated key's size: an uncompressed P-256 point.
	encSize = 65
	// maxCiphertext is the largest ciphertext that is looked at, in bytes. A sealed card takes about 110.
	maxCiphertext = 1024
)

var text = base64.RawURLEncoding

// Seal seals a card to an uncompressed P-256 point as the checkout page does,
// with info as both info and aad. The randomness is the system's own. It
// fails if point is no P-256 point or if the sealed card would be too large to open.
func Seal(point []byte, keyID, info string, card checkout.Card) (checkout.Sealed, error) {
	key, err := hpke.DHKEM(ecdh.P256()).NewPublicKey(point)
	if err != nil {
		return checkout.Sealed{}, fmt.Errorf("the vault's public key: %w", err)
	}
	plain, err := json.Marshal(card)
	if err != nil {
		return checkout.Sealed{}, errors.New("the card can't be encoded")
	}
	defer clear(plain)
	enc, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(info))
	if err != nil {
		return checkout.Sealed{}, fmt.Errorf("seal a card: %w", err)
	}
	ciphertext, err := sender.Seal([]byte(info), plain)
	if err != nil {
		return checkout.Sealed{}, fmt.Errorf("seal a card: %w", err)
	}
	if len(ciphertext) > maxCiphertext {
		return checkout.Sealed{}, fmt.Errorf("the sealed card has more than %d bytes", maxCiphertext)
	}
	return checkout.Sealed{KeyID: keyID, Enc: text.EncodeToString(enc), Ciphertext: text.EncodeToString(ciphertext)}, nil
}

// keyID names a public key: the first 16 bytes of its SHA-256, base64url. It
// goes to every browser, so it says nothing about where the key is kept.
func keyID(point []byte) string {
	sum := sha256.Sum256(point)
	return text.EncodeToString(sum[:16])
}

// unseal opens a card. Its failures are final and name no content: they are
// ErrSealed, whatever the key's ECDH answered.
func unseal(key ecdh.KeyExchanger, sealed checkout.Sealed, info string) (checkout.Card, error) {
	if sealed.KeyID != keyID(key.PublicKey().Bytes()) {
		return checkout.Card{}, refuse("unknown key")
	}
	enc, err := decode(sealed.Enc, encSize)
	if err != nil || len(enc) != encSize {
		return checkout.Card{}, refuse("bad encapsulated key")
	}
	ciphertext, err := decode(sealed.Ciphertext, maxCiphertext)
	if err != nil {
		return checkout.Card{}, refuse("bad ciphertext")
	}
	private, err := hpke.NewDHKEMPrivateKey(key)
	if err != nil {
		return checkout.Card{}, refuse("bad key")
	}
	recipient, err := hpke.NewRecipient(enc, private, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(info))
	if err != nil {
		return checkout.Card{}, refuse("bad encapsulated key")
	}
	plain, err := recipient.Open([]byte(info), ciphertext)
	if err != nil {
		return checkout.Card{}, refuse("wrong key, info or ciphertext")
	}
	defer clear(plain) // the strings of the Card and the decoder's buffer stay; Go can't clear those
	return parse[checkout.Card](plain)
}

// parse reads the JSON of a card, sealed or kept. The decoder's own errors quote what they read, so none of them gets out.
func parse[C any](plain []byte) (C, error) {
	decoder := json.NewDecoder(bytes.NewReader(plain))
	decoder.DisallowUnknownFields()
	var card *C
	var none C
	if err := decoder.Decode(&card); err != nil || card == nil {
		return none, refuse("the content is no card")
	}
	if _, err := decoder.Token(); err != io.EOF {
		return none, refuse("the content is more than a card")
	}
	return *card, nil
}

// decode reads base64url without padding of at most most bytes.
func decode(s string, most int) ([]byte, error) {
	if len(s) > text.EncodedLen(most) {
		return nil, errors.New("too long")
	}
	return text.DecodeString(s)
}

func refuse(why string) error {
	return fmt.Errorf("%w: %s", checkout.ErrSealed, why)
}
