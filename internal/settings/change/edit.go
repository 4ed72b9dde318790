package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings"
	"checkout/internal/settings/check"
	"checkout/internal/settings/merge"
	"checkout/internal/settings/words"
	"checkout/internal/store"
)

// Editable is what an editor begins with: a merchant's settings without secrets and with masked presets, and what is
// known of its keys and of each secret that is stored.
type Editable struct {
	Version  int64                  `json:"version"` // of the settings, which Publish asks for
	Settings settings.Merchant      `json:"settings"`
	Secrets  map[string]SecretView  `json:"secrets"` // by their places
	Replaced []settings.ReplacedKey `json:"replaced_keys,omitempty"`
	Notices  []settings.NoticeView  `json:"notices,omitempty"`
}

// Draft is a change of a merchant that was read before: a JSON object that changes what it names (merge.Into: what it
// leaves out stays as it is stored, null removes), or with Whole all settings. Secrets that it does not name stay as
// they are stored.
type Draft struct {
	Merchant string
	Version  int64 // that was read; 0: whichever is stored; NoVersion: there was no such merchant
	Settings json.RawMessage
	Whole    bool
	TestOnly bool     // refuses what is not about payments with the test key alone
	Remove   []string // names of the mappings and MIDs that it removes, and of MIDs that get another connector
	Adds     bool     // adds the merchant if there is none, with keys and secrets made for those that it does not name
}

// NoVersion is the version of a merchant that there is not.
const NoVersion = -1

// HasSecret reports whether the draft sets secrets.
func (d Draft) HasSecret() bool {
	named, err := merge.Read(d.Settings)
	return err != nil || hasSecret(named)
}

// secretMembers are the members that have secrets.
var secretMembers = []string{"password", "callback_secret", "credentials", "identity_key", "key", "private_keys"}

func hasSecret(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if slices.Contains(secretMembers, name) || hasSecret(member) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, hasSecret)
	}
	return false
}

// Checked says what a draft would change, and what is wrong with it.
type Checked struct {
	Version int64          `json:"version"` // that is stored
	Faults  []Fault        `json:"faults"`
	Changes []words.Change `json:"changes"`
	Removed []Removal      `json:"removed"`
}

// Fault is a place that is wrong.
type Fault = check.Finding

// Published says what was changed.
type Published struct {
	Version int64          `json:"version"` // that is stored now
	Changes []words.Change `json:"changes"`
	Made    Made           `json:"made,omitzero"`
}

// Read returns a merchant to edit. Errors: CodeNotFound.
func (o *Merchants) Read(ctx context.Context, id string) (Editable, error) {
	p, err := o.present(ctx, id)
	if err != nil {
		return Editable{}, err
	}
	views := p.views()
	if err := p.addKeys(ctx, views); err != nil {
		return Editable{}, err
	}
	e := Editable{
		Version: p.stored.Version, Settings: p.before.Clone(), Secrets: views,
		Replaced: p.replaced(), Notices: p.before.NoticeViews(o.Connectors),
	}
	e.Settings.MaskPresets()
	return e, nil
}

// Check says what a draft would change, and what is wrong with it. Nothing is stored. Errors: CodeNotFound,
// CodeConflict.
func (o *Merchants) Check(ctx context.Context, d Draft) (Checked, error) {
	c := Checked{Faults: []Fault{}, Changes: []words.Change{}, Removed: []Removal{}}
	p, err := o.plan(ctx, o.Now(), o.changeOf(d))
	if err == nil {
		_, _, err = p.keys(ctx)
	}
	var wrong *fault.Error
	if errors.As(err, &wrong) && wrong.Code == fault.CodeInvalid {
		if p == nil {
			p = &pendingChange{after: &settings.Stored{}}
		}
		c.Faults, err = check.Explain(p.after.Merchant, p.misfits, wrong.Faults), nil
	}
	if p != nil {
		c.Version, c.Changes = p.stored.Version, append(c.Changes, p.changes...)
		c.Removed = append(c.Removed, p.removed...)
	}
	return c, err
}

