// Package guards has the function that compares the page with its release.
package guards

import (
	"net/http"
	"strings"

	"checkout/internal/app/function"
	"checkout/internal/operator/guard"
)

// Guard runs every few minutes. It compares the checkout page and the frame of Google Pay with their release.
var Guard = function.Function{Name: "guard", Build: func(b *function.Builder) any {
	core := b.Core("Query")
	site := func(url, policy string) guard.Site {
		return guard.Site{URL: strings.TrimRight(b.Variable(url), "/"), Policy: b.Variable(policy)}
	}
	g := guard.Guard{
		Meter: core.Meter(), Store: core.Store, HTTP: http.DefaultTransport,
		Page: site("BASE_URL", "PAGE_POLICY"), Frame: site("WALLET_URL", "WALLET_POLICY"),
	}
	return function.Scheduled(g.Check)
}}
