package change

import (
	"context"
	"fmt"
	"slices"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// List returns the settings of all merchants, by id, without secrets.
func (o *Merchants) List(ctx context.Context) ([]settings.Merchant, error) {
	now := o.Now()
	index, err := o.Store.List(ctx, now, store.MerchantIndex(maxMerchants))
	if err != nil {
		return nil, fmt.Errorf("list merchants: %w", err)
	}
	slices.Reverse(index)
	var all []settings.Merchant
	for part := range slices.Chunk(index, 50) {
		var keys []store.Key
		for _, r := range part {
			var known store.IndexedMerchant
			if err := r.Decode(&known); err != nil {
				return nil, err
			}
			keys = append(keys, store.SettingsKey(known.ID))
		}
		records, err := o.Store.Get(ctx, now, keys...)
		if err != nil {
			return nil, fmt.Errorf("read merchants: %w", err)
		}
		for _, r := range records {
			var m settings.Merchant
			if err := r.Decode(&m); err != nil {
				return nil, err
			}
			m.MaskPresets()
			all = append(all, m)
		}
	}
	return all, nil
}

// maxMerchants is the most merchants that List returns.
const maxMerchants = 10_000
