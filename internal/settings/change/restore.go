package change

import (
	"context"
	"encoding/json"
	"fmt"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Restore gives a merchant the settings of a version, to the byte. Keys and secrets stay as they are, and so do the
// credentials of MIDs for which an earlier release has stored none with the settings.
// Errors: CodeNotFound, CodeInvalid where the settings need what is not stored any more.
func (o *Merchants) Restore(ctx context.Context, id string, number int64) (Published, error) {
	record, err := store.GetOne(ctx, o.Store, o.Now(), store.SettingsVersionKey(id, number))
	if err != nil {
		return Published{}, fmt.Errorf("read version: %w", err)
	}
	if record.Version == 0 {
		return Published{}, fault.Refuse(fault.CodeNotFound, "Version does not exist")
	}
	var version Version
	var old settings.Stored
	if err := record.Decode(&version); err != nil {
		return Published{}, err
	}
	if err := json.Unmarshal(version.Settings, &old); err != nil {
		return Published{}, fmt.Errorf("read version: %w", err)
	}
	p, err := o.store(ctx, change{id: id, saves: true, apply: func(stored *settings.Merchant, _ secrets) error {
		if stored.ID == "" {
			return errMerchant()
		}
		saved := old.Merchant.Clone()
		saved.LiveKey, saved.TestKey = stored.LiveKey, stored.TestKey
		saved.FillCredentials(stored)
		*stored = saved
		return nil
	}})
	if err != nil {
		return Published{}, err
	}
	return p.result(), nil
}
