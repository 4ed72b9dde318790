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
	dataKeyCards = 1 << 20   // and how many at most: far below what random nonces of AES-GCM allow
	dataKeyLimit = 4096      // unwrapped data keys that are remembered; a full memory starts anew
)

// savedCards is what all data keys are wrapped for. Which card is whose is
// bound to each ciphertext instead, by its associated data.
var savedCards = use{"use", "saved cards"}

// dataKey encrypts cards that are kept.
type dataKey struct {
	aead    cipher.AEAD
	wrapped []byte
	madeAt  time.Time
	cards   int
}

// Keep encrypts a card's number and expiry, with bound as associated data. The
// vault's own keys are asked once an hour. It fails if they can't be reached.
func (v *Vault) Keep(ctx context.Context, c card.Card, bound string) (card.Encrypted, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	if v.current.aead == nil || now.Sub(v.current.madeAt) >= dataKeyTTL || v.current.cards >= dataKeyCards {
		key, err := v.newDataKey(ctx, now)
		if err != nil {
			return card.Encrypted{}, err
		}
		v.current = key
		v.remember(string(key.wrapped), key.aead)
	}
	v.current.cards++
	return keep(v.current, c, bound)
}

func (v *Vault) newDataKey(ctx context.Context, now time.Time) (dataKey, error) {
	plain, wrapped, err := v.keys.newDataKey(ctx, savedCards)
	if err != nil {
		return dataKey{}, err
	}
	defer clear(plain) // the SDK's read buffer stays; Go can't clear that
	aead, err := newAEAD(plain)
	if err != nil {
		return dataKey{}, fmt.Errorf("make a data key: %w", err)
	}
	if len(wrapped) == 0 || len(wrapped) > maxWrapped {
		return dataKey{}, errors.New("the data key is not wrapped")
	}
	return dataKey{aead: aead, wrapped: wrapped, madeAt: now}, nil
}

// OpenKept opens what Keep made, under whichever data key. It fails with
// checkout.ErrSealed if the bytes or bound are to blame, and with another
// error if the vault's keys could not be reached.
func (v *Vault) OpenKept(ctx context.Context, kept card.Encrypted, bound string) (card.Card, error) {
	stored, err := decodeKept(kept)
	if err != nil {
		return card.Card{}, err
	}
	aead, err := v.unwrapped(ctx, stored.wrapped)
	if err != nil {
		return card.Card{}, err
	}
	return openKept(aead, stored.sealed, bound)
}

// unwrapped is a data key that was wrapped. Only those that open are remembered.
func (v *Vault) unwrapped(ctx context.Context, wrapped []byte) (cipher.AEAD, error) {
	v.mu.Lock()
	aead := v.opened[string(wrapped)]
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
		return nil, refuse("the wrapped key is no data key")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.remember(string(wrapped), aead)
	return aead, nil
}

// remember keeps an unwrapped data key in memory. The caller holds the lock.
func (v *Vault) remember(wrapped string, aead cipher.AEAD) {
	if v.opened == nil || len(v.opened) >= dataKeyLimit {
		v.opened = map[string]cipher.AEAD{}
	}
	v.opened[wrapped] = aead
}