// Publish stores a draft. Errors: CodeInvalid with every fault, or with what it removes and does not name;
// CodeNotFound; CodeConflict with what was changed since the version was read; CodeDenied for one that is not TestOnly.
func (o *Merchants) Publish(ctx context.Context, d Draft) (Published, error) {
	c := o.changeOf(d)
	p, err := o.store(ctx, c)
	if err != nil {
		return Published{}, err
	}
	done := p.result()
	done.Made = *c.made
	return done, nil
}

// result returns what was changed, without what was made.
func (p *pendingChange) result() Published {
	return Published{Version: p.stored.Version + p.stores, Changes: append([]words.Change{}, p.changes...)}
}

// changeOf returns the change that a draft is.
func (o *Merchants) changeOf(d Draft) change {
	made := &Made{}
	return change{
		id: d.Merchant, saves: true, read: d.Version, testOnly: d.TestOnly, made: made, confirms: true, remove: d.Remove,
		apply: func(stored *settings.Merchant, known secrets) error {
			isNew := stored.ID == ""
			if isNew && !d.Adds {
				return errMerchant()
			}
			saved, err := o.drafted(stored, d, known)
			wrong, err := readable(err)
			var refused *fault.Error
			var unmerged *merge.Error
			switch {
			case errors.As(err, &unmerged):
				return fault.At(unmerged.Place, unmerged.Text)
			case errors.As(err, &refused):
				return err
			case err != nil:
				return fault.At("settings", method.NotValid(err.Error()))
			case saved.ID != d.Merchant:
				wrong = append(wrong, check.Finding{Path: "id", Text: method.NotValid("It can't be changed.")})
			}
			if isNew {
				wrong = append(wrong, idFaults(d.Merchant)...)
			}
			if *made = (Made{}); isNew {
				*made = o.makeMissing(&saved)
			}
			*stored = saved
			return wrong.orNil()
		},
	}
}

// drafted returns the settings as a draft has them.
func (o *Merchants) drafted(stored *settings.Merchant, d Draft, known secrets) (saved settings.Merchant, err error) {
	named, err := merge.Read(d.Settings)
	if err != nil {
		return saved, fault.At("settings", method.NotValid("It should be a JSON object."))
	}
	if name := removedSecret(named); name != "" {
		return saved, errRemoved(name)
	}
	named = maps.Clone(named)
	if _, is := named["id"]; !is || d.Whole {
		named["id"] = d.Merchant
	}
	if !d.Whole {
		return o.mergedWith(stored, named, known)
	}
	text, err := json.Marshal(named)
	if err != nil {
		return saved, err
	}
	saved, err = o.readSettings(text)
	wrong, err := readable(err)
	if err != nil {
		return saved, err
	}
	saved.FillFrom(stored)
	return saved, wrong.orNil()
}

// Conflict is what was changed since a version was read.
type Conflict struct {
	Version int64          `json:"version"` // that is stored
	Changes []words.Change `json:"changes"` // without secrets
}

// conflict returns the error for a change of a version that is not the present one.
func (o *Merchants) conflict(ctx context.Context, p *pendingChange) error {
	e := fault.Refuse(fault.CodeConflict, textConflict)
	meanwhile := Conflict{Version: p.stored.Version, Changes: []words.Change{}}
	if p.read == NoVersion {
		meanwhile.Changes = append(meanwhile.Changes, isNew)
		e.Hint = meanwhile
		return e
	}
	records, err := o.Store.List(ctx, p.now, store.SettingsVersions(p.id, maxVersions))
	if err != nil {
		return fmt.Errorf("list versions: %w", err)
	}
	for _, r := range records { // the latest first
		if store.SettingsVersion(r.Key) < p.read {
			break
		}
		var before Version
		if err := r.Decode(&before); err != nil {
			return err
		}
		changes, err := changedBetween(before.Settings, p.stored.Doc)
		if err != nil {
			return err
		}
		meanwhile.Changes = append([]words.Change{}, changes...)
	}
	e.Hint = meanwhile
	return e
}
