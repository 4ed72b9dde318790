package change

import (
	"cmp"
	"context"
	"strconv"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// NewMerchant is a merchant to be added. For is who integrates: PluginPreset, ERPModule or OwnIntegration.
type NewMerchant struct {
	ID, Name, URL, For string
}

// ERPModule says that an ERP module in Python speaks the protocol.
const ERPModule = "erp"

// OwnIntegration says that a merchant's own program speaks the protocol: it is checked strictly, and gets JSON.
const OwnIntegration = "own"

// Mapping returns the mapping of the merchant. Errors: CodeInvalid.
func (n NewMerchant) Mapping() (settings.Mapping, error) {
	mapping := settings.Mapping{Name: "default"}
	switch n.For {
	case settings.PluginPreset:
		mapping.Compatibility = settings.Compatibility{settings.PresetName: settings.PluginPreset}
	case ERPModule:
		mapping.Compatibility = settings.Compatibility{settings.PresetName: settings.ERPPreset}
	case OwnIntegration:
	default:
		return mapping, fault.At("for", method.TextNotChoice)
	}
	return mapping, nil
}

// New adds a merchant with one mapping, new keys and new secrets, and returns these. It has no MID yet.
// Errors: CodeInvalid, also for an id that is there already.
func (o *Merchants) New(ctx context.Context, n NewMerchant) (Made, error) {
	mapping, err := n.Mapping()
	if err != nil {
		return Made{}, err
	}
	m := settings.Merchant{
		ID: n.ID, Name: cmp.Or(n.Name, n.ID), NotificationURL: n.URL, TestNotificationURL: n.URL,
		Mappings: []settings.Mapping{mapping},
	}
	if wrong := idFaults(n.ID); len(wrong) > 0 {
		return Made{}, wrong.told()
	}
	made := o.makeMissing(&m)
	_, err = o.change(ctx, change{id: n.ID, saves: true, apply: func(stored *settings.Merchant, _ secrets) error {
		if stored.ID != "" {
			return fault.At("id", "There is such a merchant.")
		}
		*stored = m
		return nil
	}})
	return made, err
}

// maxID is the most characters of a new merchant's id.
const maxID = 32

// idFaults returns what is wrong with the id of a new merchant. It stands in paths and file names, and is typed.
func idFaults(id string) misfits {
	if len(id) <= maxID && request.OnlyOf(id, "abcdefghijklmnopqrstuvwxyz0123456789_-") && id != "" {
		return nil
	}
	text := method.NotValid("It should have 1 to 32 characters of a-z, 0-9, _ and -.")
	return misfits{{Path: "id", Text: text, Value: strconv.Quote(id)}}
}
