// Package wallets has the function that sends requests to providers, with what opens wallets' payment tokens.
package wallets

import (
	"checkout/internal/app/function"
	"checkout/internal/app/providers"
	"checkout/internal/app/queues"
	"checkout/internal/queue"
	"checkout/internal/settings"
	"checkout/internal/wallet/tokens"
	"checkout/internal/worker"
)

// Connector does jobs: it sends requests to providers.
var Connector = function.Function{Name: "connector", Build: func(b *function.Builder) any {
	core := b.Core("GetItem BatchGetItem PutItem", settings.SecretCredentials, settings.SecretWalletProcessing)
	b.VaultTable("GetItem BatchGetItem DeleteItem")
	sender, baseURL := queues.AllJobsAndCallbacks(b), b.BaseURL()
	connectors, _ := providers.Connect(core, sender, baseURL)
	openers := worker.NewOpeners(b.Vault(core.Now), tokens.New(core.Store, core.Now, core.Log))
	runner := worker.NewRunner(core, sender, worker.NewProviders(connectors, baseURL), openers)
	b.Start("open the key of fingerprints", runner.Open)
	return queue.Jobs(core.Log, runner.RunJob)
}}
