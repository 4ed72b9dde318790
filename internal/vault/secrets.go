package vault

import (
	"context"
	"crypto/cipher"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/store"
)

// Wrapper makes and unwraps the data keys of secrets, with a key that never leaves it. The use is bound to the
// wrapped key, and decides who may unwrap it.
type Wrapper interface {
	// NewKey returns a fresh data key of 32 bytes, plain and wrapped.
	NewKey(ctx context.Context, use merchant.SecretUse) (plain, wrapped []byte, err error)
	// Unwrap returns the data key that NewKey wrapped for the same use.
	Unwrap(ctx context.Context, use merchant.SecretUse, wrapped []byte) ([]byte, error)
}

// Secrets encrypts merchants' secrets with AES-256-GCM, under one data key for each use. The data keys lie in the
// store, wrapped; each is unwrapped once and stays in memory.
type Secrets struct {
	store   store.Store
	wrapper Wrapper
	now     func() time.Time
	uses    []merchant.SecretUse

	mu   sync.Mutex
	keys map[merchant.SecretUse]cipher.AEAD
}

var _ merchant.Secrets = (*Secrets)(nil)

// wrappedKey is a data key as it is stored.
type wrappedKey struct {
	Wrapped []byte    `json:"wrapped"`
	Made    time.Time `json:"made"`
}

// NewSecrets returns the secrets of some uses. It asks nothing yet; see Start.
func NewSecrets(store store.Store, wrapper Wrapper, now func() time.Time, uses ...merchant.SecretUse) *Secrets {
	return &Secrets{store: store, wrapper: wrapper, now: now, uses: uses, keys: map[merchant.SecretUse]cipher.AEAD{}}
}

// Uses implements checkout.Secrets.
func (s *Secrets) Uses() []merchant.SecretUse { return slices.Clone(s.uses) }

// Start reads and unwraps the data keys of all uses, so that no request has to. One that does not exist yet, because
// nothing was ever encrypted, is unwrapped on its first use. It fails if any may not be unwrapped.
func (s *Secrets) Start(ctx context.Context) error {
	keys := make([]store.Key, len(s.uses))
	for i, use := range s.uses {
		keys[i] = store.DataKeyKey(string(use))
	}
	records, err := s.store.Get(ctx, s.now(), keys...)
	if err != nil {
		return fmt.Errorf("read data keys: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, use := range s.uses {
		if records[i].Version == 0 {
			continue
		}
		if _, err := s.unwrap(ctx, use, records[i]); err != nil {
			return err
		}
	}
	return nil
}

// Encrypt implements checkout.Secrets. It makes the data key of the use if there is none yet.
func (s *Secrets) Encrypt(ctx context.Context, use merchant.SecretUse, merchant string, plain []byte) ([]byte, error) {
	key, err := s.key(ctx, use, true)
	if err != nil {
		return nil, err
	}
	return key.Seal(nil, nil, plain, associated(use, merchant)), nil
}

// Decrypt implements checkout.Secrets.
func (s *Secrets) Decrypt(ctx context.Context, use merchant.SecretUse, merchant string, encrypted []byte) ([]byte, error) {
	key, err := s.key(ctx, use, false)
	if err != nil {
		return nil, err
	}
	plain, err := key.Open(nil, nil, encrypted, associated(use, merchant))
	if err != nil {
		return nil, errors.New("the secret can't be decrypted")
	}
	return plain, nil
}

// associated is what a secret is bound to. No use contains a slash.
func associated(use merchant.SecretUse, merchant string) []byte {
	return []byte(string(use) + "/" + merchant)
}

// key returns the data key of a use, from memory or unwrapped now.
func (s *Secrets) key(ctx context.Context, use merchant.SecretUse, create bool) (cipher.AEAD, error) {
	if !slices.Contains(s.uses, use) {
		return nil, fmt.Errorf("this function has no secrets for the use %q", use)
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

func (s *Secrets) read(ctx context.Context, use merchant.SecretUse) (store.Record, error) {
	records, err := s.store.Get(ctx, s.now(), store.DataKeyKey(string(use)))
	if err != nil {
		return store.Record{}, fmt.Errorf("read data key: %w", err)
	}
	return records[0], nil
}

// create stores a new data key, and returns the one that is stored: of two at once, both get the same.
func (s *Secrets) create(ctx context.Context, use merchant.SecretUse) (store.Record, error) {
	plain, wrapped, err := s.wrapper.NewKey(ctx, use)
	if err != nil {
		return store.Record{}, err
	}
	clear(plain) // it is unwrapped when it is used, which shows that it can be
	doc, err := json.Marshal(wrappedKey{wrapped, s.now()})
	if err != nil {
		return store.Record{}, fmt.Errorf("encode a data key: %w", err)
	}
	err = s.store.Save(ctx, s.now(), store.Record{Key: store.DataKeyKey(string(use)), Doc: doc})
	if _, taken := errors.AsType[*store.ConflictError](err); err != nil && !taken {
		return store.Record{}, fmt.Errorf("store data key: %w", err)
	}
	return s.read(ctx, use)
}

// unwrap keeps a stored data key in memory. The caller holds the lock.
func (s *Secrets) unwrap(ctx context.Context, use merchant.SecretUse, record store.Record) (cipher.AEAD, error) {
	var stored wrappedKey
	if err := json.Unmarshal(record.Doc, &stored); err != nil {
		return nil, fmt.Errorf("read data key: %w", err)
	}
	plain, err := s.wrapper.Unwrap(ctx, use, stored.Wrapped)
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
