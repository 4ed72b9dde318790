// Package pages has the function that serves the checkout page's own API, with its port at Apple Pay.
package pages

import (
	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/payer"
	"checkout/internal/settings"
	"checkout/internal/wallet/session"
)

// Page serves the checkout page's own API.
var Page = function.Function{Name: "page", Build: func(b *function.Builder) any {
	core := b.Core("GetItem BatchGetItem PutItem Query", settings.SecretPassword, settings.SecretWalletIdentity)
	b.VaultTable("GetItem PutItem")
	page := payer.NewPage(core, queues.Jobs(b), session.NewClient(), b.BaseURL())
	return b.HTTP(core, api.Page(page.WithGooglePay(b.WalletURL())))
}}
