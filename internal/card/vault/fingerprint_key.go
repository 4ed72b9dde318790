package vault

import (
	"context"
	"fmt"
)

// cardFingerprints is the use of the key of fingerprints.
var cardFingerprints = use{"use", "card fingerprints"}

// NewFingerprintKey implements card.FingerprintKeys.
func (v *Vault) NewFingerprintKey(ctx context.Context) ([]byte, error) {
	plain, wrapped, err := v.keys.newDataKey(ctx, cardFingerprints)
	clear(plain) // the stored key is opened instead, which proves that it can be
	return wrapped, err
}

// OpenFingerprintKey implements card.FingerprintKeys.
func (v *Vault) OpenFingerprintKey(ctx context.Context, wrapped []byte) ([]byte, error) {
	key, err := v.keys.unwrap(ctx, wrapped, cardFingerprints)
	if err == nil && len(key) != keySize {
		return nil, fmt.Errorf("it has %d bytes", len(key))
	}
	return key, err
}
