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
	// keySize is the size of an AES-256 key in bytes, and of the seed of a local key pair (RFC 9180, 7.1.3).
	keySize = 32
	// nonceSize is the size of a nonce of AES-GCM in bytes.
	nonceSize = 12
	// maxWrapped is the size of the largest ciphertext that KMS decrypts, in bytes. A wrapped data key has about 180, a
	// wrapped private half about 350.
	maxWrapped = 6144
)

// savedCard is the part of a card that is saved. It has neither the security code nor a payee's card number.
type savedCard struct {
	Number      string `json:"number"`
	ExpiryMonth int    `json:"expiry_month"`
	ExpiryYear  int    `json:"expiry_year"`
}

// encryptedBytes is a card.Encrypted, decoded.
type encryptedBytes struct {
	wrapped    []byte
	ciphertext []byte // begins with the nonce
}

// encryptCard encrypts the saved part of a card.
func encryptCard(key dataKey, c card.Card, associated string) (card.Encrypted, error) {
	plain, err := json.Marshal(savedCard{c.Number, c.ExpiryMonth, c.ExpiryYear})
	if err != nil {
		return card.Encrypted{}, errors.New("the card can't be encoded")
	}
	defer clear(plain)
	ciphertext := key.aead.Seal(nil, nil, plain, []byte(associated))
	if len(ciphertext) > maxCiphertext {
		return card.Encrypted{}, errors.New("the encrypted card would be too large to decrypt")
	}
	return card.Encrypted{
		Key:        base64url.EncodeToString(key.wrapped),
		Nonce:      base64url.EncodeToString(ciphertext[:nonceSize]),
		Ciphertext: base64url.EncodeToString(ciphertext[nonceSize:]),
	}, nil
}

// decodeEncrypted checks the form of an encrypted card, so that KMS is not called for what can't be one.
func decodeEncrypted(encrypted card.Encrypted) (encryptedBytes, error) {
	wrapped, err := decode(encrypted.Key, maxWrapped)
	if err != nil || len(wrapped) == 0 {
		return encryptedBytes{}, decryptError("bad wrapped key")
	}
	nonce, err := decode(encrypted.Nonce, nonceSize)
	if err != nil || len(nonce) != nonceSize {
		return encryptedBytes{}, decryptError("bad nonce")
	}
	ciphertext, err := decode(encrypted.Ciphertext, maxCiphertext-nonceSize)
	if err != nil || len(ciphertext) == 0 {
		return encryptedBytes{}, decryptError("bad ciphertext")
	}
	return encryptedBytes{wrapped, append(nonce, ciphertext...)}, nil
}

// decryptCard decrypts a saved card. Every error is card.ErrDecrypt and reveals nothing of the card.
func decryptCard(aead cipher.AEAD, ciphertext []byte, associated string) (card.Card, error) {
	plain, err := aead.Open(nil, nil, ciphertext, []byte(associated))
	if err != nil {
		return card.Card{}, decryptError("wrong key, associated data or ciphertext")
	}
	defer clear(plain) // strings can't be cleared, see unseal
	c, err := parse[savedCard](plain)
	return card.Card{Number: c.Number, ExpiryMonth: c.ExpiryMonth, ExpiryYear: c.ExpiryYear}, err
}

// newAEAD returns AES-256-GCM with random nonces of the system. Each ciphertext begins with its nonce.
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
