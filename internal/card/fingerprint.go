package card

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"checkout/internal/store"
)

// FingerprintKeys makes and opens the key of fingerprints. Only the vault that has wrapped a key can open it.
type FingerprintKeys interface {
	NewFingerprintKey(ctx context.Context) (wrapped []byte, err error)
	OpenFingerprintKey(ctx context.Context, wrapped []byte) ([]byte, error)
}

// Fingerprints knows a card by its number without storing that: a fingerprint is a keyed hash, which nobody without the
// key can compute for a number that they guess. The key is made once for a deployment.
type Fingerprints struct {
	Store store.Store
	Keys  FingerprintKeys
	Cache *FingerprintCache
}

// FingerprintCache holds the key in memory. The zero value is empty.
type FingerprintCache struct {
	mu  sync.Mutex
	key []byte // nil until it is opened
}

// fingerprintSize is the size of a fingerprint in bytes: two numbers never have the same by chance.
const fingerprintSize = 16

// fingerprintKey is the document of the key.
type fingerprintKey struct {
	Wrapped []byte    `json:"wrapped"`
	Made    time.Time `json:"made"`
}

// Of returns the fingerprint of a card number as hex, "" for no number.
func (f Fingerprints) Of(ctx context.Context, now time.Time, number string) (string, error) {
	if number == "" {
		return "", nil
	}
	key, err := f.open(ctx, now)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(number))
	return hex.EncodeToString(mac.Sum(nil)[:fingerprintSize]), nil
}

// Open reads the key and opens it, so that nobody has to wait for it later. It makes the key if there is none.
func (f Fingerprints) Open(ctx context.Context, now time.Time) error {
	_, err := f.open(ctx, now)
	return err
}

func (f Fingerprints) open(ctx context.Context, now time.Time) ([]byte, error) {
	f.Cache.mu.Lock()
	defer f.Cache.mu.Unlock()
	if f.Cache.key != nil {
		return f.Cache.key, nil
	}
	stored, err := f.read(ctx, now)
	if err == nil && stored.Wrapped == nil {
		stored, err = f.make(ctx, now)
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of fingerprints: %w", err)
	}
	key, err := f.Keys.OpenFingerprintKey(ctx, stored.Wrapped)
	if err != nil {
		return nil, fmt.Errorf("open the key of fingerprints: %w", err)
	}
	f.Cache.key = key
	return key, nil
}

func (f Fingerprints) read(ctx context.Context, now time.Time) (stored fingerprintKey, err error) {
	record, err := store.GetOne(ctx, f.Store, now, store.CardFingerprintKey())
	if err == nil {
		err = record.Decode(&stored)
	}
	return stored, err
}

// make stores a new key, and returns the one that is stored: when two processes do so at once, that of the first.
func (f Fingerprints) make(ctx context.Context, now time.Time) (fingerprintKey, error) {
	wrapped, err := f.Keys.NewFingerprintKey(ctx)
	if err != nil {
		return fingerprintKey{}, err
	}
	err = f.Store.Save(ctx, now, store.Encode(store.CardFingerprintKey(), 0, fingerprintKey{wrapped, now}))
	if err != nil && !store.IsConflict(err) {
		return fingerprintKey{}, err
	}
	return f.read(ctx, now)
}
