package vault

import (
	"bytes"
	"context"
	"crypto/cipher"
	"crypto/hpke"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// Secrets decrypts merchants' secrets. Each use has a key pair, which a Sealer seals to, and may have a data key under
// which earlier releases have encrypted with AES-256-GCM. Both are in the store, wrapped; each is unwrapped once and
// stays in memory. Credentials have a data key of their own, which is wrapped beside them.
type Secrets struct {
	store   store.Store
	wrapper Wrapper
	now     func() time.Time
	uses    []settings.SecretUse

	mu   sync.Mutex
	keys map[settings.SecretUse]secretKeys
	own  map[string]cipher.AEAD // of credentials, by their wrapped form
}

var _ settings.Secrets = (*Secrets)(nil)

// secretKeys are the keys of a use that were unwrapped: nil for one that is not there.
type secretKeys struct {
	data cipher.AEAD
	pair hpke.PrivateKey
}

// NewSecrets returns the secrets of some uses. It reads no key yet; see Start.
func NewSecrets(store store.Store, wrapper Wrapper, now func() time.Time, uses ...settings.SecretUse) *Secrets {
	return &Secrets{store: store, wrapper: wrapper, now: now, uses: uses, keys: map[settings.SecretUse]secretKeys{}}
}

// Uses implements settings.Secrets.
func (s *Secrets) Uses() []settings.SecretUse { return slices.Clone(s.uses) }

// Start reads the keys of all uses and unwraps them at once, so that no request has to wait for it. A key that does
// not exist yet is unwrapped when it is first used. Start fails if a key can't be unwrapped. Until it is done, other
// methods wait.
func (s *Secrets) Start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load(ctx, slices.DeleteFunc(s.Uses(), hasOwnKeys)...)
}

// load reads the keys of some uses and unwraps those that are not in memory. The caller holds the lock.
func (s *Secrets) load(ctx context.Context, uses ...settings.SecretUse) error {
	if len(uses) == 0 {
		return nil
	}
	var documents []store.Key
	for _, use := range uses {
		documents = append(documents, store.DataKeyKey(string(use)), store.KeyPairKey(string(use)))
	}
	records, err := s.store.Get(ctx, s.now(), documents...)
	if err != nil {
		return fmt.Errorf("read keys of secrets: %w", err)
	}
	found, errs := make([]secretKeys, len(uses)), make([]error, len(records))
	var unwrapping sync.WaitGroup
	for i, use := range uses {
		key := &found[i]
		*key = s.keys[use]
		if data := records[2*i]; data.Version > 0 && key.data == nil {
			unwrapping.Go(func() { key.data, errs[2*i] = s.unwrapDataKey(ctx, use, data) })
		}
		if pair := records[2*i+1]; pair.Version > 0 && key.pair == nil {
			unwrapping.Go(func() { key.pair, errs[2*i+1] = s.unwrapPair(ctx, use, pair) })
		}
	}
	unwrapping.Wait()
	for i, use := range uses {
		s.keys[use] = found[i]
	}
	return errors.Join(errs...)
}

func (s *Secrets) unwrapDataKey(ctx context.Context, use settings.SecretUse, r store.Record) (cipher.AEAD, error) {
	var stored wrappedKey
	if err := r.Decode(&stored); err != nil {
		return nil, fmt.Errorf("read data key: %w", err)
	}
	plain, err := s.wrapper.Unwrap(ctx, use, "", stored.Wrapped)
	if err != nil {
		return nil, fmt.Errorf("unwrap the data key of the use %q: %w", use, err)
	}
	defer clear(plain)
	key, err := newAEAD(plain)
	if err != nil {
		return nil, fmt.Errorf("data key of the use %q: %w", use, err)
	}
	return key, nil
}

func (s *Secrets) unwrapPair(ctx context.Context, use settings.SecretUse, r store.Record) (hpke.PrivateKey, error) {
	var stored wrappedPair
	if err := r.Decode(&stored); err != nil {
		return nil, fmt.Errorf("read key pair: %w", err)
	}
	plain, err := s.wrapper.Unwrap(ctx, use, "", stored.Wrapped)
	if err != nil {
		return nil, fmt.Errorf("unwrap the key pair of the use %q: %w", use, err)
	}
	defer clear(plain)
	private, err := privateOf(plain)
	if err != nil {
		return nil, fmt.Errorf("key pair of the use %q: %w", use, err)
	}
	return hpke.NewDHKEMPrivateKey(private)
}

