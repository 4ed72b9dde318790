// Package pages has the part of the service that asks W1 for merchant sessions, and the function that needs it.
package pages

import (
	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/wallet/session"
)

// MerchantSessions begins merchant sessions of W1.
var MerchantSessions = function.Part{Name: "merchant sessions of W1", Add: addMerchantSessions}

func addMerchantSessions(b *function.Builder) { b.Payer.Sessions = session.NewClient() }

// Page serves the checkout page's own API.
var Page = function.Function{
	Name: "page",
	Parts: []*function.Part{
		&function.BaseURL, &function.WalletURL, &queues.Jobs, &function.VaultTable, &function.Passwords,
		&function.WalletIdentities, &MerchantSessions,
	},
	Entry: function.HTTP, Routes: &api.Page,
}
