package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/json"
	"errors"
	"fmt"

	"checkout/internal/card"
)

const (
	// keySize is the size of a data key and of a local wrapping key: AES-256. A local key pair is made of as much (RFC 9180, 7.1.3).
	keySize = 32
	// nonceSize is that of AES-GCM.
	nonceSize = 12
	// maxWrapped is the largest wrapped key that is looked at, in bytes: the largest that KMS decrypts. KMS's own take about 180 (data keys) and 350 (private halves).
	maxWrapped = 6144
)

// keptCard is all of a card that is kept. Its security code and a payee's card have no place in it.
type keptCard struct {
	Number      string `json:"number"`
	ExpiryMonth int    `json:"expiry_month"`
	ExpiryYear  int    `json:"expiry_year"`
}

// keptBytes is a Kept, decoded.
type keptBytes struct {
	wrapped []byte
	sealed  []byte // nonce and ciphertext
}

// keep encrypts what is kept of a card under its data key, with bound as associated data.
func keep(key dataKey, c card.Card, bound string) (card.Encrypted, error) {
	plain, err := json.Marshal(keptCard{c.Number, c.ExpiryMonth, c.ExpiryYear})
	if err != nil {
		return card.Encrypted{}, errors.New("the card can't be encoded")
	}
	defer clear(plain)
	sealed := key.aead.Seal(nil, nil, plain, []byte(bound))
	if len(sealed) > maxCiphertext {
		return card.Encrypted{}, errors.New("the kept card would be too large to open")
	}
	return card.Encrypted{
		Key:        text.EncodeToString(key.wrapped),
		Nonce:      text.EncodeToString(sealed[:nonceSize]),
		Ciphertext: text.EncodeToString(sealed[nonceSize:]),
	}, nil
}

// decodeKept checks the form of a kept card, so that no key is asked for what can't be one.
func decodeKept(kept card.Encrypted) (keptBytes, error) {
	wrapped, err := decode(kept.Key, maxWrapped)
	if err != nil || len(wrapped) == 0 {
		return keptBytes{}, refuse("bad wrapped key")
	}
	nonce, err := decode(kept.Nonce, nonceSize)
	if err != nil || len(nonce) != nonceSize {
		return keptBytes{}, refuse("bad nonce")
	}
	ciphertext, err := decode(kept.Ciphertext, maxCiphertext-nonceSize)
	if err != nil || len(ciphertext) == 0 {
		return keptBytes{}, refuse("bad ciphertext")
	}
	return keptBytes{wrapped, append(nonce, ciphertext...)}, nil
}

// openKept decrypts a kept card with its data key. Every failure is final and names no content.
func openKept(aead cipher.AEAD, sealed []byte, bound string) (card.Card, error) {
	plain, err := aead.Open(nil, nil, sealed, []byte(bound))
	if err != nil {
		return card.Card{}, refuse("wrong key, bound text or ciphertext")
	}
	defer clear(plain) // as in unseal, strings stay
	c, err := parse[keptCard](plain)
	return card.Card{Number: c.Number, ExpiryMonth: c.ExpiryMonth, ExpiryYear: c.ExpiryYear}, err
}

// newAEAD answers AES-256-GCM with the system's own random nonces, each of which stands before its ciphertext.
func newAEAD(key []byte) (cipher.AEAD, error) {
	if len(key) != keySize {
		return nil, fmt.Errorf("a key of %d bytes", len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
