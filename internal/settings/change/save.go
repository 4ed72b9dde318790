package change

import (
	"context"

	"checkout/internal/settings"
)

// Save replaces a merchant's settings, its keys and its secrets, all or nothing. Keys and secrets that are absent stay
// as they are stored: also credentials of a MID that keeps its connector, unless they are set to "", and private keys
// of wallets beside the certificate or public key that they belong to. A key or secret that is replaced expires
// immediately.
// Errors: CodeInvalid with every fault of the settings, or for a key that belongs to another merchant.
func (o *Merchants) Save(ctx context.Context, m settings.Merchant) error {
	_, err := o.change(ctx, change{id: m.ID, saves: true, apply: func(stored *settings.Merchant, _ secrets) error {
		saved := m.Clone()
		saved.FillFrom(stored)
		*stored = saved
		return nil
	}})
	return err
}

// SetDisabled disables a merchant, or enables it again. Errors: CodeNotFound.
func (o *Merchants) SetDisabled(ctx context.Context, id string, disabled bool) error {
	_, err := o.change(ctx, change{id: id, apply: func(m *settings.Merchant, _ secrets) error {
		if m.ID == "" {
			return errMerchant()
		}
		m.Disabled = disabled
		return nil
	}})
	return err
}
