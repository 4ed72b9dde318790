package change

import (
	"context"
	"slices"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/sealed"
	"checkout/internal/settings/table"
	"checkout/internal/settings/words"
	"checkout/internal/store"
)

// change is one change of a merchant.
type change struct {
	id      string
	overlap time.Duration // for how long a replaced key or secret stays valid
	// apply changes the settings, which have no secrets; those of a new merchant are empty. It sets the secrets that the
	// change sets. All others stay as they are stored.
	apply func(*settings.Merchant, secrets) error
	saves bool // replaces all settings, whose certificates may not be over then

	restores bool     // brings the secrets back that went with MIDs
	confirms bool     // has to name what it removes
	remove   []string // the names of mappings and MIDs that may go, or get another connector

	read     int64 // the version of the settings that the change was made of, as in Draft
	testOnly bool  // refuses what is not about payments with the test key alone
	made     *Made // by apply, of a draft
}

// pendingChange is a change that is not stored yet, with the settings before and after it.
type pendingChange struct {
	*Merchants
	change
	now           time.Time
	before, after *settings.Stored // without secrets
	stored        store.Record     // of the settings
	secrets       secrets          // their documents
	set           []newSecret      // those that are to be encrypted
	misfits       misfits          // of its draft
	removed       []Removal
	emptied       []newSecret       // credentials of MIDs that stay, with their fingerprints
	restored      sealed.ByMID      // credentials that come back with their MIDs
	earlier       []*removedSecrets // that earlier changes have removed, once they are read
	stores        int64             // 1 if the settings are stored anew, else 0
	changes       []words.Change    // what is other than before; secrets are named and not shown
}

// Removal is a mapping or a MID that a change removes, or a MID that gets another connector, with the secrets that it
// loses. Whoever makes the change has to name it.
type Removal struct {
	Place       string   `json:"place"` // mappings[default].mids[card]
	Name        string   `json:"name"`  // of the mapping or the MID
	Mapping     string   `json:"mapping"`
	MID         string   `json:"mid,omitempty"` // absent: the mapping goes as a whole
	Credentials []string `json:"credentials"`   // the places of secrets
	Text        string   `json:"text"`          // what it means

	connector string // that a MID gets, "" if it goes
	places    []settings.Place
	secrets   []sealed.RemovedMID
}

// removedSecrets is the document of the secrets that one change removed.
type removedSecrets struct {
	sealed.Removed
	stored  store.Record
	changed bool
}

// newSecret is a secret that is set and other than it is stored.
type newSecret struct {
	settings.SetSecret
	fingerprint []byte // nil if it was not compared with any
}

func (p *pendingChange) fingerprint(ctx context.Context, s newSecret) ([]byte, error) {
	if s.fingerprint != nil {
		return s.fingerprint, nil
	}
	return p.Sealer.Fingerprint(ctx, s.About(p.id), s.Value)
}

// lines returns a line for each place that is other than before.
func (p *pendingChange) lines() []string { return linesOf(p.changes) }

// isOfTests reports whether the change is about payments with the test key alone.
func (p *pendingChange) isOfTests() bool {
	return !slices.ContainsFunc(p.changes, func(c words.Change) bool {
		row := table.Find(c.Path)
		return row == nil || !row.Test
	})
}
