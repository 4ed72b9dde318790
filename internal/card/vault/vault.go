// Package vault encrypts card data and merchants' secrets.
//
// The payer's browser seals a card to the key of the day with HPKE (RFC 9180, base mode: DHKEM(P-256, HKDF-SHA256),
// HKDF-SHA256, AES-256-GCM). Only the connector function opens it. Seal does in Go what the page does in the browser.
//
// A saved card is encrypted with AES-256-GCM. All cards that are saved within an hour can share a data key.
//
// A merchant's secret is sealed with HPKE, too, to a key pair for each use (Sealer), so that whoever stores it can't
// decrypt any. Secrets decrypts it, and those that earlier releases have encrypted with AES-256-GCM under one data key
// for each use.
//
// All keys are stored wrapped by a key of AWS KMS, or of memory in a local run. A function unwraps each key once and
// then uses it from memory.
package vault

import (
	"context"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"checkout/internal/card"
	"checkout/internal/store"
)

// maxCiphertext is the size of the largest ciphertext that is decrypted, in bytes.
const maxCiphertext = card.MaxSealed

var base64url = base64.RawURLEncoding

// Vault implements card.Vault with a keyring.
type Vault struct {
	keys keyring
	now  func() time.Time

	mu       sync.Mutex
	current  dataKey                // encrypts the cards that are saved now
	dataKeys map[string]cipher.AEAD // by their wrapped form
}

// dataKey encrypts saved cards.
type dataKey struct {
	aead    cipher.AEAD
	wrapped []byte
	madeAt  time.Time
	cards   int
}

func newVault(keys keyring, now func() time.Time) *Vault { return &Vault{keys: keys, now: now} }

// keyring makes keys and wraps each for one use. Only the same keyring can unwrap them.
type keyring interface {
	// newKeyPair returns the public half as DER (SubjectPublicKeyInfo) and the private half wrapped.
	newKeyPair(ctx context.Context, use use) (public, wrapped []byte, err error)
	// newDataKey returns a key of 32 bytes, and the same key wrapped.
	newDataKey(ctx context.Context, use use) (plain, wrapped []byte, err error)
	// unwrap returns a data key, or the private half of a key pair as DER (PKCS #8). It fails with card.ErrDecrypt if
	// the bytes or the use are wrong.
	unwrap(ctx context.Context, wrapped []byte, use use) ([]byte, error)
}

// use is the only use of a wrapped key: a private half is for one day, a data key for saved cards.
type use struct{ name, value string }

// Seal implements card.Vault. It encrypts a card as the checkout page does, with info as both info and aad. It fails if
// the key is no P-256 point or if the sealed card would be too large to open.
func (v *Vault) Seal(to card.PublicKey, info string, c card.Card) (card.Sealed, error) {
	point, err := base64url.DecodeString(to.Point)
	if err != nil {
		return card.Sealed{}, errors.New("the vault's public key is no base64url")
	}
	key, err := hpke.DHKEM(ecdh.P256()).NewPublicKey(point)
	if err != nil {
		return card.Sealed{}, fmt.Errorf("the vault's public key: %w", err)
	}
	plain, err := json.Marshal(c)
	if err != nil {
		return card.Sealed{}, errors.New("the card can't be encoded")
	}
	defer clear(plain)
	enc, ciphertext, err := seal(key, []byte(info), plain)
	if err != nil {
		return card.Sealed{}, fmt.Errorf("seal a card: %w", err)
	}
	if len(ciphertext) > maxCiphertext {
		return card.Sealed{}, fmt.Errorf("the sealed card has more than %d bytes", maxCiphertext)
	}
	return card.Sealed{
		KeyID: to.ID, Enc: base64url.EncodeToString(enc), Ciphertext: base64url.EncodeToString(ciphertext),
	}, nil
}

// unseal decrypts a card. Every error is card.ErrDecrypt and reveals nothing of the card.
func unseal(key *ecdh.PrivateKey, sealed card.Sealed, info string) (card.Card, error) {
	enc, err := decode(sealed.Enc, encSize)
	if err != nil || len(enc) != encSize {
		return card.Card{}, decryptError("bad encapsulated key")
	}
	ciphertext, err := decode(sealed.Ciphertext, maxCiphertext)
	if err != nil {
		return card.Card{}, decryptError("bad ciphertext")
	}
	private, err := hpke.NewDHKEMPrivateKey(key)
	if err != nil {
		return card.Card{}, decryptError("bad key")
	}
	plain, err := open(private, enc, []byte(info), ciphertext)
	if err != nil {
		return card.Card{}, decryptError(err.Error())
	}
	defer clear(plain) // the strings of the card and the decoder's buffer can't be cleared
	return parse[card.Card](plain)
}

// parse reads the JSON of a card. It returns none of the decoder's errors, since they quote what they read.
func parse[C any](plain []byte) (C, error) {
	var card *C
	if err := store.ReadExactly(plain, &card); err != nil || card == nil {
		var none C
		return none, decryptError("the content is no card, or more than one")
	}
	return *card, nil
}

// decode reads base64url without padding, of up to limit bytes.
func decode(s string, limit int) ([]byte, error) {
	if len(s) > base64url.EncodedLen(limit) {
		return nil, errors.New("too long")
	}
	return base64url.DecodeString(s)
}

func decryptError(reason string) error {
	return fmt.Errorf("%w: %s", card.ErrDecrypt, reason)
}
