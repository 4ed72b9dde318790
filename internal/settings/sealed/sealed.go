// Package sealed has the documents of merchants' encrypted secrets.
package sealed

import (
	"maps"
	"slices"
	"time"
)

// Secret is the document of a merchant's secret of one use.
type Secret struct {
	Encrypted   []byte    `json:"encrypted,omitempty"`
	Fingerprint []byte    `json:"fingerprint,omitempty"` // an earlier release has stored none
	Since       time.Time `json:"since"`
	Old         []byte    `json:"old,omitempty"` // the encrypted secret that was replaced, valid until OldUntil
	OldUntil    time.Time `json:"old_until,omitzero"`

	Credentials ByMID `json:"credentials,omitempty"` // in place of Encrypted

	// Keys are private keys of wallets, by the ids of their public halves. Encrypted has those that an earlier release has
	// stored, in one JSON text.
	Keys map[string]Key `json:"keys,omitempty"`
}

// Key is a private key of a wallet, encrypted by itself.
type Key struct {
	Encrypted []byte    `json:"encrypted"`
	Since     time.Time `json:"since"`
}

// ByMID are the credentials of MIDs, by the names of mapping and MID, those of each encrypted by themselves.
type ByMID map[string]map[string]Credentials

// Add adds or replaces the credentials of a MID.
func (all ByMID) Add(mapping, mid string, c Credentials) {
	if all[mapping] == nil {
		all[mapping] = map[string]Credentials{}
	}
	all[mapping][mid] = c
}

// Credentials are the encrypted credentials of a MID: those that are set at once are a part. MIDs of a merchant
// with the same credentials have the same Account, 1, 2, ..., which says so without them.
type Credentials struct {
	// Encrypted are all credentials of a MID, as an earlier release has stored them. It does not say which they are. Those
	// in Parts and in the settings count before them, and the names in Without don't count any more.
	Encrypted []byte `json:"encrypted,omitempty"`

	Account int      `json:"account"`
	Parts   []Part   `json:"parts,omitempty"`
	Without []string `json:"without,omitempty"`
}

// Part are credentials of a MID that were set at once.
type Part struct {
	Encrypted []byte `json:"encrypted"`
	// Fingerprints are those of the credentials that count, by their names. Others were replaced or removed later.
	Fingerprints map[string][]byte `json:"fingerprints"`
	Since        time.Time         `json:"since"`
}

// PartWith returns the part with a credential that counts, nil for none.
func (c Credentials) PartWith(name string) *Part {
	i := slices.IndexFunc(c.Parts, func(p Part) bool { return p.Fingerprints[name] != nil })
	if i < 0 {
		return nil
	}
	return &c.Parts[i]
}

// Has reports whether a credential is stored. Those of an earlier release may have every one.
func (c Credentials) Has(name string) bool {
	return c.PartWith(name) != nil || c.Encrypted != nil && !slices.Contains(c.Without, name)
}

// Removed is the document of the secrets that a change removed with their MIDs.
type Removed struct {
	MIDs []RemovedMID `json:"mids"`
}

// RemovedMID are the secrets of a MID when it was removed or got another connector.
type RemovedMID struct {
	Mapping   string `json:"mapping"`
	MID       string `json:"mid"`
	Connector string `json:"connector"`
	// Plain are the credentials that are no secrets, such as the address that the others were sent to.
	Plain       map[string]string         `json:"plain,omitempty"`
	Credentials Credentials               `json:"credentials,omitzero"`
	Keys        map[string]map[string]Key `json:"keys,omitempty"` // of the MID's wallets, by use and id
}

// AddKey adds a private key of a wallet.
func (m *RemovedMID) AddKey(use, id string, key Key) {
	if m.Keys == nil {
		m.Keys = map[string]map[string]Key{}
	}
	if m.Keys[use] == nil {
		m.Keys[use] = map[string]Key{}
	}
	m.Keys[use][id] = key
}

// Remove returns the credentials without one. A part of which no name counts any more goes.
func (c Credentials) Remove(name string) Credentials {
	var parts []Part
	for _, p := range c.Parts {
		p.Fingerprints = maps.Clone(p.Fingerprints)
		delete(p.Fingerprints, name)
		if len(p.Fingerprints) > 0 {
			parts = append(parts, p)
		}
	}
	c.Parts = parts
	if c.Encrypted != nil && !slices.Contains(c.Without, name) {
		c.Without = append(slices.Clone(c.Without), name)
	}
	return c
}
