// Package wallets has the part of the service that opens wallets' payment tokens, and the function that needs it.
package wallets

import (
	"checkout/internal/app/function"
	"checkout/internal/app/providers"
	"checkout/internal/app/queues"
	"checkout/internal/queue"
	"checkout/internal/wallet/tokens"
)

// Tokens verifies and decrypts wallets' payment tokens.
var Tokens = function.Part{Name: "opener of wallets' tokens", Add: addTokens}

func addTokens(b *function.Builder) {
	b.Worker.Wallets = tokens.New(b.Core.Store, b.Core.Now, b.Core.Log)
}

// Connector does jobs: it sends requests to providers.
var Connector = function.Function{
	Name: "connector",
	Parts: []*function.Part{
		&function.BaseURL, &queues.Jobs, &queues.SlowJobs, &queues.Callbacks, &function.VaultTable, &function.OpenVault,
		&providers.Connectors, &Tokens, &function.MIDCredentials, &function.WalletKeys,
	},
	Entry: runJobs,
}

// runJobs handles the messages of the job queue.
func runJobs(a *function.App, _ function.Function) any {
	return queue.Jobs(a.Core.Log, a.Worker.RunJob)
}
