// Package providers has the connectors, and the function that takes providers' notices.
package providers

import (
	"context"

	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/connector/list"
	"checkout/internal/connector/provider"
	"checkout/internal/settings"
	"checkout/internal/worker"
)

// Connect returns all connectors, and what takes their providers' notices, those of the sandbox too.
func Connect(core *checkout.Core, queues worker.Queues, baseURL string) (
	map[string]connector.Connector, *worker.Notices,
) {
	var notices *worker.Notices
	connectors := list.New(provider.Setup{
		Store: core.Store, Now: core.Now, BaseURL: baseURL, Client: provider.NewClient(),
		Notify: func(ctx context.Context, url string, body []byte) error {
			sent := connector.Notification{Body: body}
			_, err := notices.HandleNotification(ctx, worker.NoticeAddress(baseURL, url), sent)
			return err
		},
	})
	notices = worker.NewNotices(core, queues, connectors)
	return connectors, notices
}

// SandboxPages returns what serves the pages on which people act for the sandbox, nil if its switch, the variable
// SANDBOX, is false.
func SandboxPages(connectors map[string]connector.Connector, enabled string) api.Sandbox {
	if enabled == "false" {
		return nil
	}
	return connectors[settings.SandboxConnector].(api.Sandbox)
}

// Notify handles providers' notifications and the sandbox's pages.
var Notify = function.Function{Name: "notify", Build: func(b *function.Builder) any {
	core := b.Core("GetItem BatchGetItem PutItem", settings.SecretCredentials)
	b.VaultTable("DeleteItem")
	connectors, notices := Connect(core, queues.JobsAndCallbacks(b), b.BaseURL())
	return b.HTTP(core, api.Notify(core, notices, SandboxPages(connectors, b.Variable("SANDBOX"))))
}}
