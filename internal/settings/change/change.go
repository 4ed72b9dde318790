package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/settings/check"
	"checkout/internal/settings/words"
	"checkout/internal/store"
)

// maxChangeTries is how often a change is tried while others change the same merchant.
const maxChangeTries = 5

// change stores a change of a merchant with its keys and secrets and its audit document, all or nothing. It returns a
// line for each place that is other than before; secrets are named and not shown.
func (o *Merchants) change(ctx context.Context, c change) ([]string, error) {
	p, err := o.store(ctx, c)
	if err != nil {
		return nil, err
	}
	return p.lines(), nil
}

// store stores a change, and returns it as it was stored. Errors: those of plan, CodeConflict.
func (o *Merchants) store(ctx context.Context, c change) (p *pendingChange, err error) {
	update := store.Update{
		Doing: "store merchant", Store: o.Store, Now: o.Now, Tries: maxChangeTries, Final: o.Final,
	}
	err = update.Do(ctx, func(now time.Time) (records []store.Record, err error) {
		if p, err = o.plan(ctx, now, c); err != nil {
			return nil, err
		}
		if err := p.unnamed(); c.confirms && err != nil {
			return nil, err
		}
		if records, err = p.documents(ctx); err != nil || len(records) == 0 {
			return nil, err
		}
		p.stores = 1
		if o.Beside != nil {
			records = append(records, o.Beside(p.result())...)
		}
		return append(records, o.Act.Records(now, "merchant/"+c.id, p.lines()...)...), nil
	})
	if errors.Is(err, store.ErrConflicts) {
		return nil, errBusyMerchant
	}
	return p, err
}

// plan checks a change, and finds what is other than before, also beside faults. It stores and encrypts nothing.
func (o *Merchants) plan(ctx context.Context, now time.Time, c change) (*pendingChange, error) {
	records, err := o.Store.Get(ctx, now, settings.Documents(c.id, settings.SecretUses)...)
	if err != nil {
		return nil, fmt.Errorf("read merchant: %w", err)
	}
	p := &pendingChange{Merchants: o, change: c, now: now, stored: records[0], before: &settings.Stored{}}
	if err := records[0].Decode(p.before); err != nil {
		return nil, err
	}
	if p.secrets, err = secretsOf(records[1:]); err != nil {
		return nil, err
	}
	p.after = &settings.Stored{Merchant: p.before.Clone()}
	if c.read != 0 && max(c.read, 0) != p.stored.Version {
		return nil, o.conflict(ctx, p)
	}
	if p.misfits, err = readable(c.apply(&p.after.Merchant, p.secrets)); err != nil {
		return nil, err
	}
	p.after.Connectors = o.Connectors
	if c.restores {
		if err := p.restoreSecrets(ctx); err != nil {
			return nil, err
		}
	}
	removed := p.removeCredentials()
	var at time.Time // a key can be rotated although a certificate is over, or a connector needs one credential more
	if c.saves {
		at = now
	}
	faults := p.misfits.with(check.Check(p.after.Merchant, p.places(), at, o.LocalRun))
	if p.set, err = p.differing(ctx, p.after.TakeSecrets()); err != nil {
		return nil, err
	}
	if p.changes, err = p.differences(removed); err != nil {
		return nil, err
	}
	if faults == nil && c.testOnly && !p.isOfTests() {
		return p, fault.Refuse(fault.CodeDenied, "Your roles let you change only what payments with the test key have.")
	}
	return p, faults
}

// differences returns what is other than before, with the secrets that are set and those that are removed.
func (p *pendingChange) differences(removed []words.Change) ([]words.Change, error) {
	if p.before.ID == "" {
		return []words.Change{isNew}, nil
	}
	changes, err := differences(&p.before.Merchant, &p.after.Merchant)
	if err != nil {
		return nil, err
	}
	for _, s := range p.set {
		changes = append(changes, ofSecret(s.Place, "other than before, not shown"))
	}
	return append(changes, removed...), nil
}

// documents returns the documents of the change, none if nothing changes. They are few, and the largest, which are the
// settings, their version and two copies of them, are less than what one Save may have.
func (p *pendingChange) documents(ctx context.Context) ([]store.Record, error) {
	present, records, err := p.keys(ctx)
	if err != nil {
		return nil, err
	}
	removed, err := p.removedDocuments(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.seal(ctx); err != nil {
		return nil, err
	}
	records = slices.Concat(records, removed, p.secrets.changed(p.id, p.now))
	copied := settings.MerchantCopy{
		Settings: p.after.Merchant, Password: p.secrets[settings.SecretPassword].Secret, Replaced: p.after.Replaced,
	}
	copied.Password.Fingerprint = nil
	for _, key := range present {
		if r := key.record(&copied); !bytes.Equal(r.Doc, key.stored.Doc) {
			records = append(records, r)
		}
	}
	document := store.Encode(store.SettingsKey(p.id), p.stored.Version, p.after)
	switch {
	case p.stored.Version == 0:
		index := store.Encode(store.MerchantIndexKey(p.id), 0, store.IndexedMerchant{ID: p.id})
		return append(records, document, index), nil
	case !bytes.Equal(document.Doc, p.stored.Doc):
		return append(records, document, versionRecord(p.id, p.stored, p.now, p.Act)), nil
	case len(records) > 0: // secrets or copies alone
		return append(records, document), nil
	}
	return nil, nil
}
