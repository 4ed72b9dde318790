package provider

import (
	"context"
	"fmt"
	"net/http"

	"checkout/internal/checkout"
)

// SendAsMID sends a request, whose URL is a path below the MID's credential url, with its credential key as a bearer
// token. It fails as SendJSON does, and with checkout.ErrNotSent if the provider has too many requests or the MID lacks
// a credential.
func (c *Client) SendAsMID(
	ctx context.Context, r checkout.ProviderRequest, request JSONRequest, into any,
) (status int, err error) {
	base, err := Credential(r, "url")
	if err != nil {
		return 0, err
	}
	key, err := Credential(r, "key")
	if err != nil {
		return 0, err
	}
	request.URL, request.Header = base+request.URL, map[string]string{"Authorization": "Bearer " + key}
	status, err = c.SendJSON(ctx, request, into)
	if status == http.StatusTooManyRequests { // with or without a body
		return status, fmt.Errorf("%w: the provider has too many requests", checkout.ErrNotSent)
	}
	return status, err
}
