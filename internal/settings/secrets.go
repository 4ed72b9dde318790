package settings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"checkout/internal/store"
)

// SecretUse is the purpose of a merchant's secret. Each use has documents, a data key and permissions of its own.
type SecretUse string

// The uses.
const (
	SecretPassword    SecretUse = "password"    // hashes of requests, callbacks and returns
	SecretCallback    SecretUse = "callback"    // webhook-signature
	SecretCredentials SecretUse = "credentials" // credentials of the MIDs

	SecretWalletIdentity   SecretUse = "wallet-identity"   // with which the service identifies itself to Apple Pay
	SecretWalletProcessing SecretUse = "wallet-processing" // which decrypt wallets' tokens
)

// SecretUses is every use.
var SecretUses = []SecretUse{
	SecretPassword, SecretCallback, SecretCredentials, SecretWalletIdentity, SecretWalletProcessing,
}

// storedSecret is the document of a merchant's secret of one use.
type storedSecret struct {
	Encrypted []byte    `json:"encrypted,omitempty"`
	Since     time.Time `json:"since"`
	Old       []byte    `json:"old,omitempty"` // the encrypted secret that was replaced, valid until OldUntil
	OldUntil  time.Time `json:"old_until,omitzero"`

	Credentials midCredentials `json:"credentials,omitempty"` // in place of Encrypted
}

// replacedSecret is a secret that was replaced and is still valid until a time.
type replacedSecret struct {
	text  string
	until time.Time
}

func (r replacedSecret) expired(now time.Time) bool { return r.text != "" && !now.Before(r.until) }

// secretsByMID are the secrets of a merchant and its MIDs for one use, by mapping and MID; both are "" for the
// merchant's own.
type secretsByMID[T any] map[string]map[string]T

// add adds the secrets of a MID.
func (all secretsByMID[T]) add(mapping, mid string, secrets T) {
	if all[mapping] == nil {
		all[mapping] = map[string]T{}
	}
	all[mapping][mid] = secrets
}

// text returns the text that is encrypted, "" if there are no secrets.
func (all secretsByMID[T]) text() string {
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic("marshal secrets: " + err.Error()) // can't happen: a map of texts can always be encoded
	}
	return string(text)
}

// midCredentials are the credentials of MIDs, those of each encrypted by themselves.
type midCredentials = secretsByMID[sealedCredentials]

// sealedCredentials are the encrypted credentials of a MID. MIDs of a merchant with the same credentials have the same
// Account, 1, 2, ..., which says so without them.
type sealedCredentials struct {
	Encrypted []byte `json:"encrypted"`
	Account   int    `json:"account"`
}

// merchantReader reads merchants with the secrets that it may decrypt.
type merchantReader struct {
	store   store.Store
	secrets Secrets
	now     time.Time
}

// uses returns the uses of the secrets that may be decrypted.
func (in merchantReader) uses() []SecretUse {
	if in.secrets == nil {
		return nil
	}
	return in.secrets.Uses()
}

