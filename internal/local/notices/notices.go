// Package notices tells the simulated providers of a local run where to send notices, as people tell real ones.
package notices

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"checkout/internal/app"
)

// Addresses are those of a local run, without a slash at their ends. Without Simulator there are no such providers.
type Addresses struct{ Base, Simulator string }

// Tell tells the simulated Stripe where the notices of merchants' MIDs go, as people do in Stripe's dashboard. Every
// other provider is told with each payment.
func Tell(ctx context.Context, merchants []app.Merchant, at Addresses) error {
	for _, m := range merchants {
		for _, mapping := range m.Mappings {
			for _, mid := range mapping.MIDs {
				key := mid.Credentials["key"]
				if at.Simulator == "" || mid.Credentials["url"] != at.Simulator+"/stripe" || key == "" {
					continue // a file without secrets changes no account either
				}
				to := endpoint{mid.Credentials["url"] + "/v1/webhook_endpoints", key}
				address := at.Base + app.NoticePath(mid.Connector, m.ID, mapping.Name, mid.Name)
				if err := to.add(ctx, address); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// endpoint is where an account of Stripe has its list of addresses.
type endpoint struct{ url, key string }

// add adds an address, unless the account has one: the simulated Stripe sends notices to the newest alone, and they
// would be missing where they go.
func (e endpoint) add(ctx context.Context, address string) error {
	var known struct {
		Data []json.RawMessage `json:"data"`
	}
	if err := e.call(ctx, http.MethodGet, nil, &known); err != nil {
		return err
	}
	if len(known.Data) > 0 {
		return nil
	}
	return e.call(ctx, http.MethodPost, url.Values{"url": {address}, "enabled_events[0]": {"*"}}, &struct{}{})
}

func (e endpoint) call(ctx context.Context, method string, form url.Values, out any) error {
	r, err := http.NewRequestWithContext(ctx, method, e.url, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+e.key)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("the simulator does not respond: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the simulator takes no endpoint: %s", response.Status)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, out)
}
