// Package voucher is the connector of vouchers that are paid with by their PINs.
package voucher

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// Connector sends PINs of vouchers to their provider.
type Connector struct {
	client *provider.Client
	hints  *provider.Hints
}

// New builds the connector.
func New(setup provider.Setup) connector.Connector {
	return &Connector{setup.Client, provider.NewHints(setup.Now)}
}

var _ interface {
	connector.Connector
	connector.StatusQuerier
	connector.NotificationHandler
} = (*Connector)(nil)

// redemption is the body of a charge.
type redemption struct {
	Order         order  `json:"order"`
	TransactionID string `json:"transaction_id"` // our reference
	PIN           string `json:"pin"`
}

type order struct {
	Amount   json.Number `json:"amount"`
	Currency string      `json:"currency"`
}

// Charge pays with a voucher.
func (v *Connector) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	pin, err := pinOf(c)
	if err != nil {
		return connector.Result{}, err
	}
	request, err := requestOf(c.ProviderRequest, http.MethodPost, "/redemptions")
	if err != nil {
		return connector.Result{}, err
	}
	request.Header["Idempotency-Key"] = c.Reference
	if c.NoticeURL != "" {
		request.Header["X-Callback-Url"] = provider.NoticeURL(c.ProviderRequest, c.Credentials["secret"])
	}
	request.Body = redemption{
		Order:         order{json.Number(c.Amount.String()), c.Amount.Currency().Code},
		TransactionID: c.Reference, PIN: pin,
	}
	var got response
	status, err := v.client.SendJSON(ctx, request, &got)
	if err != nil || status != http.StatusOK {
		return got.Refused(status, err)
	}
	result, err := got.result(c.ProviderRequest)
	return provider.NeverApproved(result), err
}

// pinOf returns the PIN that the payer's browser sealed, or that the merchant sent.
func pinOf(c connector.Charge) (string, error) {
	var sent struct {
		PIN string `json:"pin"`
	}
	if len(c.Parameters) > 0 {
		if err := json.Unmarshal(c.Parameters, &sent); err != nil {
			return "", fmt.Errorf("%w: the parameters can't be read", connector.ErrNotSent)
		}
	}
	if pin := cmp.Or(c.Card.Values["pin"], sent.PIN); pin != "" {
		return pin, nil
	}
	return "", fmt.Errorf("%w: there is no PIN", connector.ErrNotSent)
}

// QueryStatus looks up a charge.
func (v *Connector) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	result, err := v.lookUp(ctx, r)
	return provider.NeverApproved(result), err
}

// HandleNotification looks up what a notice is about, because the provider signs nothing.
func (v *Connector) HandleNotification(ctx context.Context, n connector.Notification) (connector.Notice, error) {
	return v.hints.Notice(ctx, n, v.lookUp)
}

func (v *Connector) lookUp(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	path := "/redemptions?" + url.Values{"transaction_id": {r.Reference}}.Encode()
	request, err := requestOf(r, http.MethodGet, path)
	if err != nil {
		return connector.Result{}, err
	}
	var got response
	status, err := v.client.SendJSON(ctx, request, &got)
	if err != nil || status != http.StatusOK {
		return got.NotFound(status, err)
	}
	return got.result(r)
}

// requestOf returns a request without its body. Both headers are sent on every call (protocol.md, Requests to
// providers).
func requestOf(r connector.ProviderRequest, method, path string) (provider.JSONRequest, error) {
	return provider.JSONRequest{
		Method: method, URL: r.Credentials["url"] + path,
		Header: map[string]string{"X-API-Key": r.Credentials["key"], "X-API-Secret": r.Credentials["secret"]},
	}, provider.RequireCredentials(r.Credentials, "url", "key", "secret")
}
