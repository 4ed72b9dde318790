// Package list is the list of connectors.
package list

import (
	"checkout/internal/connector"
	"checkout/internal/connector/adapter"
	"checkout/internal/connector/brandcard"
	"checkout/internal/connector/cash"
	"checkout/internal/connector/collection"
	"checkout/internal/connector/mobilemoney"
	"checkout/internal/connector/provider"
	"checkout/internal/connector/sandbox"
	"checkout/internal/connector/stripe"
	"checkout/internal/connector/voucher"
	"checkout/internal/connector/walletapp"
)

// families are the constructors of all connectors by the name of their folder, which merchants' settings use.
var families = map[string]func(provider.Setup) connector.Connector{
	"adapter":     adapter.New,
	"brandcard":   brandcard.New,
	"cash":        cash.New,
	"collection":  collection.New,
	"mobilemoney": mobilemoney.New,
	"sandbox":     sandbox.New,
	"stripe":      stripe.New,
	"voucher":     voucher.New,
	"walletapp":   walletapp.New,
}

// New builds every connector.
func New(setup provider.Setup) map[string]connector.Connector {
	all := map[string]connector.Connector{}
	for name, build := range families {
		all[name] = build(setup)
	}
	return all
}
