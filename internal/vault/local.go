package vault

import (
	"context"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hpke"
	"fmt"
	"io"
	"slices"
	"sync"

	"checkout/internal/checkout"
)

// seedSize is how many random bytes a key is made of (RFC 9180, 7.1.3: at least 32 for P-256).
const seedSize = 32

// Local is a vault with its keys in memory, for a local run and for tests.
type Local struct {
	key *ecdh.PrivateKey

	mu       sync.Mutex
	random   io.Reader
	wrapping []cipher.AEAD // wrap the data keys of kept cards; the newest first
}

var _ checkout.Vault = (*Local)(nil)

// NewLocal makes a vault with keys from random, which it goes on to read: 32
// bytes for sealed cards (RFC 9180, DeriveKeyPair), 32 for the first wrapping
// key, and 32 for every card that is kept. The same bytes make the same keys.
// It fails if random does.
func NewLocal(random io.Reader) (*Local, error) {
	key, err := deriveKey(random)
	if err != nil {
		return nil, fmt.Errorf("make the vault's key: %w", err)
	}
	v := &Local{key: key, random: random}
	if err := v.Rotate(); err != nil {
		return nil, err
	}
	return v, nil
}

func deriveKey(random io.Reader) (*ecdh.PrivateKey, error) {
	seed := make([]byte, seedSize)
	defer clear(seed)
	if _, err := io.ReadFull(random, seed); err != nil {
		return nil, err
	}
	derived, err := hpke.DHKEM(ecdh.P256()).DeriveKeyPair(seed)
	if err != nil {
		return nil, err
	}
	scalar, err := derived.Bytes()
	if err != nil {
		return nil, err
	}
	defer clear(scalar)
	return ecdh.P256().NewPrivateKey(scalar)
}

// PublicKey answers the key's id and its uncompressed P-256 point. It never fails.
func (v *Local) PublicKey(context.Context) (string, []byte, error) {
	point := v.key.PublicKey().Bytes()
	return keyID(point), point, nil
}

// Open opens a card sealed to this vault's key with info as both info and
// aad. Every failure is checkout.ErrSealed.
func (v *Local) Open(_ context.Context, sealed checkout.Sealed, info string) (checkout.Card, error) {
	return unseal(v.key, sealed, info)
}

// Rotate makes a new wrapping key for the cards that are kept from now on.
// Those kept before still open. It fails if random does.
func (v *Local) Rotate() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	key, err := v.draw()
	if err != nil {
		return fmt.Errorf("make a wrapping key: %w", err)
	}
	defer clear(key)
	aead, err := newAEAD(key)
	if err != nil {
		return fmt.Errorf("make a wrapping key: %w", err)
	}
	v.wrapping = slices.Insert(v.wrapping, 0, aead)
	return nil
}

// draw reads the bytes of one key. The caller holds the lock.
func (v *Local) draw() ([]byte, error) {
	key := make([]byte, keySize)
	_, err := io.ReadFull(v.random, key)
	return key, err
}

// Keep encrypts a card's number and expiry under a data key of its own, with
// bound as associated data. It fails if random does.
func (v *Local) Keep(_ context.Context, card checkout.Card, bound string) (checkout.Kept, error) {
	v.mu.Lock()
	key, err := v.draw()
	wrapping := v.wrapping[0]
	v.mu.Unlock()
	if err != nil {
		return checkout.Kept{}, fmt.Errorf("make a data key: %w", err)
	}
	defer clear(key)
	return keep(dataKey{key, wrapping.Seal(nil, nil, key, []byte(bound))}, card, bound)
}

// OpenKept opens what Keep made under any wrapping key that the vault has had.
// Every failure is checkout.ErrSealed.
func (v *Local) OpenKept(_ context.Context, kept checkout.Kept, bound string) (checkout.Card, error) {
	stored, err := decodeKept(kept)
	if err != nil {
		return checkout.Card{}, err
	}
	key, err := v.unwrap(stored.wrapped, bound)
	if err != nil {
		return checkout.Card{}, err
	}
	defer clear(key)
	return openKept(key, stored.sealed, bound)
}

// unwrap tries the wrapping keys in turn.
func (v *Local) unwrap(wrapped []byte, bound string) ([]byte, error) {
	v.mu.Lock()
	wrapping := slices.Clone(v.wrapping)
	v.mu.Unlock()
	for _, aead := range wrapping {
		if key, err := aead.Open(nil, nil, wrapped, []byte(bound)); err == nil {
			return key, nil
		}
	}
	return nil, refuse("no key of this vault opens it")
}
