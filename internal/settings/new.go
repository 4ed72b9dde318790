package settings

import (
	"cmp"
	"context"

	"checkout/internal/fault"
	"checkout/internal/method"
)

// NewMerchant is a merchant to be added. For is who integrates: PluginPreset, or OwnIntegration.
type NewMerchant struct {
	ID, Name, URL, For string
}

// OwnIntegration says that a merchant's own program speaks the protocol: it is checked strictly, and gets JSON.
const OwnIntegration = "own"

// New adds a merchant with one mapping, new keys and new secrets, and returns it with them. It has no MID yet.
// Errors: CodeInvalid, also for an id that is there already.
func (o *Merchants) New(ctx context.Context, n NewMerchant) (Merchant, error) {
	mapping := Mapping{Name: "default"}
	switch n.For {
	case PluginPreset:
		mapping.Compatibility = Compatibility{presetName: PluginPreset}
	case OwnIntegration:
	default:
		return Merchant{}, fault.At("for", method.TextNotChoice)
	}
	m := Merchant{
		ID: n.ID, Name: cmp.Or(n.Name, n.ID), LiveKey: o.generate("key"), TestKey: o.generate("test-key"),
		Password: o.generate("password"), CallbackSecret: o.generate("callback-secret"),
		NotificationURL: n.URL, TestNotificationURL: n.URL, Mappings: []Mapping{mapping},
	}
	_, err := o.change(ctx, change{id: n.ID, saves: true, apply: func(stored *Merchant) error {
		if stored.ID != "" {
			return fault.At("id", "There is such a merchant.")
		}
		*stored = m
		return nil
	}})
	return m, err
}
