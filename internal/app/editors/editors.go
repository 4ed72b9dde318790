// Package editors has the function that changes what is set for merchants.
package editors

import (
	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/operator"
	"checkout/internal/settings/change"
)

// Adminsettings reads and changes what is set for merchants. It encrypts their secrets, and can decrypt none.
var Adminsettings = function.Function{Name: "adminsettings", Build: func(b *function.Builder) any {
	core := b.Core("GetItem BatchGetItem PutItem Query")
	merchants := &change.Merchants{
		Store: core.Store, Sealer: b.SecretSealer(core), Now: core.Now, Random: core.Random,
		Connectors: core.Declarations, LocalRun: b.Option("LOCAL_RUN") == "true",
	}
	return b.AdminHTTP(core, api.AdminSettings(operator.NewPeople(core), operator.NewEditor(core, merchants)))
}}
