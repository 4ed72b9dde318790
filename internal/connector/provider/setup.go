// Package provider is what connectors have in common: the setup that they are built with, and the HTTP client that
// sends their requests.
package provider

import (
	"context"
	"time"

	"checkout/internal/store"
)

// Setup is what a connector is built with. A connector uses what it needs of it.
type Setup struct {
	Now     func() time.Time
	BaseURL string // public address of the service, without a trailing slash
	Client  *Client

	// Store and Notify are the sandbox's alone: its ledger is in the service's table, and its notices don't travel over
	// HTTP.
	Store  store.Store
	Notify func(ctx context.Context, url string, body []byte) error
}
