// Package change is how operators change what is set for merchants. A change is checked, its secrets are encrypted, and
// it is stored with who made it, all or nothing.
package change

import (
	"encoding/base64"
	"errors"
	"time"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Merchants stores, changes and lists merchants for an operator. Functions cache settings, so a change can take up to a
// minute to take effect.
type Merchants struct {
	Store  store.Store
	Sealer settings.Sealer // nil: only to list and read
	Now    func() time.Time
	Random func(n int) []byte

	Connectors settings.Declarations // that settings may name
	Act        audit.Act             // by whom and why; each change is stored with its document

	// Beside returns what else is stored in the same write as a change, nil for nothing. Final reports whether a conflict
	// ends the change at once.
	Beside func(Published) []store.Record
	Final  func(conflict error) bool

	// LocalRun allows what only a local run may have: providers at loopback addresses, also by http, and MIDs that name
	// the sandbox, which then takes payments of the live key.
	LocalRun bool
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

// Made are the keys and secrets of a merchant that were made for it.
type Made struct {
	LiveKey        string `json:"live_key,omitempty"`
	TestKey        string `json:"test_key,omitempty"`
	Password       string `json:"password,omitempty"`
	CallbackSecret string `json:"callback_secret,omitempty"`
}

// makeMissing makes the keys and secrets that a new merchant lacks, and returns them.
func (o *Merchants) makeMissing(m *settings.Merchant) (made Made) {
	for _, one := range []struct {
		what        string
		value, made *string
	}{
		{"key", &m.LiveKey, &made.LiveKey}, {"test-key", &m.TestKey, &made.TestKey},
		{"password", &m.Password, &made.Password}, {"callback-secret", &m.CallbackSecret, &made.CallbackSecret},
	} {
		if *one.value == "" {
			*one.made = o.generate(one.what)
			*one.value = *one.made
		}
	}
	return made
}

func errMerchant() error {
	return fault.Refuse(fault.CodeNotFound, "Merchant does not exist")
}

var errBusyMerchant = errors.New("store merchant: somebody else changes it at the same time")