// Decrypt implements settings.Secrets.
func (s *Secrets) Decrypt(
	ctx context.Context, use settings.SecretUse, owner string, encrypted []byte,
) ([]byte, error) {
	if !slices.Contains(s.uses, use) {
		return nil, fmt.Errorf("this function has no secrets for the use %q", use)
	}
	if sealed, is := bytes.CutPrefix(encrypted, []byte(sealedPrefix)); is && !hasOwnKeys(use) {
		return s.openSealed(ctx, use, owner, sealed)
	}
	var key cipher.AEAD
	var err error
	if hasOwnKeys(use) {
		key, encrypted, err = s.ownKey(ctx, use, owner, encrypted)
	} else {
		key, err = s.dataKey(ctx, use)
	}
	if err != nil {
		return nil, err
	}
	plain, err := key.Open(nil, nil, encrypted, associated(use, owner))
	if err != nil {
		return nil, errDecrypt
	}
	return plain, nil
}

var errDecrypt = errors.New("the secret can't be decrypted")

// openSealed decrypts what was sealed to the key pair of a use.
func (s *Secrets) openSealed(ctx context.Context, use settings.SecretUse, owner string, sealed []byte) ([]byte, error) {
	keys, err := s.keysWith(ctx, use, func(k secretKeys) bool { return k.pair != nil })
	if err != nil {
		return nil, err
	}
	if len(sealed) < encSize {
		return nil, errDecrypt
	}
	plain, err := open(keys.pair, sealed[:encSize], associated(use, owner), sealed[encSize:])
	if err != nil {
		return nil, errDecrypt
	}
	return plain, nil
}

// dataKey returns the data key of a use.
func (s *Secrets) dataKey(ctx context.Context, use settings.SecretUse) (cipher.AEAD, error) {
	keys, err := s.keysWith(ctx, use, func(k secretKeys) bool { return k.data != nil })
	return keys.data, err
}

// keysWith returns the keys of a use, and loads them if they do not have the one that is needed.
func (s *Secrets) keysWith(
	ctx context.Context, use settings.SecretUse, has func(secretKeys) bool,
) (secretKeys, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !has(s.keys[use]) {
		if err := s.load(ctx, use); err != nil {
			return secretKeys{}, err
		}
	}
	if !has(s.keys[use]) {
		return secretKeys{}, fmt.Errorf("there is no such key for the use %q", use)
	}
	return s.keys[use], nil
}

// ownKey returns the data key of what encryptApart has encrypted, and the ciphertext.
func (s *Secrets) ownKey(
	ctx context.Context, use settings.SecretUse, owner string, sealed []byte,
) (key cipher.AEAD, ciphertext []byte, err error) {
	if len(sealed) < 2 || len(sealed) < 2+int(binary.BigEndian.Uint16(sealed)) {
		return nil, nil, errors.New("the secret has no data key")
	}
	wrapped, ciphertext := sealed[2:][:binary.BigEndian.Uint16(sealed)], sealed[2+binary.BigEndian.Uint16(sealed):]
	s.mu.Lock()
	defer s.mu.Unlock()
	if key, ok := s.own[string(wrapped)]; ok {
		return key, ciphertext, nil
	}
	plain, err := s.wrapper.Unwrap(ctx, use, owner, wrapped)
	if err != nil {
		return nil, nil, fmt.Errorf("unwrap the data key of %s: %w", owner, err)
	}
	defer clear(plain)
	if key, err = newAEAD(plain); err != nil {
		return nil, nil, fmt.Errorf("data key of %s: %w", owner, err)
	}
	if s.own == nil || len(s.own) >= dataKeyLimit {
		s.own = map[string]cipher.AEAD{}
	}
	s.own[string(wrapped)] = key
	return key, ciphertext, nil
}