// read returns a merchant with the secrets that may be decrypted, and the records of the settings and of each of these
// secrets. It sends one request to the store. If there is no merchant, the settings have version 0.
func (in merchantReader) read(ctx context.Context, id string) (*storedMerchant, []store.Record, error) {
	uses := in.uses()
	records, err := in.store.Get(ctx, in.now, merchantDocuments(id, uses)...)
	if err != nil {
		return nil, nil, fmt.Errorf("read merchant: %w", err)
	}
	m := &storedMerchant{}
	if err := records[0].Decode(m); err != nil || records[0].Version == 0 {
		return m, records, err
	}
	for i, use := range uses {
		var stored storedSecret
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
func (in merchantReader) needsMore() bool {
	return slices.ContainsFunc(in.uses(), func(use SecretUse) bool { return use != SecretPassword })
}

// decryptPassword decrypts the password of a copy into its settings, if it may be decrypted.
func (in merchantReader) decryptPassword(ctx context.Context, c *merchantCopy) error {
	if !slices.Contains(in.uses(), SecretPassword) {
		return nil
	}
	if err := in.decryptInto(ctx, &c.Settings, SecretPassword, c.Password); err != nil {
		return fmt.Errorf("password of merchant %s: %w", c.Settings.ID, err)
	}
	return nil
}

// merchantDocuments returns the keys of a merchant's settings and of its secrets of some uses, in that order.
func merchantDocuments(id string, uses []SecretUse) []store.Key {
	keys := []store.Key{store.SettingsKey(id)}
	for _, use := range uses {
		keys = append(keys, store.SecretKey(string(use), id))
	}
	return keys
}

// decryptInto decrypts a stored secret into the settings.
func (in merchantReader) decryptInto(ctx context.Context, m *Merchant, use SecretUse, stored storedSecret) error {
	if use == SecretCredentials {
		m.eachMID(func(mapping string, mid *MID) { in.seal(m.ID, mapping, mid, stored.Credentials[mapping][mid.Name]) })
		return nil
	}
	plain, err := in.secrets.Decrypt(ctx, use, m.ID, stored.Encrypted)
	if err != nil {
		return err
	}
	old := replacedSecret{until: stored.OldUntil}
	if stored.Old != nil && in.now.Before(stored.OldUntil) {
		text, err := in.secrets.Decrypt(ctx, use, m.ID, stored.Old)
		if err != nil {
			return err
		}
		old.text = string(text)
	}
	switch use {
	case SecretPassword:
		m.Password, m.oldPassword = string(plain), old
	case SecretCallback:
		m.CallbackSecret, m.oldCallbackSecret = string(plain), old
	case SecretWalletIdentity, SecretWalletProcessing:
		return m.readWalletSecret(use, plain)
	}
	return nil
}

// seal sets the encrypted credentials of a MID, which OpenCredentials decrypts.
func (in merchantReader) seal(merchant, mapping string, mid *MID, sealed sealedCredentials) {
	if sealed.Encrypted == nil {
		return
	}
	owner := midID(merchant, mapping, mid.Name)
	mid.sealed, mid.open = sealed, func(ctx context.Context) (all map[string]string, err error) {
		plain, err := in.secrets.Decrypt(ctx, SecretCredentials, owner, sealed.Encrypted)
		if err == nil && json.Unmarshal(plain, &all) != nil { // its error could contain credentials
			err = errors.New("the document holds no credentials")
		}
		if err != nil {
			return nil, fmt.Errorf("credentials of MID %s: %w", owner, err)
		}
		return all, nil
	}
}

// OpenCredentials returns the credentials of the MID. Of a MID that a function has read they are decrypted only then,
// so that no function decrypts those of a MID that it has nothing to do with.
func (m MID) OpenCredentials(ctx context.Context) (map[string]string, error) {
	if m.open == nil {
		return m.Credentials, nil
	}
	return m.open(ctx)
}

// openAll decrypts the credentials of all MIDs, for an operator's change.
func (m *Merchant) openAll(ctx context.Context) error {
	var errs []error
	m.eachMID(func(_ string, mid *MID) {
		all, err := mid.OpenCredentials(ctx)
		mid.Credentials, mid.open = all, nil
		errs = append(errs, err)
	})
	return errors.Join(errs...)
}

// secret returns the text that is encrypted for a use, "" if there is none.
func (m *Merchant) secret(use SecretUse) string {
	switch use {
	case SecretPassword:
		return m.Password
	case SecretCallback:
		return m.CallbackSecret
	case SecretWalletIdentity, SecretWalletProcessing:
		return m.walletSecret(use)
	}
	all := secretsByMID[map[string]string]{}
	m.eachMID(func(mapping string, mid *MID) {
		if len(mid.Credentials) > 0 {
			all.add(mapping, mid.Name, mid.Credentials)
		}
	})
	return all.text()
}

// withoutSecrets returns a copy of the settings without secrets.
func (m *Merchant) withoutSecrets() Merchant {
	bare := m.clone()
	bare.Password, bare.CallbackSecret = "", ""
	bare.oldPassword, bare.oldCallbackSecret = replacedSecret{}, replacedSecret{}
	bare.eachMID(func(_ string, mid *MID) { mid.Credentials, mid.sealed, mid.open = nil, sealedCredentials{}, nil })
	bare.eachWallets(func(_, _ string, w *Wallets) { w.removeKeys() })
	return bare
}

// clone returns a copy whose MIDs and wallets can be changed.
func (m *Merchant) clone() Merchant {
	c := *m
	c.Mappings = append([]Mapping(nil), m.Mappings...)
	for i := range c.Mappings {
		c.Mappings[i].MIDs = append([]MID(nil), m.Mappings[i].MIDs...)
		for j := range c.Mappings[i].MIDs {
			c.Mappings[i].MIDs[j].Credentials = maps.Clone(c.Mappings[i].MIDs[j].Credentials)
		}
	}
	c.eachWallets(func(_, _ string, w *Wallets) { *w = w.clone() })
	return c
}

// eachMID calls f with every MID and the name of its mapping.
func (m *Merchant) eachMID(f func(mapping string, mid *MID)) {
	for i := range m.Mappings {
		for j := range m.Mappings[i].MIDs {
			f(m.Mappings[i].Name, &m.Mappings[i].MIDs[j])
		}
	}
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

// Secrets encrypts merchants' secrets, with their use and owner as associated data: the merchant's id, or that of a
// MID. It supports only the uses that the running function needs, and returns an error for others.
type Secrets interface {
	Encrypt(ctx context.Context, use SecretUse, owner string, plain []byte) ([]byte, error)
	Decrypt(ctx context.Context, use SecretUse, owner string, encrypted []byte) ([]byte, error)
	// Uses returns the supported uses.
	Uses() []SecretUse
}
