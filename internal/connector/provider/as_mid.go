package provider

import (
	"context"
	"fmt"
	"maps"
	"net/http"

	"checkout/internal/connector"
)

// SendAsMID sends a request, whose URL is a path below the MID's credential url, with its credential key as a bearer
// token. It fails as SendJSON does, and with connector.ErrNotSent if the provider has too many requests or the MID
// lacks a credential.
func (c *Client) SendAsMID(
	ctx context.Context, r connector.ProviderRequest, request JSONRequest, into any,
) (status int, err error) {
	if err := RequireCredentials(r.Credentials, "url", "key"); err != nil {
		return 0, err
	}
	header := map[string]string{"Authorization": "Bearer " + r.Credentials["key"]}
	maps.Copy(header, request.Header)
	request.URL, request.Header = r.Credentials["url"]+request.URL, header
	status, err = c.SendJSON(ctx, request, into)
	if status == http.StatusTooManyRequests { // with or without a body
		return status, fmt.Errorf("%w: the provider has too many requests", connector.ErrNotSent)
	}
	return status, err
}

// RequireCredentials fails with connector.ErrNotSent if one of a MID's credentials is missing.
func RequireCredentials(credentials map[string]string, names ...string) error {
	for _, name := range names {
		if credentials[name] == "" {
			return fmt.Errorf("%w: the MID has no credential %q", connector.ErrNotSent, name)
		}
	}
	return nil
}
