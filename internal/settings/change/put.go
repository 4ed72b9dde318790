package change

import (
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
	"checkout/internal/store"
)

// asStored stands for a secret that is stored while a change is merged with the settings. No secret has such a text.
const asStored = "\x00as stored"

// mergedWith returns the settings as a JSON object changes them. Of the credentials of a MID, too, those change that it
// names, unless the MID gets another connector, which has others; those that it removes become "".
func (o *Merchants) mergedWith(m *settings.Merchant, named map[string]any, stored secrets) (settings.Merchant, error) {
	base := m.Clone()
	saved, err := o.merged(&base, named)
	if _, err = readable(err); err != nil {
		return settings.Merchant{}, err
	}
	base.EachMID(func(mapping string, mid *settings.MID) {
		if now, stays := saved.MID(mapping, mid.Name); !stays || now.Connector != mid.Connector {
			mid.Credentials = nil
			return
		}
		all := map[string]string{}
		for _, name := range o.Connectors.CredentialNames(mid.Connector) {
			if stored[settings.SecretCredentials].Credentials[mapping][mid.Name].Has(name) {
				all[name] = asStored
			}
		}
		maps.Copy(all, mid.Credentials)
		mid.Credentials = all
	})
	saved, err = o.merged(&base, named)
	wrong, err := readable(err)
	if err != nil {
		return settings.Merchant{}, err
	}
	saved.EachMID(func(mapping string, mid *settings.MID) {
		known, _ := base.MID(mapping, mid.Name)
		for name := range known.Credentials {
			if mid.Credentials == nil {
				mid.Credentials = map[string]string{}
			}
			if text, stays := mid.Credentials[name]; !stays {
				mid.Credentials[name] = ""
			} else if text == asStored {
				delete(mid.Credentials, name)
			}
		}
	})
	saved.FillFrom(m)
	return saved, wrong.orNil()
}

// merged returns the settings as a JSON object changes them. Errors: misfits, beside settings.
func (o *Merchants) merged(m *settings.Merchant, named map[string]any) (saved settings.Merchant, err error) {
	before := []byte("{}")
	if m.ID != "" {
		if before, err = json.Marshal(m); err != nil {
			return settings.Merchant{}, fmt.Errorf("marshal settings: %w", err)
		}
	}
	merged, err := merge.Into(before, named)
	if err != nil {
		return settings.Merchant{}, fmt.Errorf("read merchant: %w", err)
	}
	return o.readSettings(merged)
}

// readSettings reads settings. What is of another kind or no setting at all is left out, and is in the error.
// Errors: misfits, beside settings.
func (o *Merchants) readSettings(text []byte) (saved settings.Merchant, err error) {
	all, err := merge.Read(text)
	if err != nil {
		return saved, fmt.Errorf("read merchant: %w", err)
	}
	wrong := misfits(check.Shape(all, o.Connectors))
	if err := store.ReadExactly(store.CompactJSON(all), &saved); err != nil {
		return saved, fmt.Errorf("read merchant: %w", err)
	}
	return saved, wrong.orNil()
}

// misfits are the places of a draft that could not be read. All others were.
type misfits []check.Finding

func (m misfits) Error() string { return m.told().Error() }

func (m misfits) Unwrap() error { return m.told() }

// told returns the error that a caller is told.
func (m misfits) told() *fault.Error {
	var all []fault.Fault
	for _, f := range m {
		all = append(all, fault.Of(f.Path, f.Text))
	}
	return fault.Invalid(all)
}

// with returns an error with the misfits, and with the faults of another one.
func (m misfits) with(err error) error {
	if len(m) == 0 {
		return err
	}
	all := m.told()
	var others *fault.Error
	if errors.As(err, &others) {
		all.Faults = append(all.Faults, others.Faults...)
	}
	return all
}

// orNil returns the misfits as an error, nil if there are none.
func (m misfits) orNil() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// readable returns the misfits among an error, and any other error.
func readable(err error) (misfits, error) {
	var wrong misfits
	if errors.As(err, &wrong) {
		return wrong, nil
	}
	return nil, err
}

// secretNames are the members that null can't remove: a merchant has them, and Rotate replaces them.
var secretNames = []string{"live_key", "test_key", "password", "callback_secret", "credentials"}

// removedSecret returns the name of a secret that is null in a JSON value, "" if there is none.
func removedSecret(value any) string {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if value[name] == nil && slices.Contains(secretNames, name) {
				return name
			}
			if found := removedSecret(value[name]); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range value {
			if found := removedSecret(item); found != "" {
				return found
			}
		}
	}
	return ""
}

func errRemoved(name string) error {
	return fault.At(name, method.NotValid("It can't be removed. Leave it out, and it stays as it is stored."))
}
