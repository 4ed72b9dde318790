// Package worker does what nobody waits for: it runs jobs, which are requests to providers, looks up what is unknown,
// moves charges to other MIDs, decrypts cards and wallets' tokens, takes providers' notices, charges schedules, sends
// callbacks, and sweeps up whatever is due.
package worker

import (
	"context"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/wallet/token"
)

// ProviderTimeout is how long a provider may take to respond.
const ProviderTimeout = 15 * time.Second

// Runner runs jobs. NewRunner makes one.
type Runner struct {
	core    *checkout.Core
	jobs    checkout.Jobs
	results results
	baseURL string
	keys    card.KeyCache
	prints  card.FingerprintCache

	Vault      card.Vault
	Connectors map[string]connector.Connector
	Wallets    Wallets

	// ProviderTimeout is the time limit of a provider request; a look-up has a third of it. Both together are
	// less than the timeout of the connector function.
	ProviderTimeout time.Duration
}

// Queues takes jobs and callbacks.
type Queues interface {
	payment.JobQueue
	callback.Queue
}

// Providers are the connectors, and the public address of the page, without a trailing slash, which they are told.
type Providers struct {
	connectors map[string]connector.Connector
	baseURL    string
}

// NewProviders returns the providers of connectors.
func NewProviders(connectors map[string]connector.Connector, baseURL string) Providers {
	return Providers{connectors, baseURL}
}

// Openers open what payers have sealed, and saved cards.
type Openers struct {
	vault   card.Vault
	wallets Wallets
}

// NewOpeners returns a vault, and what opens the tokens of wallets.
func NewOpeners(vault card.Vault, wallets Wallets) Openers { return Openers{vault, wallets} }

// NewRunner makes a runner of jobs.
func NewRunner(core *checkout.Core, queues Queues, providers Providers, openers Openers) *Runner {
	return &Runner{
		core: core, jobs: checkout.NewJobs(core, queues), results: results{core, queues}, baseURL: providers.baseURL,
		Vault: openers.vault, Connectors: providers.connectors, Wallets: openers.wallets, ProviderTimeout: ProviderTimeout,
	}
}

// Open opens the key of cards' fingerprints, so that no charge has to wait for it.
func (s *Runner) Open(ctx context.Context) error {
	return s.fingerprints().Open(ctx, s.core.Now())
}

func (s *Runner) fingerprints() card.Fingerprints {
	return card.Fingerprints{Store: s.core.Store, Keys: s.Vault, Cache: &s.prints}
}

// moveApart sends the message of a job to the queue for slow providers.
func moveApart(ctx context.Context, jobs checkout.Jobs, message payment.JobMessage, delay time.Duration) {
	message.Slow = true
	jobs.Send(ctx, message, delay)
}

// Wallets verifies and decrypts wallets' payment tokens. Only the connector function has it.
type Wallets interface {
	// OpenToken verifies a token, and in the card flow decrypts it. A *token.Error declines the payment; after any other
	// error it can be tried again.
	OpenToken(ctx context.Context, token token.Token) (token.Opened, error)
}
