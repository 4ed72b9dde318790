// Package providers has the part of the service that sends requests to providers, and the functions that need it.
package providers

import (
	"context"

	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/checkout"
	"checkout/internal/connector/list"
	"checkout/internal/connector/provider"
	"checkout/internal/merchant"
	"checkout/internal/queue"
)

// Connectors has all connectors and the sandbox's pages. It must be added after the base URL, which the sandbox needs.
var Connectors = function.Part{Name: "connectors", Add: addConnectors}

func addConnectors(b *function.Builder) {
	s := b.Service
	setup := provider.Setup{Store: s.Store, Now: s.Now, BaseURL: s.BaseURL, Client: provider.NewClient()}
	setup.Notify = func(ctx context.Context, url string, body []byte) error {
		_, err := s.HandleNotification(ctx, s.NoticeAddress(url), checkout.Notification{Body: body})
		return err
	}
	s.Connectors = list.New(setup)
	b.API.Sandbox = s.Connectors[merchant.SandboxConnector].(api.Sandbox)
}

// parts are the parts of a function.
type parts = []*function.Part

// The functions.
var (
	// Notify handles providers' notifications and the sandbox's pages.
	Notify = function.Function{
		Name: "notify",
		Parts: parts{
			&function.BaseURL, &queues.Jobs, &queues.Callbacks, &function.VaultTable, &Connectors,
			&function.Passwords, &function.MIDCredentials,
		},
		Entry: function.HTTP, Routes: &api.Notify,
	}
	// Connector does jobs: it sends requests to providers.
	Connector = function.Function{
		Name: "connector",
		Parts: parts{
			&function.BaseURL, &queues.Jobs, &queues.Callbacks, &function.VaultTable, &function.OpenVault,
			&Connectors, &Wallets, &function.Passwords, &function.MIDCredentials,
		},
		Entry: runJobs,
	}
)

// runJobs handles the messages of the job queue.
func runJobs(a *function.App, _ function.Function) any {
	return queue.Jobs(a.Service.Log, a.Service.RunJob)
}
