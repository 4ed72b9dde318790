package tokens

import (
	"context"
	"time"

	"checkout/internal/store"
	"checkout/internal/wallet"
)

// keyStore has copies of Google Pay's root keys, so that a new instance need not fetch them.
type keyStore struct {
	store store.Store
	now   func() time.Time
}

// LoadKeys implements wallet.KeyStore.
func (k keyStore) LoadKeys(ctx context.Context, address string) (list wallet.KeyList, err error) {
	record, err := store.GetOne(ctx, k.store, k.now(), store.WalletRootsKey(address))
	if err != nil {
		return list, err
	}
	return list, record.Decode(&list)
}

// SaveKeys implements wallet.KeyStore. Of two instances that fetched the keys, one saves them.
func (k keyStore) SaveKeys(ctx context.Context, address string, list wallet.KeyList) error {
	key := store.WalletRootsKey(address)
	record, err := store.GetOne(ctx, k.store, k.now(), key)
	if err != nil {
		return err
	}
	copied := store.Encode(key, record.Version, list)
	copied.ExpiresAt = k.now().Add(rootsTTL)
	if err = k.store.Save(ctx, k.now(), copied); store.IsConflict(err) {
		return nil
	}
	return err
}

// rootsTTL is how long a copy of root keys is stored, which serves while the vendor can't be reached.
const rootsTTL = 7 * 24 * time.Hour
