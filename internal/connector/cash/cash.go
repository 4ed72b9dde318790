// Package cash is the connector of vouchers that are paid in cash.
package cash

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/reason"
)

// Connector makes references that payers pay in cash.
type Connector struct {
	client *provider.Client
	hints  *provider.Hints
	tokens tokens
}

// New builds the connector.
func New(setup provider.Setup) connector.Connector {
	return &Connector{client: setup.Client, hints: provider.NewHints(setup.Now)}
}

var _ interface {
	connector.Connector
	connector.StatusQuerier
	connector.Canceller
	connector.NotificationHandler
} = (*Connector)(nil)

// reference is the body of a request for a reference (protocol.md, Requests to providers).
type reference struct {
	Order    order  `json:"order"`
	PublicID string `json:"public_id"` // our reference
	Single   bool   `json:"single"`    // else recurring
}

type order struct {
	Amount json.Number `json:"amount"`
}

// payment is the body of a request for a payment by a reference.
type payment struct {
	PublicID  string `json:"public_id"`
	GatewayID string `json:"gateway_id"`
}

// maxPublicID is the length of a public id.
const maxPublicID = 40

// Charge makes a reference, and then a payment by it. Both are made once for each public id, so that a repeat goes on
// where the first try ended.
func (c *Connector) Charge(ctx context.Context, charge connector.Charge) (connector.Result, error) {
	a, err := accountOf(charge.ProviderRequest)
	switch {
	case err != nil:
		return connector.Result{}, err
	case len(charge.Reference) > maxPublicID:
		return connector.Result{}, fmt.Errorf("%w: the reference is too long", connector.ErrNotSent)
	case charge.Amount.Currency().Code != a.currency:
		return provider.Declined(
			reason.CurrencyNotSupported, "The provider's account has another currency."), nil
	}
	made, status, err := c.call(ctx, a, provider.JSONRequest{
		Method: http.MethodPost, URL: a.url + "/references", Body: reference{
			Order: order{json.Number(charge.Amount.String())}, PublicID: charge.Reference, Single: !charge.Recurring,
		},
	})
	if err != nil || status != http.StatusOK {
		return made.Refused(status, err)
	}
	if err := made.about(charge.ProviderRequest, a.currency); err != nil {
		return connector.Result{}, err
	}
	request := provider.JSONRequest{
		Method: http.MethodPost, URL: a.url + "/payments", Body: payment{charge.Reference, a.gateway},
	}
	if charge.NoticeURL != "" {
		address := provider.NoticeURL(charge.ProviderRequest, a.privateKey)
		request.Header = map[string]string{"X-Callback-Url": address}
	}
	paid, status, err := c.call(ctx, a, request)
	if err != nil || status != http.StatusOK {
		return paid.Refused(status, err)
	}
	result, err := paid.result(charge.ProviderRequest)
	return provider.NeverApproved(result), err
}

// QueryStatus looks up a charge. One of which there is only a reference was never made: nobody knows the number to pay
// with, and the charge can be sent again.
func (c *Connector) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	result, err := c.lookUp(ctx, r)
	return provider.NeverApproved(result), err
}

// Cancel ends a payment of which nothing has arrived. Any other stays as it is.
func (c *Connector) Cancel(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	result, err := c.request(ctx, r, provider.JSONRequest{
		Method: http.MethodPost, URL: "/payments/cancel", Body: map[string]string{"public_id": r.Reference},
	})
	return provider.NeverApproved(result), err
}

// HandleNotification looks up what a notice is about, because the provider signs nothing.
func (c *Connector) HandleNotification(ctx context.Context, n connector.Notification) (connector.Notice, error) {
	return c.hints.Notice(ctx, n, c.lookUp)
}

func (c *Connector) lookUp(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return c.request(ctx, r, provider.JSONRequest{
		Method: http.MethodGet, URL: "/payments?" + url.Values{"public_id": {r.Reference}}.Encode(),
	})
}

// request sends a request that moves no money, whose URL is a path, and returns what has become of the payment.
func (c *Connector) request(
	ctx context.Context, r connector.ProviderRequest, request provider.JSONRequest,
) (connector.Result, error) {
	a, err := accountOf(r)
	if err != nil {
		return connector.Result{}, err
	}
	request.URL = a.url + request.URL
	got, status, err := c.call(ctx, a, request)
	if err != nil || status != http.StatusOK {
		return got.NotFound(status, err)
	}
	return got.result(r)
}
