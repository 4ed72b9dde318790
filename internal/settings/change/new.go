package change

import (
	"cmp"
	"context"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// NewMerchant is a merchant to be added. For is who integrates: PluginPreset, or OwnIntegration.
type NewMerchant struct {
	ID, Name, URL, For string
}

// OwnIntegration says that a merchant's own program speaks the protocol: it is checked strictly, and gets JSON.
const OwnIntegration = "own"

// New adds a merchant with one mapping, new keys and new secrets, and returns these. It has no MID yet.
// Errors: CodeInvalid, also for an id that is there already.
func (o *Merchants) New(ctx context.Context, n NewMerchant) (Made, error) {
	mapping := settings.Mapping{Name: "default"}
	switch n.For {
	case settings.PluginPreset:
		mapping.Compatibility = settings.Compatibility{settings.PresetName: settings.PluginPreset}
	case OwnIntegration:
	default:
		return Made{}, fault.At("for", method.TextNotChoice)
	}
	m := settings.Merchant{
		ID: n.ID, Name: cmp.Or(n.Name, n.ID), NotificationURL: n.URL, TestNotificationURL: n.URL,
		Mappings: []settings.Mapping{mapping},
	}
	made := o.makeMissing(&m)
	_, err := o.change(ctx, change{id: n.ID, saves: true, apply: func(stored *settings.Merchant, _ secrets) error {
		if stored.ID != "" {
			return fault.At("id", "There is such a merchant.")
		}
		*stored = m
		return nil
	}})
	return made, err
}
