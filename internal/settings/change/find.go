package change

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/sealed"
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

// View is a merchant's settings without secrets, with the dates of its keys and secrets and its notice addresses.
type View struct {
	settings.Merchant
	Replaced []settings.ReplacedKey             `json:"replaced_keys,omitempty"`
	Secrets  map[settings.SecretUse]SecretDates `json:"secrets"`
	Notices  []settings.NoticeView              `json:"notices,omitempty"`
}

// SecretDates says since when a secret is valid, and until when the one that it replaced is.
type SecretDates struct {
	Since    time.Time `json:"since"`
	OldUntil time.Time `json:"old_until,omitzero"`
}

// Find returns the merchant with an id, without its secrets, and with masked presets. Errors: CodeNotFound.
func (o *Merchants) Find(ctx context.Context, id string) (View, error) {
	now := o.Now()
	records, err := o.Store.Get(ctx, now, settings.Documents(id, settings.SecretUses)...)
	if err != nil {
		return View{}, fmt.Errorf("read merchant: %w", err)
	}
	if records[0].Version == 0 {
		return View{}, errMerchant()
	}
	view := View{Secrets: map[settings.SecretUse]SecretDates{}}
	var stored settings.Stored
	if err := records[0].Decode(&stored); err != nil {
		return View{}, err
	}
	view.Merchant, view.Notices = stored.Merchant, stored.NoticeViews(o.Connectors)
	view.MaskPresets()
	view.Replaced = slices.DeleteFunc(stored.Replaced, func(k settings.ReplacedKey) bool { return !now.Before(k.Until) })
	for i, use := range settings.SecretUses {
		var s sealed.Secret
		if err := records[i+1].Decode(&s); err != nil {
			return View{}, err
		}
		if records[i+1].Version > 0 {
			view.Secrets[use] = SecretDates{s.Since, s.OldUntil}
		}
	}
	return view, nil
}
