package change

import (
	"context"
	"encoding/json"
	"fmt"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Restore gives a merchant the settings of a version. Keys, password, callback secret, and the credentials of MIDs that
// are still there stay as they are. It returns a line for each place that is other than before.
// Errors: CodeNotFound, CodeInvalid where the settings need what is not stored any more.
func (o *Merchants) Restore(ctx context.Context, id string, number int64) ([]string, error) {
	record, err := store.GetOne(ctx, o.Store, o.Now(), store.SettingsVersionKey(id, number))
	if err != nil {
		return nil, fmt.Errorf("read version: %w", err)
	}
	if record.Version == 0 {
		return nil, fault.Refuse(fault.CodeNotFound, "Version does not exist")
	}
	var version Version
	var old settings.Stored
	if err := record.Decode(&version); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(version.Settings, &old); err != nil {
		return nil, fmt.Errorf("read version: %w", err)
	}
	return o.change(ctx, change{id: id, saves: true, apply: func(stored *settings.Merchant, _ secrets) error {
		if stored.ID == "" {
			return errMerchant()
		}
		saved := old.Merchant.Clone()
		saved.LiveKey, saved.TestKey = stored.LiveKey, stored.TestKey
		saved.FillCredentials(stored)
		*stored = saved
		return nil
	}})
}
