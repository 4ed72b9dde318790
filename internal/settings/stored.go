package settings

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"checkout/internal/settings/sealed"
	"checkout/internal/store"
)

// Stored is the document of a merchant's settings. Secrets are not in it, they have documents of their own.
type Stored struct {
	Merchant
	Replaced []ReplacedKey `json:"replaced_keys,omitempty"`
}

// Reader reads merchants with the secrets that it may decrypt.
type Reader struct {
	Store   store.Store
	Secrets Secrets
	Now     time.Time
}

// uses returns the uses of the secrets that may be decrypted.
func (in Reader) uses() []SecretUse {
	if in.Secrets == nil {
		return nil
	}
	return in.Secrets.Uses()
}

// Read returns a merchant with the secrets that may be decrypted, and the records of the settings and of each of these
// secrets. It sends one request to the store. If there is no merchant, the settings have version 0.
func (in Reader) Read(ctx context.Context, id string) (*Stored, []store.Record, error) {
	uses := in.uses()
	records, err := in.Store.Get(ctx, in.Now, Documents(id, uses)...)
	if err != nil {
		return nil, nil, fmt.Errorf("read merchant: %w", err)
	}
	m := &Stored{}
	if err := records[0].Decode(m); err != nil || records[0].Version == 0 {
		return m, records, err
	}
	for i, use := range uses {
		var stored sealed.Secret
		err := records[i+1].Decode(&stored)
		if err == nil && records[i+1].Version > 0 {
			err = in.decryptInto(ctx, &m.Merchant, use, stored)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s of merchant %s: %w", use, id, err)
		}
	}
	return m, records, nil
}

// needsMore reports whether there are secrets that may be decrypted and that a copy of a merchant lacks.
func (in Reader) needsMore() bool {
	return slices.ContainsFunc(in.uses(), func(use SecretUse) bool { return use != SecretPassword })
}

// decryptPassword decrypts the password of a copy into its settings, if it may be decrypted.
func (in Reader) decryptPassword(ctx context.Context, c *MerchantCopy) error {
	if !slices.Contains(in.uses(), SecretPassword) {
		return nil
	}
	if err := in.decryptInto(ctx, &c.Settings, SecretPassword, c.Password); err != nil {
		return fmt.Errorf("password of merchant %s: %w", c.Settings.ID, err)
	}
	return nil
}

// Documents returns the keys of a merchant's settings and of its secrets of some uses, in that order.
func Documents(id string, uses []SecretUse) []store.Key {
	keys := []store.Key{store.SettingsKey(id)}
	for _, use := range uses {
		keys = append(keys, store.SecretKey(string(use), id))
	}
	return keys
}

// decryptInto decrypts a stored secret into the settings.
func (in Reader) decryptInto(ctx context.Context, m *Merchant, use SecretUse, stored sealed.Secret) error {
	if use == SecretCredentials {
		m.EachMID(func(mapping string, mid *MID) { in.seal(m.ID, mapping, mid, stored.Credentials[mapping][mid.Name]) })
		return nil
	}
	if use == SecretWalletIdentity || use == SecretWalletProcessing {
		return in.decryptKeys(ctx, m, use, stored)
	}
	plain, err := in.Secrets.Decrypt(ctx, use, m.ID, stored.Encrypted)
	if err != nil {
		return err
	}
	old := replacedSecret{until: stored.OldUntil}
	if stored.Old != nil && in.Now.Before(stored.OldUntil) {
		text, err := in.Secrets.Decrypt(ctx, use, m.ID, stored.Old)
		if err != nil {
			return err
		}
		old.text = string(text)
	}
	switch use {
	case SecretPassword:
		m.Password, m.old.password = string(plain), old
	case SecretCallback:
		m.CallbackSecret, m.old.callbackSecret = string(plain), old
	}
	return nil
}

// decryptKeys decrypts private keys of wallets into the settings.
func (in Reader) decryptKeys(ctx context.Context, m *Merchant, use SecretUse, stored sealed.Secret) error {
	known := map[string]string{} // by the ids of their public halves
	if stored.Encrypted != nil {
		plain, err := in.Secrets.Decrypt(ctx, use, m.ID, stored.Encrypted)
		if err != nil {
			return err
		}
		if err := readKeys(plain, known); err != nil {
			return err
		}
	}
	for id, key := range stored.Keys {
		plain, err := in.Secrets.Decrypt(ctx, use, m.ID, key.Encrypted)
		if err != nil {
			return err
		}
		known[id] = string(plain)
	}
	m.EachWallets(func(_, _ string, w *Wallets) { w.setKeys(use, known) })
	return nil
}

// seal sets the encrypted credentials of a MID, which OpenCredentials decrypts.
func (in Reader) seal(merchant, mapping string, mid *MID, stored sealed.Credentials) {
	mid.stored.Credentials = stored
	if stored.Encrypted == nil && len(stored.Parts) == 0 {
		return
	}
	owner, plain := IDOfMID(merchant, mapping, mid.Name), mid.Credentials
	mid.stored.open = func(ctx context.Context) (map[string]string, error) {
		all, err := in.openCredentials(ctx, owner, stored, plain)
		if err != nil {
			return nil, fmt.Errorf("credentials of MID %s: %w", owner, err)
		}
		return all, nil
	}
}

// openCredentials decrypts the credentials of a MID, and adds those that are no secrets.
func (in Reader) openCredentials(
	ctx context.Context, owner string, stored sealed.Credentials, plain map[string]string,
) (map[string]string, error) {
	all := map[string]string{}
	decrypt := func(encrypted []byte, counts func(name string) bool) error {
		text, err := in.Secrets.Decrypt(ctx, SecretCredentials, owner, encrypted)
		if err != nil {
			return err
		}
		var values map[string]string
		if json.Unmarshal(text, &values) != nil { // its error could contain credentials
			return errors.New("the document holds no credentials")
		}
		for name, value := range values {
			if counts(name) {
				all[name] = value
			}
		}
		return nil
	}
	if stored.Encrypted != nil {
		err := decrypt(stored.Encrypted, func(name string) bool { return !slices.Contains(stored.Without, name) })
		if err != nil {
			return nil, err
		}
	}
	maps.Copy(all, plain)
	for _, part := range stored.Parts {
		err := decrypt(part.Encrypted, func(name string) bool { return part.Fingerprints[name] != nil })
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// FillFrom copies from the stored settings, which have no secrets, what these leave out: keys, what belongs to secrets
// that stay as they are stored, and presets that are masked.
func (m *Merchant) FillFrom(stored *Merchant) {
	m.LiveKey = cmp.Or(m.LiveKey, stored.LiveKey)
	m.TestKey = cmp.Or(m.TestKey, stored.TestKey)
	m.FillCredentials(stored)
	m.fillWallets(stored)
	m.unmaskPresets(stored)
}

// FillCredentials copies the credentials that are no secrets to MIDs that name none and keep their connector.
func (m *Merchant) FillCredentials(stored *Merchant) {
	m.EachMID(func(mapping string, mid *MID) {
		if known, ok := stored.MID(mapping, mid.Name); ok && mid.Credentials == nil && known.Connector == mid.Connector {
			mid.Credentials = maps.Clone(known.Credentials)
		}
	})
}
