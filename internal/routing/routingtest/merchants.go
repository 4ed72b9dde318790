// Package routingtest has merchants for tests of routes.
package routingtest

import (
	"checkout/internal/method"
	"checkout/internal/settings"
)

// AllConnectors support everything: the sandbox, a bank, and the one without a name, which most MIDs of tests have.
var AllConnectors = settings.Declarations{"": AllCapabilities, "bank": AllCapabilities,
	settings.SandboxConnector: AllCapabilities}

// AllCapabilities are those of a connector that supports everything.
var AllCapabilities = settings.Declaration{
	Operations: method.Operations, Capture: true, Void: true, Refund: true, StatusQueries: true, Notices: true,
	ThreeDSecure: true, SavedCards: true, Recurring: true, AnyAmount: true,
}

// WithMIDs returns a merchant with one mapping, which has these MIDs.
func WithMIDs(mids ...settings.MID) *settings.Merchant {
	return &settings.Merchant{Connectors: AllConnectors, Mappings: []settings.Mapping{{Name: "main", MIDs: mids}}}
}
