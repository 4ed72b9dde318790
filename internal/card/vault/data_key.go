package vault

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"
)

const (
	dataKeyTTL   = time.Hour // how long cards are encrypted under the same data key
	dataKeyCards = 1 << 20   // cards under one data key: far fewer than random nonces of AES-GCM allow
	dataKeyLimit = 4096      // unwrapped data keys in memory; when there are more, all are removed
)

// savedCards is the use of all data keys. It names no merchant and no card: the associated data of each encrypted card
// does.
var savedCards = use{"use", "saved cards"}

// Encrypt encrypts a card's number and expiry. It makes a new data key once an hour, and fails if the keyring can't be
// reached then.
func (v *Vault) Encrypt(ctx context.Context, c card.Card, associated string) (card.Encrypted, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	if v.current.aead == nil || now.Sub(v.current.madeAt) >= dataKeyTTL || v.current.cards >= dataKeyCards {
		key, err := v.newDataKey(ctx, now)
		if err != nil {
			return card.Encrypted{}, err
		}
		v.current = key
		v.cache(string(key.wrapped), key.aead)
	}
	v.current.cards++
	return encryptCard(v.current, c, associated)
}

func (v *Vault) newDataKey(ctx context.Context, now time.Time) (dataKey, error) {
	plain, wrapped, err := v.keys.newDataKey(ctx, savedCards)
	if err != nil {
		return dataKey{}, err
	}
	defer clear(plain) // the SDK's read buffer can't be cleared
	aead, err := newAEAD(plain)
	if err != nil {
		return dataKey{}, fmt.Errorf("make a data key: %w", err)
	}
	if len(wrapped) == 0 || len(wrapped) > maxWrapped {
		return dataKey{}, errors.New("the data key is not wrapped")
	}
	return dataKey{aead: aead, wrapped: wrapped, madeAt: now}, nil
}

// Decrypt returns the card that Encrypt was given. It fails with card.ErrDecrypt if the bytes or the associated data
// are wrong, and with another error if the keyring could not be reached.
func (v *Vault) Decrypt(ctx context.Context, encrypted card.Encrypted, associated string) (card.Card, error) {
	stored, err := decodeEncrypted(encrypted)
	if err != nil {
		return card.Card{}, err
	}
	aead, err := v.unwrapped(ctx, stored.wrapped)
	if err != nil {
		return card.Card{}, err
	}
	return decryptCard(aead, stored.ciphertext, associated)
}

// unwrapped returns a data key by its wrapped form, from memory or from the keyring.
func (v *Vault) unwrapped(ctx context.Context, wrapped []byte) (cipher.AEAD, error) {
	v.mu.Lock()
	aead := v.dataKeys[string(wrapped)]
	v.mu.Unlock()
	if aead != nil {
		return aead, nil
	}
	plain, err := v.keys.unwrap(ctx, wrapped, savedCards)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	if aead, err = newAEAD(plain); err != nil {
		return nil, decryptError("the wrapped key is no data key")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cache(string(wrapped), aead)
	return aead, nil
}

// cache stores an unwrapped data key in memory. The caller holds the lock.
func (v *Vault) cache(wrapped string, aead cipher.AEAD) {
	if v.dataKeys == nil || len(v.dataKeys) >= dataKeyLimit {
		v.dataKeys = map[string]cipher.AEAD{}
	}
	v.dataKeys[wrapped] = aead
}
