// Package payer is what the checkout page asks for: the next screen, to pay, to fill in a second form, to cancel or to
// choose another way to pay, a merchant session of Apple Pay, and what follows when the payer comes back from a
// provider.
package payer

import (
	"context"
	"encoding/json"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Page is what the checkout page asks for. NewPage makes it.
type Page struct {
	core    *checkout.Core
	jobs    checkout.Jobs
	baseURL string
	keys    card.KeyCache

	Sessions MerchantSessions
	// WalletURL is the page on a second origin that loads the script of Google Pay, which never runs beside card
	// fields. Where it is "", that wallet has no button.
	WalletURL string

	certificates store.Cache[bool] // by merchant: whether a certificate ends soon
	limits       settings.Limits   // of Pay
}

// NewPage makes what the page asks. baseURL is its public address, without a trailing slash.
func NewPage(core *checkout.Core, queue payment.JobQueue, sessions MerchantSessions, baseURL string) *Page {
	return &Page{core: core, jobs: checkout.NewJobs(core, queue), baseURL: baseURL, Sessions: sessions}
}

// WithGooglePay returns the page with the address of the frame of that wallet.
func (s *Page) WithGooglePay(walletURL string) *Page {
	s.WalletURL = walletURL
	return s
}

// MerchantSessions begins merchant sessions of Apple Pay. Only the page function has it.
type MerchantSessions interface {
	// Begin returns the wallet's opaque object, JSON, which is good once and for a few minutes. The settings have the
	// identity key; domain is the host of the top-level page.
	Begin(ctx context.Context, own settings.ApplePay, domain string) (json.RawMessage, error)
}
