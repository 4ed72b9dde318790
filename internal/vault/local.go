package vault

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"fmt"
	"io"

	"checkout/internal/checkout"
)

// seedSize is how many random bytes a key is made of (RFC 9180, 7.1.3: at least 32 for P-256).
const seedSize = 32

// Local is a vault with its key in memory, for a local run and for tests.
type Local struct {
	key *ecdh.PrivateKey
}

var _ checkout.Vault = (*Local)(nil)

// NewLocal makes a vault with a key derived from the next 32 bytes of random
// (RFC 9180, DeriveKeyPair): the same bytes make the same key. It fails if random does.
func NewLocal(random io.Reader) (*Local, error) {
	seed := make([]byte, seedSize)
	defer clear(seed)
	if _, err := io.ReadFull(random, seed); err != nil {
		return nil, fmt.Errorf("make the vault's key: %w", err)
	}
	derived, err := hpke.DHKEM(ecdh.P256()).DeriveKeyPair(seed)
	if err != nil {
		return nil, fmt.Errorf("make the vault's key: %w", err)
	}
	scalar, err := derived.Bytes()
	if err != nil {
		return nil, fmt.Errorf("make the vault's key: %w", err)
	}
	defer clear(scalar)
	key, err := ecdh.P256().NewPrivateKey(scalar)
	if err != nil {
		return nil, fmt.Errorf("make the vault's key: %w", err)
	}
	return &Local{key: key}, nil
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
