package vault

import (
	"context"
	"crypto/cipher"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// Wrapper makes and unwraps the data keys of secrets. A wrapped key can be unwrapped for the use and owner only that it
// was made for, by those who have the permission for that use.
type Wrapper interface {
	// NewKey returns a fresh data key of 32 bytes, plain and wrapped, for one owner or with "" for all.
	NewKey(ctx context.Context, use settings.SecretUse, owner string) (plain, wrapped []byte, err error)
	// Unwrap returns the data key that NewKey wrapped for the same use and owner.
	Unwrap(ctx context.Context, use settings.SecretUse, owner string, wrapped []byte) ([]byte, error)
}

// Secrets encrypts merchants' secrets with AES-256-GCM, under one data key for each use. The wrapped data keys are in
// the store; each is unwrapped once and stays in memory. Credentials are encrypted under a data key for each MID, which
// is wrapped beside them: a function that works with one MID can't decrypt those of another from memory.
type Secrets struct {
	store   store.Store
	wrapper Wrapper
	now     func() time.Time
	uses    []settings.SecretUse

	mu   sync.Mutex
	keys map[settings.SecretUse]cipher.AEAD
	own  map[string]cipher.AEAD // of MIDs, by their wrapped form
}

var _ settings.Secrets = (*Secrets)(nil)

// wrappedKey is a data key as it is stored.
type wrappedKey struct {
	Wrapped []byte    `json:"wrapped"`
	Made    time.Time `json:"made"`
}

// NewSecrets returns the secrets of some uses. It reads no key yet; see Start.
func NewSecrets(store store.Store, wrapper Wrapper, now func() time.Time, uses ...settings.SecretUse) *Secrets {
	return &Secrets{store: store, wrapper: wrapper, now: now, uses: uses, keys: map[settings.SecretUse]cipher.AEAD{}}
}

// Uses implements settings.Secrets.
func (s *Secrets) Uses() []settings.SecretUse { return slices.Clone(s.uses) }

// Start reads and unwraps the data keys of all uses, so that no request has to wait for it. A data key that does not
// exist yet is unwrapped when it is first used. Start fails if a data key can't be unwrapped. Until it is done, other
// methods wait.
func (s *Secrets) Start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	shared := slices.DeleteFunc(s.Uses(), hasOwnKeys)
	if len(shared) == 0 {
		return nil
	}
	keys := make([]store.Key, len(shared))
	for i, use := range shared {
		keys[i] = store.DataKeyKey(string(use))
	}
	records, err := s.store.Get(ctx, s.now(), keys...)
	if err != nil {
		return fmt.Errorf("read data keys: %w", err)
	}
	for i, use := range shared {
		if records[i].Version == 0 {
			continue
		}
		if _, err := s.unwrap(ctx, use, records[i]); err != nil {
			return err
		}
	}
	return nil
}

// hasOwnKeys reports whether the secrets of a use have a data key for each owner.
func hasOwnKeys(use settings.SecretUse) bool { return use == settings.SecretCredentials }

// Encrypt implements settings.Secrets. It makes the data key of the use if there is none yet.
func (s *Secrets) Encrypt(ctx context.Context, use settings.SecretUse, owner string, plain []byte) ([]byte, error) {
	if hasOwnKeys(use) {
		return s.encryptApart(ctx, use, owner, plain)
	}
	key, err := s.key(ctx, use, true)
	if err != nil {
		return nil, err
	}
	return key.Seal(nil, nil, plain, associated(use, owner)), nil
}

// Decrypt implements settings.Secrets.
func (s *Secrets) Decrypt(
	ctx context.Context, use settings.SecretUse, owner string, encrypted []byte,
) ([]byte, error) {
	var key cipher.AEAD
	var err error
	if hasOwnKeys(use) {
		key, encrypted, err = s.ownKey(ctx, use, owner, encrypted)
	} else {
		key, err = s.key(ctx, use, false)
	}
	if err != nil {
		return nil, err
	}
	plain, err := key.Open(nil, nil, encrypted, associated(use, owner))
	if err != nil {
		return nil, errors.New("the secret can't be decrypted")
	}
	return plain, nil
}

// associated returns the associated data of a secret. No use contains a slash, so no two secrets have the same.
func associated(use settings.SecretUse, owner string) []byte {
	return []byte(string(use) + "/" + owner)
}

// encryptApart encrypts a secret under a data key of its own. The result begins with the size of the wrapped key, in
// two bytes, and the wrapped key.
func (s *Secrets) encryptApart(
	ctx context.Context, use settings.SecretUse, owner string, secret []byte,
) ([]byte, error) {
	if err := s.permitted(use); err != nil {
		return nil, err
	}
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

// ownKey returns the data key of what encryptApart has encrypted, and the ciphertext.
func (s *Secrets) ownKey(
	ctx context.Context, use settings.SecretUse, owner string, sealed []byte,
) (key cipher.AEAD, ciphertext []byte, err error) {
	if err := s.permitted(use); err != nil {
		return nil, nil, err
	}
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

// permitted returns an error for a use that the running function has no part for.
func (s *Secrets) permitted(use settings.SecretUse) error {
	if !slices.Contains(s.uses, use) {
		return fmt.Errorf("this function has no secrets for the use %q", use)
	}
	return nil
}

// key returns the data key of a use. It unwraps the key if it is not in memory, and makes it if there is none and
// create is set.
func (s *Secrets) key(ctx context.Context, use settings.SecretUse, create bool) (cipher.AEAD, error) {
	if err := s.permitted(use); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if key, ok := s.keys[use]; ok {
		return key, nil
	}
	record, err := s.read(ctx, use)
	if err == nil && record.Version == 0 && create {
		record, err = s.create(ctx, use)
	}
	if err != nil {
		return nil, err
	}
	if record.Version == 0 {
		return nil, fmt.Errorf("there is no data key for the use %q", use)
	}
	return s.unwrap(ctx, use, record)
}

func (s *Secrets) read(ctx context.Context, use settings.SecretUse) (store.Record, error) {
	records, err := s.store.Get(ctx, s.now(), store.DataKeyKey(string(use)))
	if err != nil {
		return store.Record{}, fmt.Errorf("read data key: %w", err)
	}
	return records[0], nil
}

// create makes and stores a data key. When two processes do so at the same time, both return the one that was stored
// first.
func (s *Secrets) create(ctx context.Context, use settings.SecretUse) (store.Record, error) {
	plain, wrapped, err := s.wrapper.NewKey(ctx, use, "")
	if err != nil {
		return store.Record{}, err
	}
	clear(plain) // the stored key is unwrapped instead, which proves that it can be
	doc, err := json.Marshal(wrappedKey{wrapped, s.now()})
	if err != nil {
		return store.Record{}, fmt.Errorf("encode a data key: %w", err)
	}
	err = s.store.Save(ctx, s.now(), store.Record{Key: store.DataKeyKey(string(use)), Doc: doc})
	if _, exists := errors.AsType[*store.ConflictError](err); err != nil && !exists {
		return store.Record{}, fmt.Errorf("store data key: %w", err)
	}
	return s.read(ctx, use)
}

// unwrap unwraps a stored data key and caches it. The caller holds the lock.
func (s *Secrets) unwrap(ctx context.Context, use settings.SecretUse, record store.Record) (cipher.AEAD, error) {
	var stored wrappedKey
	if err := json.Unmarshal(record.Doc, &stored); err != nil {
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
	s.keys[use] = key
	return key, nil
}
