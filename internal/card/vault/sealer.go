package vault

import (
	"context"
	"crypto/ecdh"
	"crypto/hmac"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// sealedPrefix begins what a Sealer has sealed to the key pair of a use. What was encrypted under a data key begins
// with a random nonce instead.
const sealedPrefix = "hpke-v1:"

// Sealer encrypts merchants' secrets, and can't decrypt one. It seals them with HPKE to the key pair of their use.
// Credentials are encrypted with AES-256-GCM, under a data key that is made for them and wrapped beside them: a
// function that works with one MID can't decrypt those of another from memory.
type Sealer struct {
	keys    keyDocuments
	wrapper Wrapper

	mu          sync.Mutex
	public      map[settings.SecretUse]hpke.PublicKey
	fingerprint []byte // the key of fingerprints; nil until it is needed
}

var _ settings.Sealer = (*Sealer)(nil)

// NewSealer returns a sealer. It reads, makes and unwraps no key before it needs one.
func NewSealer(store store.Store, wrapper Wrapper, now func() time.Time) *Sealer {
	return &Sealer{
		keys: keyDocuments{store, now}, wrapper: wrapper, public: map[settings.SecretUse]hpke.PublicKey{},
	}
}

// Encrypt implements settings.Sealer. It makes the key pair of the use if there is none yet.
func (s *Sealer) Encrypt(ctx context.Context, use settings.SecretUse, owner string, plain []byte) ([]byte, error) {
	if hasOwnKeys(use) {
		return s.encryptApart(ctx, use, owner, plain)
	}
	key, err := s.publicKey(ctx, use)
	if err != nil {
		return nil, err
	}
	enc, ciphertext, err := seal(key, associated(use, owner), plain)
	if err != nil {
		return nil, fmt.Errorf("seal a secret: %w", err)
	}
	return append(append([]byte(sealedPrefix), enc...), ciphertext...), nil
}

// encryptApart encrypts a secret under a data key of its own. The result begins with the size of the wrapped key, in
// two bytes, and the wrapped key.
func (s *Sealer) encryptApart(
	ctx context.Context, use settings.SecretUse, owner string, secret []byte,
) ([]byte, error) {
	plain, wrapped, err := s.wrapper.NewKey(ctx, use, owner)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	key, err := newAEAD(plain)
	if err != nil {
		return nil, fmt.Errorf("make a data key: %w", err)
	}
	sealed := append(binary.BigEndian.AppendUint16(nil, uint16(len(wrapped))), wrapped...)
	return append(sealed, key.Seal(nil, nil, secret, associated(use, owner))...), nil
}

// publicKey returns the public half of the key pair of a use.
func (s *Sealer) publicKey(ctx context.Context, use settings.SecretUse) (hpke.PublicKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if key := s.public[use]; key != nil {
		return key, nil
	}
	var pair wrappedPair
	err := s.keys.findOrAdd(ctx, store.KeyPairKey(string(use)), &pair, func(made time.Time) (any, error) {
		der, wrapped, err := s.wrapper.NewPair(ctx, use)
		if err != nil {
			return nil, err
		}
		point, err := pointOf(der)
		return wrappedPair{point, wrapped, made}, err
	})
	if err != nil {
		return nil, err
	}
	key, err := hpke.DHKEM(ecdh.P256()).NewPublicKey(pair.Public)
	if err != nil {
		return nil, fmt.Errorf("key pair of the use %q: %w", use, err)
	}
	s.public[use] = key
	return key, nil
}

// fingerprintSize is the size of a fingerprint in bytes: two secrets never have the same by chance.
const fingerprintSize = 16

// Fingerprint implements settings.Sealer. It makes the key of fingerprints if there is none yet, and unwraps it once.
func (s *Sealer) Fingerprint(ctx context.Context, of settings.SecretPlace, value string) ([]byte, error) {
	key, err := s.fingerprintKey(ctx)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	for _, text := range []string{string(of.Use), of.Owner, of.Name, value} {
		fmt.Fprintf(mac, "%d:%s", len(text), text) // no two lists of texts are written alike
	}
	return mac.Sum(nil)[:fingerprintSize], nil
}

func (s *Sealer) fingerprintKey(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fingerprint != nil {
		return s.fingerprint, nil
	}
	var stored wrappedKey
	document := store.DataKeyKey(string(settings.FingerprintUse))
	err := s.keys.findOrAdd(ctx, document, &stored, func(made time.Time) (any, error) {
		plain, wrapped, err := s.wrapper.NewKey(ctx, settings.FingerprintUse, "")
		clear(plain) // the stored key is unwrapped instead, which proves that it can be
		return wrappedKey{wrapped, made}, err
	})
	if err != nil {
		return nil, err
	}
	key, err := s.wrapper.Unwrap(ctx, settings.FingerprintUse, "", stored.Wrapped)
	if err != nil {
		return nil, fmt.Errorf("unwrap the key of fingerprints: %w", err)
	}
	if len(key) != keySize {
		return nil, fmt.Errorf("the key of fingerprints has %d bytes", len(key))
	}
	s.fingerprint = key
	return key, nil
}
