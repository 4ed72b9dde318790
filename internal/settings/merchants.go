package settings

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/store"
)

// Merchants stores, changes and lists merchants for an operator. Functions cache settings, so a change can take up to a
// minute to take effect.
type Merchants struct {
	Store   store.Store
	Secrets Secrets // of all uses
	Now     func() time.Time
	Random  func(n int) []byte

	Connectors Declarations // that settings may name
	Act        audit.Act    // by whom and why; each change is stored with its document

	// LocalRun allows what only a local run may have: providers at loopback addresses, also by http, and MIDs that name
	// the sandbox, which then takes payments of the live key.
	LocalRun bool
}

// storedMerchant is the document of a merchant's settings. Secrets are not in it, they have documents of their own.
type storedMerchant struct {
	Merchant
	Replaced []ReplacedKey `json:"replaced_keys,omitempty"`
}

// ReplacedKey is a merchant_key that was replaced and is still valid until a time.
type ReplacedKey struct {
	Key   string    `json:"key"`
	Test  bool      `json:"test,omitempty"`
	Until time.Time `json:"until"`
}

// Save replaces a merchant's settings, its keys and its secrets, all or nothing. Keys, password, callback secret and
// credentials of MIDs that are absent stay as they are stored, and so do private keys of wallets beside the certificate
// that they belong to. A key or secret that is replaced expires immediately.
// Errors: CodeInvalid with every fault of the settings, or for a key that belongs to another merchant.
func (o *Merchants) Save(ctx context.Context, m Merchant) error {
	_, err := o.change(ctx, change{id: m.ID, saves: true, apply: func(stored *Merchant) error {
		saved := m.clone()
		saved.fillFrom(stored)
		*stored = saved
		return nil
	}})
	return err
}

// fillFrom copies keys and secrets that are absent, and presets that are masked, from the stored settings.
func (m *Merchant) fillFrom(stored *Merchant) {
	m.LiveKey = cmp.Or(m.LiveKey, stored.LiveKey)
	m.TestKey = cmp.Or(m.TestKey, stored.TestKey)
	m.Password = cmp.Or(m.Password, stored.Password)
	m.CallbackSecret = cmp.Or(m.CallbackSecret, stored.CallbackSecret)
	m.eachMID(func(mapping string, mid *MID) {
		if known, ok := stored.MID(mapping, mid.Name); ok && mid.Credentials == nil {
			mid.Credentials = known.Credentials
		}
	})
	m.fillWallets(stored)
	m.unmaskPresets(stored)
}

// SetDisabled disables a merchant, or enables it again. Errors: CodeNotFound.
func (o *Merchants) SetDisabled(ctx context.Context, id string, disabled bool) error {
	_, err := o.change(ctx, change{id: id, apply: func(m *Merchant) error {
		if m.ID == "" {
			return errMerchant()
		}
		m.Disabled = disabled
		return nil
	}})
	return err
}

// Rotation is the replacement of a key or secret of a merchant.
type Rotation struct {
	Merchant string        // its id
	What     string        // key, test-key, password or callback-secret
	To       string        // the new value; "": a random one
	Overlap  time.Duration // how long the present value stays valid; one that was replaced before expires immediately
}

// rotatable are the keys and secrets that can be rotated.
var rotatable = []string{"key", "test-key", "password", "callback-secret"}

// maxOverlap is how long a replaced key or secret may stay valid.
const maxOverlap = 30 * 24 * time.Hour

