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
	Sealer settings.Sealer // nil: only to list and find
	Now    func() time.Time
	Random func(n int) []byte

	Connectors settings.Declarations // that settings may name
	Act        audit.Act             // by whom and why; each change is stored with its document

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

func errMerchant() error {
	return fault.Refuse(fault.CodeNotFound, "Merchant does not exist")
}

var errBusyMerchant = errors.New("store merchant: somebody else changes it at the same time")
