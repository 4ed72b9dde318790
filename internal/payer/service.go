// Package payer is what the checkout page asks for: the next screen, to pay, to fill in a second form, to cancel or to
// choose another way to pay, a merchant session of Apple Pay, and what follows when the payer comes back from a
// provider.
package payer

import (
	"checkout/internal/checkout"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Service is what the checkout page asks for. Every exported field must be set.
type Service struct {
	*checkout.Core
	Sessions MerchantSessions
	// WalletURL is the page on a second origin that loads the script of Google Pay, which never runs beside card
	// fields.
	WalletURL string

	certificates store.Cache[bool] // by merchant: whether a certificate ends soon
	limits       settings.Limits   // of Pay
}