// Rotate replaces a key or secret and returns the new one.
// Errors: CodeInvalid, CodeNotFound.
func (o *Merchants) Rotate(ctx context.Context, r Rotation) (string, error) {
	switch {
	case !slices.Contains(rotatable, r.What):
		return "", fault.At("what", method.TextNotChoice)
	case r.Overlap < 0 || r.Overlap > maxOverlap:
		return "", fault.At("overlap", method.NotValid("It should be 720h or less."))
	}
	to := r.To
	if to == "" {
		to = o.generate(r.What)
	}
	_, err := o.change(ctx, change{id: r.Merchant, overlap: r.Overlap, apply: func(m *Merchant) error {
		if m.ID == "" {
			return errMerchant()
		}
		value := map[string]*string{
			"key":             &m.LiveKey,
			"test-key":        &m.TestKey,
			"password":        &m.Password,
			"callback-secret": &m.CallbackSecret,
		}[r.What]
		if *value == to {
			return fault.At("to", method.NotValid("It is the present value."))
		}
		*value = to
		return nil
	}})
	if err != nil {
		return "", err
	}
	return to, nil
}

// generate returns a random key or secret.
func (o *Merchants) generate(what string) string {
	switch what {
	case "password":
		return base64.RawURLEncoding.EncodeToString(o.Random(24))
	case "callback-secret":
		return "whsec_" + base64.StdEncoding.EncodeToString(o.Random(32))
	}
	return store.NewUUID(o.Random(16))
}

// maxMerchants is the most merchants that List returns.
const maxMerchants = 10_000

// List returns the settings of all merchants, by id, without secrets.
func (o *Merchants) List(ctx context.Context) ([]Merchant, error) {
	now := o.Now()
	index, err := o.Store.List(ctx, now, store.MerchantIndex(maxMerchants))
	if err != nil {
		return nil, fmt.Errorf("list merchants: %w", err)
	}
	slices.Reverse(index)
	var all []Merchant
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
			var m Merchant
			if err := r.Decode(&m); err != nil {
				return nil, err
			}
			m.maskPresets()
			all = append(all, m)
		}
	}
	return all, nil
}

// View is a merchant's settings without secrets, with the dates of its keys and secrets and its notice addresses.
type View struct {
	Merchant
	Replaced []ReplacedKey             `json:"replaced_keys,omitempty"`
	Secrets  map[SecretUse]SecretDates `json:"secrets"`
	Notices  []NoticeView              `json:"notices,omitempty"`
}

// NoticeView is the address to which the provider of a MID sends notices of outcomes.
type NoticeView struct {
	Mapping string `json:"mapping"`
	MID     string `json:"mid"`
	Path    string `json:"path"` // without the base URL
}

// SecretDates says since when a secret is valid, and until when the one that it replaced is.
type SecretDates struct {
	Since    time.Time `json:"since"`
	OldUntil time.Time `json:"old_until,omitzero"`
}

// Find returns the merchant with an id, without its secrets, and with masked presets. Errors: CodeNotFound.
func (o *Merchants) Find(ctx context.Context, id string) (View, error) {
	now := o.Now()
	records, err := o.Store.Get(ctx, now, merchantDocuments(id, SecretUses)...)
	if err != nil {
		return View{}, fmt.Errorf("read merchant: %w", err)
	}
	if records[0].Version == 0 {
		return View{}, errMerchant()
	}
	view := View{Secrets: map[SecretUse]SecretDates{}}
	var stored storedMerchant
	if err := records[0].Decode(&stored); err != nil {
		return View{}, err
	}
	view.Merchant, view.Notices = stored.Merchant, stored.noticeViews(o.Connectors)
	view.maskPresets()
	view.Replaced = slices.DeleteFunc(stored.Replaced, func(k ReplacedKey) bool { return !now.Before(k.Until) })
	for i, use := range SecretUses {
		var s storedSecret
		if err := records[i+1].Decode(&s); err != nil {
			return View{}, err
		}
		if records[i+1].Version > 0 {
			view.Secrets[use] = SecretDates{s.Since, s.OldUntil}
		}
	}
	return view, nil
}

func errMerchant() error {
	return fault.Refuse(fault.CodeNotFound, "Merchant does not exist")
}

var errBusyMerchant = errors.New("store merchant: somebody else changes it at the same time")
