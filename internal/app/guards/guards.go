// Package guards has the part of the service that compares the page with its release, and the function that needs it.
package guards

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"checkout/internal/app/function"
	"checkout/internal/operator/guard"
)

// Pages compares the checkout page and the frame of Google Pay with their release.
var Pages = function.Part{
	Name: "pages as released", Needs: []string{"BASE_URL", "WALLET_URL", "PAGE_POLICY", "WALLET_POLICY"}, Add: addPages,
}

func addPages(b *function.Builder) {
	site := func(url, policy string) guard.Site {
		return guard.Site{URL: strings.TrimRight(b.Env(url), "/"), Policy: b.Env(policy)}
	}
	b.ComparePage = guard.Guard{
		Meter: b.Core.Meter(), Store: b.Core.Store, HTTP: http.DefaultTransport,
		Page: site("BASE_URL", "PAGE_POLICY"), Frame: site("WALLET_URL", "WALLET_POLICY"),
	}.Check
}

// Guard runs every few minutes.
var Guard = function.Function{Name: "guard", Parts: []*function.Part{&Pages}, Entry: compare}

// compare handles the events of the schedule, whose content is not used.
func compare(a *function.App, _ function.Function) any {
	return func(ctx context.Context, _ json.RawMessage) error { return a.ComparePage(ctx) }
}
