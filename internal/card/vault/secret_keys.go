package vault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// wrappedKey is a data key as it is stored.
type wrappedKey struct {
	Wrapped []byte    `json:"wrapped"`
	Made    time.Time `json:"made"`
}

// wrappedPair is a key pair as it is stored.
type wrappedPair struct {
	Public  []byte    `json:"public"`  // an uncompressed P-256 point
	Wrapped []byte    `json:"wrapped"` // the private half
	Made    time.Time `json:"made"`
}

// associated returns the associated data of a secret. No use contains a slash, so no two secrets have the same.
func associated(use settings.SecretUse, owner string) []byte {
	return []byte(string(use) + "/" + owner)
}

// hasOwnKeys reports whether the secrets of a use have a data key for each owner.
func hasOwnKeys(use settings.SecretUse) bool { return use == settings.SecretCredentials }

// keyDocuments reads and adds the documents of keys. Those that are there are never changed.
type keyDocuments struct {
	store store.Store
	now   func() time.Time
}

// findOrAdd reads the document of a key into doc. If there is none, it stores what make returns, and reads that: when
// two processes do so at the same time, both read the one that was stored first.
func (d keyDocuments) findOrAdd(
	ctx context.Context, key store.Key, doc any, make func(made time.Time) (any, error),
) error {
	found, err := d.find(ctx, key, doc)
	if err != nil || found {
		return err
	}
	made, err := make(d.now())
	if err != nil {
		return err
	}
	err = d.store.Save(ctx, d.now(), store.Encode(key, 0, made))
	if err != nil && !store.IsConflict(err) {
		return fmt.Errorf("store a key of secrets: %w", err)
	}
	if found, err = d.find(ctx, key, doc); err == nil && !found {
		err = errors.New("a stored key of secrets is gone")
	}
	return err
}

func (d keyDocuments) find(ctx context.Context, key store.Key, doc any) (bool, error) {
	record, err := store.GetOne(ctx, d.store, d.now(), key)
	if err == nil {
		err = record.Decode(doc)
	}
	if err != nil {
		return false, fmt.Errorf("read a key of secrets: %w", err)
	}
	return record.Version > 0, nil
}
