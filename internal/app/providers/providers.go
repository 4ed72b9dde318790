// Package providers has the part of the service that sends requests to providers, and a function that needs it.
package providers

import (
	"context"

	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/connector"
	"checkout/internal/connector/list"
	"checkout/internal/connector/provider"
	"checkout/internal/settings"
)

// Connectors has all connectors. It must be added after the base URL, which the sandbox needs.
var Connectors = function.Part{Name: "connectors", Add: addConnectors}

// SandboxPages has the pages on which people act for the sandbox, unless SANDBOX is false. It must be added after the
// connectors.
var SandboxPages = function.Part{Name: "sandbox's pages", Needs: []string{"SANDBOX"}, Add: addSandboxPages}

func addConnectors(b *function.Builder) {
	s := b.Worker
	setup := provider.Setup{Store: s.Store, Now: s.Now, BaseURL: s.BaseURL, Client: provider.NewClient()}
	setup.Notify = func(ctx context.Context, url string, body []byte) error {
		_, err := s.HandleNotification(ctx, s.NoticeAddress(url), connector.Notification{Body: body})
		return err
	}
	s.Connectors = list.New(setup)
}

func addSandboxPages(b *function.Builder) {
	if b.Env("SANDBOX") != "false" {
		b.API.Sandbox = b.Worker.Connectors[settings.SandboxConnector].(api.Sandbox)
	}
}

// Notify handles providers' notifications and the sandbox's pages.
var Notify = function.Function{
	Name: "notify",
	Parts: []*function.Part{
		&function.BaseURL, &queues.Jobs, &queues.Callbacks, &function.VaultTable, &Connectors, &SandboxPages,
		&function.MIDCredentials,
	},
	Entry: function.HTTP, Routes: &api.Notify,
}
