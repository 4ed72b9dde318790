package change

import (
	"context"
	"fmt"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Drafted returns a merchant's settings before a draft and after it. They have no secrets, and none is read; faults of
// values are not looked for. Errors: CodeNotFound, CodeInvalid, CodeConflict.
func (o *Merchants) Drafted(ctx context.Context, d Draft) (before, after settings.Merchant, err error) {
	record, err := store.GetOne(ctx, o.Store, o.Now(), store.SettingsKey(d.Merchant))
	var stored settings.Stored
	if err == nil {
		err = record.Decode(&stored)
	}
	if err != nil {
		return before, after, fmt.Errorf("read merchant: %w", err)
	}
	known, err := secretsOf(make([]store.Record, len(settings.SecretUses)))
	if err != nil {
		return before, after, err
	}
	after = stored.Clone()
	if err := o.changeOf(d).apply(&after, known); err != nil {
		return before, after, err
	}
	if d.Version != 0 && d.Version != record.Version {
		return before, after, fault.Refuse(fault.CodeConflict, textConflict)
	}
	after.TakeSecrets()
	before = stored.Merchant
	before.Connectors, after.Connectors = o.Connectors, o.Connectors
	return before, after, nil
}

const textConflict = "Somebody has changed this merchant since you have read it."
