package vault

import (
	"context"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/x509"
	"fmt"
	"io"
	"sync"
	"time"
)

// NewLocal makes a vault with a new wrapping key in memory, for a local run and for tests. The vault reads 32 bytes of
// random for each key that it makes later. NewLocal fails if random does.
func NewLocal(random io.Reader, now func() time.Time) (*Vault, error) {
	k := &localKeys{random: random}
	key, err := k.draw()
	if err != nil {
		return nil, fmt.Errorf("make a wrapping key: %w", err)
	}
	defer clear(key)
	if k.wrapping, err = newAEAD(key); err != nil {
		return nil, fmt.Errorf("make a wrapping key: %w", err)
	}
	return newVault(k, now), nil
}

// localKeys is a keyring in memory.
type localKeys struct {
	mu       sync.Mutex
	random   io.Reader
	wrapping cipher.AEAD
}

func (k *localKeys) newKeyPair(_ context.Context, use use) (public, wrapped []byte, err error) {
	seed, err := k.draw()
	if err != nil {
		return nil, nil, fmt.Errorf("make a key pair: %w", err)
	}
	defer clear(seed)
	public, plain, err := pairOf(seed)
	if err != nil {
		return nil, nil, fmt.Errorf("make a key pair: %w", err)
	}
	defer clear(plain)
	return public, k.wrapping.Seal(nil, nil, plain, use.bytes()), nil
}

// pairOf makes a key pair from a seed, as KMS returns its halves.
func pairOf(seed []byte) (public, private []byte, err error) {
	key, err := deriveKey(seed)
	if err != nil {
		return nil, nil, err
	}
	if public, err = x509.MarshalPKIXPublicKey(key.PublicKey()); err != nil {
		return nil, nil, err
	}
	private, err = x509.MarshalPKCS8PrivateKey(key)
	return public, private, err
}

// deriveKey makes a key pair from a seed by DeriveKeyPair of RFC 9180.
func deriveKey(seed []byte) (*ecdh.PrivateKey, error) {
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

func (k *localKeys) newDataKey(_ context.Context, use use) (plain, wrapped []byte, err error) {
	if plain, err = k.draw(); err != nil {
		return nil, nil, fmt.Errorf("make a data key: %w", err)
	}
	return plain, k.wrapping.Seal(nil, nil, plain, use.bytes()), nil
}

func (k *localKeys) unwrap(_ context.Context, wrapped []byte, use use) ([]byte, error) {
	plain, err := k.wrapping.Open(nil, nil, wrapped, use.bytes())
	if err != nil {
		return nil, decryptError("no key of this vault decrypts it")
	}
	return plain, nil
}

// draw reads the random bytes of one key.
func (k *localKeys) draw() ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := make([]byte, keySize)
	_, err := io.ReadFull(k.random, key)
	return key, err
}

// bytes returns the associated data of a wrapped key.
func (u use) bytes() []byte { return []byte(u.name + "/" + u.value) }
