package merchant

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"checkout/internal/store"
)

// SecretUse is what a secret of a merchant is for. Each use has documents, a data key and permissions of its own.
type SecretUse string

// The uses.
const (
	SecretPassword    SecretUse = "password"    // hashes of requests, callbacks and returns
	SecretCallback    SecretUse = "callback"    // webhook-signature
	SecretCredentials SecretUse = "credentials" // of the MIDs
)

// SecretUses is every use.
var SecretUses = []SecretUse{SecretPassword, SecretCallback, SecretCredentials}

// storedSecret is a merchant's secret of one use as it is stored.
type storedSecret struct {
	Encrypted []byte    `json:"encrypted"`
	Since     time.Time `json:"since"`
	Old       []byte    `json:"old,omitempty"` // the encrypted secret before, good until OldUntil
	OldUntil  time.Time `json:"old_until,omitzero"`
}

// replacedSecret is a secret that was replaced and is good until a time.
type replacedSecret struct {
	text  string
	until time.Time
}

func (r replacedSecret) ended(now time.Time) bool { return r.text != "" && !now.Before(r.until) }

// midCredentials are the credentials of all MIDs of a merchant, by mapping and MID.
type midCredentials map[string]map[string]map[string]string

// merchantReader reads merchants with the secrets that it may decrypt.
type merchantReader struct {
	store   store.Store
	secrets Secrets
	now     time.Time
}

// read reads a merchant's settings and secrets, in one request. The records are those of the settings and of each use
// of the secrets. An absent merchant has settings of version 0.
func (in merchantReader) read(ctx context.Context, id string) (*storedMerchant, []store.Record, error) {
	uses := in.secrets.Uses()
	records, err := in.store.Get(ctx, in.now, merchantDocuments(id, uses)...)
	if err != nil {
		return nil, nil, fmt.Errorf("read merchant: %w", err)
	}
	m := &storedMerchant{}
	if err := records[0].Decode(m); err != nil || records[0].Version == 0 {
		return m, records, err
	}
	for i, use := range uses {
		if err := in.decryptInto(ctx, &m.Merchant, use, records[i+1]); err != nil {
			return nil, nil, fmt.Errorf("%s of merchant %s: %w", use, id, err)
		}
	}
	return m, records, nil
}

// merchantDocuments are the keys of a merchant's settings and of its secrets of some uses, in that order.
func merchantDocuments(id string, uses []SecretUse) []store.Key {
	keys := []store.Key{store.SettingsKey(id)}
	for _, use := range uses {
		keys = append(keys, store.SecretKey(string(use), id))
	}
	return keys
}

// decryptInto decrypts a stored secret into the settings.
func (in merchantReader) decryptInto(ctx context.Context, m *Merchant, use SecretUse, r store.Record) error {
	var stored storedSecret
	if err := r.Decode(&stored); err != nil || r.Version == 0 {
		return err
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
	case SecretCredentials:
		var all midCredentials
		if json.Unmarshal(plain, &all) != nil { // whose error would quote what it read
			return fmt.Errorf("the document holds no credentials")
		}
		m.eachMID(func(mapping string, mid *MID) { mid.Credentials = all[mapping][mid.Name] })
	}
	return nil
}

// secret is what is encrypted for a use, "" if there is none.
func (m *Merchant) secret(use SecretUse) string {
	switch use {
	case SecretPassword:
		return m.Password
	case SecretCallback:
		return m.CallbackSecret
	}
	all := midCredentials{}
	m.eachMID(func(mapping string, mid *MID) {
		if len(mid.Credentials) == 0 {
			return
		}
		if all[mapping] == nil {
			all[mapping] = map[string]map[string]string{}
		}
		all[mapping][mid.Name] = mid.Credentials
	})
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic("marshal credentials: " + err.Error()) // texts only, which can always be encoded
	}
	return string(text)
}

// withoutSecrets is a copy of the settings that holds none.
func (m *Merchant) withoutSecrets() Merchant {
	bare := m.clone()
	bare.Password, bare.CallbackSecret = "", ""
	bare.oldPassword, bare.oldCallbackSecret = replacedSecret{}, replacedSecret{}
	bare.eachMID(func(_ string, mid *MID) { mid.Credentials = nil })
	return bare
}

// clone is a copy whose MIDs can be changed.
func (m *Merchant) clone() Merchant {
	c := *m
	c.Mappings = append([]Mapping(nil), m.Mappings...)
	for i := range c.Mappings {
		c.Mappings[i].MIDs = append([]MID(nil), m.Mappings[i].MIDs...)
		for j := range c.Mappings[i].MIDs {
			c.Mappings[i].MIDs[j].Credentials = maps.Clone(c.Mappings[i].MIDs[j].Credentials)
		}
	}
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

// at is the merchant as it is at a time: without secrets that have ended, however long it was remembered.
func (m *Merchant) at(now time.Time) *Merchant {
	if m == nil || !m.oldPassword.ended(now) && !m.oldCallbackSecret.ended(now) {
		return m
	}
	current := *m
	if current.oldPassword.ended(now) {
		current.oldPassword = replacedSecret{}
	}
	if current.oldCallbackSecret.ended(now) {
		current.oldCallbackSecret = replacedSecret{}
	}
	return &current
}

// Secrets encrypts merchants' secrets, bound to their use and merchant. A function's has the uses alone that the
// function needs, and fails for all others.
type Secrets interface {
	Encrypt(ctx context.Context, use SecretUse, merchant string, plain []byte) ([]byte, error)
	Decrypt(ctx context.Context, use SecretUse, merchant string, encrypted []byte) ([]byte, error)
	// Uses names the uses that this one has.
	Uses() []SecretUse
}
