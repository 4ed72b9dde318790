// Package pages has the part of the service that asks Apple Pay for merchant sessions, and the function that needs it.
package pages

import (
	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/wallet/session"
)

// MerchantSessions begins merchant sessions of Apple Pay.
var MerchantSessions = function.Part{Name: "merchant sessions of Apple Pay", Add: addMerchantSessions}

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
