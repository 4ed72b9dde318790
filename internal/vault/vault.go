// Package vault seals and opens card data. The payer's browser seals a card
// with HPKE (RFC 9180, base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256,
// AES-256-GCM) to the key of the day; the connector function alone opens it.
// Seal is the Go side of what the page does.
//
// A saved card is kept as AES-256-GCM under a data key that several cards
// share for an hour.
//
// Merchants' secrets are AES-256-GCM under one data key for each use, wrapped
// likewise, and unwrapped once by those functions that may (Secrets).
//
// All keys are stored wrapped, by a keyring of AWS KMS or of memory,
// and unwrapped into memory by the connector: opening a card asks nobody once
// its key is there.
package vault

import (
	"bytes"
	"context"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"checkout/internal/card"
)

const (
	// encSize is the encapsulated key's size: an uncompressed P-256 point.
	encSize = 65
	// maxCiphertext is the largest ciphertext that is looked at, in bytes. A sealed card takes about 110.
	maxCiphertext = 1024
)

var text = base64.RawURLEncoding

// Vault is a checkout.Vault over a keyring.
type Vault struct {
	keys keyring
	now  func() time.Time

	mu      sync.Mutex
	current dataKey                // that cards are encrypted under now
	opened  map[string]cipher.AEAD // data keys by their wrapped form
}

func newVault(keys keyring, now func() time.Time) *Vault { return &Vault{keys: keys, now: now} }

// keyring makes keys and wraps them, each for one use, so that it alone can unwrap them again.
type keyring interface {
	// newKeyPair returns the public half as DER, SubjectPublicKeyInfo, and the private one wrapped.
	newKeyPair(ctx context.Context, use use) (public, wrapped []byte, err error)
	// newDataKey returns a key of 32 bytes, and the same key wrapped.
	newDataKey(ctx context.Context, use use) (plain, wrapped []byte, err error)
	// unwrap returns what was wrapped, of a key pair the private half as DER,
	// PKCS #8. It fails with checkout.ErrSealed if bytes or use are to blame.
	unwrap(ctx context.Context, wrapped []byte, use use) ([]byte, error)
}

// use is what a wrapped key is good for, and for nothing else.
type use struct{ name, value string }

// Seal seals a card to an uncompressed P-256 point as the checkout page does,
// with info as both info and aad. The randomness is the system's own. It
// fails if point is no P-256 point or if the sealed card would be too large to open.
func Seal(point []byte, keyID, info string, c card.Card) (card.Sealed, error) {
	key, err := hpke.DHKEM(ecdh.P256()).NewPublicKey(point)
	if err != nil {
		return card.Sealed{}, fmt.Errorf("the vault's public key: %w", err)
	}
	plain, err := json.Marshal(c)
	if err != nil {
		return card.Sealed{}, errors.New("the card can't be encoded")
	}
	defer clear(plain)
	enc, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(info))
	if err != nil {
		return card.Sealed{}, fmt.Errorf("seal a card: %w", err)
	}
	ciphertext, err := sender.Seal([]byte(info), plain)
	if err != nil {
		return card.Sealed{}, fmt.Errorf("seal a card: %w", err)
	}
	if len(ciphertext) > maxCiphertext {
		return card.Sealed{}, fmt.Errorf("the sealed card has more than %d bytes", maxCiphertext)
	}
	return card.Sealed{KeyID: keyID, Enc: text.EncodeToString(enc), Ciphertext: text.EncodeToString(ciphertext)}, nil
}

// unseal opens a card. Its failures are final, name no content and are ErrSealed.
func unseal(key *ecdh.PrivateKey, sealed card.Sealed, info string) (card.Card, error) {
	enc, err := decode(sealed.Enc, encSize)
	if err != nil || len(enc) != encSize {
		return card.Card{}, refuse("bad encapsulated key")
	}
	ciphertext, err := decode(sealed.Ciphertext, maxCiphertext)
	if err != nil {
		return card.Card{}, refuse("bad ciphertext")
	}
	private, err := hpke.NewDHKEMPrivateKey(key)
	if err != nil {
		return card.Card{}, refuse("bad key")
	}
	recipient, err := hpke.NewRecipient(enc, private, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(info))
	if err != nil {
		return card.Card{}, refuse("bad encapsulated key")
	}
	plain, err := recipient.Open([]byte(info), ciphertext)
	if err != nil {
		return card.Card{}, refuse("wrong key, info or ciphertext")
	}
	defer clear(plain) // the strings of the Card and the decoder's buffer stay; Go can't clear those
	return parse[card.Card](plain)
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
	return fmt.Errorf("%w: %s", card.ErrSealed, why)
}
