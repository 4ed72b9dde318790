// Package connector is the list of connectors. Each family of providers is a folder beside this file, with a README
// of its own; provider is what they have in common, and conformance the tests that each of them passes.
package connector

import (
	"checkout/internal/checkout"
	"checkout/internal/connector/provider"
	"checkout/internal/connector/sandbox"
	"checkout/internal/merchant"
)

// families is every connector by its name, which merchants' settings use.
var families = map[string]func(provider.Setup) checkout.Connector{
	merchant.SandboxConnector: func(s provider.Setup) checkout.Connector { return sandbox.New(s) },
}

// New builds every connector.
func New(setup provider.Setup) map[string]checkout.Connector {
	all := map[string]checkout.Connector{}
	for name, build := range families {
		all[name] = build(setup)
	}
	return all
}
