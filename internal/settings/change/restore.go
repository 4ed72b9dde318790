package change

import (
	"context"
	"fmt"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Restoration gives a merchant the settings of a version. It has to name the mappings and MIDs that it removes, and the
// MIDs that get another connector.
type Restoration struct {
	Merchant string
	Version  int64
	Remove   []string
}

// Restore gives a merchant the settings of a version, to the byte. MIDs that come back have the credentials that they
// were removed with, for 30 days and unless these were replaced since. All other keys and secrets stay as they are, and
// so do the credentials of MIDs for which an earlier release has stored none with the settings.
// Errors: CodeNotFound, CodeInvalid where the settings need what is not stored any more or remove what is not named.
func (o *Merchants) Restore(ctx context.Context, r Restoration) (Published, error) {
	record, err := store.GetOne(ctx, o.Store, o.Now(), store.SettingsVersionKey(r.Merchant, r.Version))
	if err != nil {
		return Published{}, fmt.Errorf("read version: %w", err)
	}
	if record.Version == 0 {
		return Published{}, fault.Refuse(fault.CodeNotFound, "Version does not exist")
	}
	var version Version
	if err := record.Decode(&version); err != nil {
		return Published{}, err
	}
	old, err := version.settings()
	if err != nil {
		return Published{}, err
	}
	p, err := o.store(ctx, change{id: r.Merchant, saves: true, restores: true, confirms: true, remove: r.Remove,
		apply: func(stored *settings.Merchant, _ secrets) error {
			if stored.ID == "" {
				return errMerchant()
			}
			saved := old.Clone()
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
