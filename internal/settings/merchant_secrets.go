package settings

import (
	"context"
	"errors"
	"maps"
	"time"
)

// OpenCredentials returns the credentials of the MID. Of a MID that a function has read they are decrypted only then,
// so that no function decrypts those of a MID that it has nothing to do with.
func (m MID) OpenCredentials(ctx context.Context) (map[string]string, error) {
	if m.open == nil {
		return m.Credentials, nil
	}
	return m.open(ctx)
}

// EncryptedCredentials returns the credentials of a MID that a function has read, as they are stored.
func (m MID) EncryptedCredentials() []byte { return m.sealed.Encrypted }

// OpenAll decrypts the credentials of all MIDs, for an operator's change.
func (m *Merchant) OpenAll(ctx context.Context) error {
	var errs []error
	m.EachMID(func(_ string, mid *MID) {
		all, err := mid.OpenCredentials(ctx)
		mid.Credentials, mid.open = all, nil
		errs = append(errs, err)
	})
	return errors.Join(errs...)
}

// Secret returns the text that is encrypted for a use, "" if there is none.
func (m *Merchant) Secret(use SecretUse) string {
	switch use {
	case SecretPassword:
		return m.Password
	case SecretCallback:
		return m.CallbackSecret
	case SecretWalletIdentity, SecretWalletProcessing:
		return m.walletSecret(use)
	}
	all := secretsByMID[map[string]string]{}
	m.EachMID(func(mapping string, mid *MID) {
		if len(mid.Credentials) > 0 {
			all.Add(mapping, mid.Name, mid.Credentials)
		}
	})
	return all.text()
}

// WithoutSecrets returns a copy of the settings without secrets.
func (m *Merchant) WithoutSecrets() Merchant {
	bare := m.Clone()
	bare.Password, bare.CallbackSecret = "", ""
	bare.oldPassword, bare.oldCallbackSecret = replacedSecret{}, replacedSecret{}
	bare.EachMID(func(_ string, mid *MID) { mid.Credentials, mid.sealed, mid.open = nil, SealedCredentials{}, nil })
	bare.EachWallets(func(_, _ string, w *Wallets) { w.removeKeys() })
	return bare
}

// Clone returns a copy whose MIDs and wallets can be changed.
func (m *Merchant) Clone() Merchant {
	c := *m
	c.Mappings = append([]Mapping(nil), m.Mappings...)
	for i := range c.Mappings {
		c.Mappings[i].MIDs = append([]MID(nil), m.Mappings[i].MIDs...)
		for j := range c.Mappings[i].MIDs {
			c.Mappings[i].MIDs[j].Credentials = maps.Clone(c.Mappings[i].MIDs[j].Credentials)
		}
	}
	c.EachWallets(func(_, _ string, w *Wallets) { *w = w.clone() })
	return c
}

// at returns the merchant without replaced secrets that have expired since it was cached.
func (m *Merchant) at(now time.Time) *Merchant {
	if m == nil || !m.oldPassword.expired(now) && !m.oldCallbackSecret.expired(now) {
		return m
	}
	current := *m
	if current.oldPassword.expired(now) {
		current.oldPassword = replacedSecret{}
	}
	if current.oldCallbackSecret.expired(now) {
		current.oldCallbackSecret = replacedSecret{}
	}
	return &current
}
