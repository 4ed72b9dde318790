// Package walletapp is the connector of wallet apps with a partner's signature.
package walletapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/reason"
)

// Connector sends payments to wallet apps.
type Connector struct{ client *provider.Client }

// New builds the connector.
func New(setup provider.Setup) connector.Connector { return &Connector{setup.Client} }

var _ interface {
	connector.Connector
	connector.StatusQuerier
	connector.Canceller
	connector.NotificationHandler
} = (*Connector)(nil)

// Charge begins a payment, which the payer confirms in the app.
func (w *Connector) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	if c.Amount.Currency().Numeric == "" {
		return provider.Declined(reason.CurrencyNotSupported, "The wallet takes no such currency."), nil
	}
	m, err := midOf(c.ProviderRequest)
	if err != nil {
		return connector.Result{}, err
	}
	body, err := m.payment(c)
	if err != nil {
		return connector.Result{}, err
	}
	request := provider.JSONRequest{Method: http.MethodPost, URL: m.url + "/payments", Body: body}
	var got response
	status, err := w.client.SendJSON(ctx, request, &got)
	if err != nil || status != http.StatusOK {
		return got.Refused(status, err)
	}
	result, err := got.result(m, c.ProviderRequest)
	return provider.NeverApproved(result), err
}

// QueryStatus looks up a charge.
func (w *Connector) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return w.request(ctx, r, func(m mid, signed url.Values) provider.JSONRequest {
		return provider.JSONRequest{Method: http.MethodGet, URL: m.url + "/payments?" + signed.Encode()}
	})
}

// Cancel ends a payment that waits for its payer. Any other stays as it is.
func (w *Connector) Cancel(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return w.request(ctx, r, func(m mid, signed url.Values) provider.JSONRequest {
		body := map[string]string{}
		for name := range signed {
			body[name] = signed.Get(name)
		}
		return provider.JSONRequest{Method: http.MethodPost, URL: m.url + "/payments/cancel", Body: body}
	})
}

// request sends a request that moves no money, made of the signed reference of a charge, and returns what has become of
// the charge.
func (w *Connector) request(
	ctx context.Context, r connector.ProviderRequest, of func(mid, url.Values) provider.JSONRequest,
) (connector.Result, error) {
	m, err := midOf(r)
	if err != nil {
		return connector.Result{}, err
	}
	signed := url.Values{"partnerId": {m.partner}, "transactionId": {r.Reference}}
	signed.Set("Signature", sign(m.secret, []field{{"partnerId", m.partner}, {"transactionId", r.Reference}}))
	var got response
	status, err := w.client.SendJSON(ctx, of(m, signed), &got)
	if err != nil || status != http.StatusOK {
		return got.NotFound(status, err)
	}
	result, err := got.result(m, r)
	return provider.NeverApproved(result), err
}

// HandleNotification reads a notice, which has the form and signature of a response.
func (w *Connector) HandleNotification(_ context.Context, n connector.Notification) (connector.Notice, error) {
	m := mid{partner: n.Credentials["key"], secret: n.Credentials["secret"]}
	r, err := provider.NoticeRequest(n, m.secret)
	if err != nil {
		return connector.Notice{}, err
	}
	var p response
	if err := json.Unmarshal(n.Body, &p); err != nil {
		return connector.Notice{}, connector.Unreadable(fmt.Errorf("%d bytes are no response", len(n.Body)))
	}
	result, err := p.result(m, r)
	if errors.Is(err, errSignature) {
		return connector.Notice{}, connector.ErrNotAuthentic
	}
	return provider.NoticeOf(r, connector.Result{}).Telling(result, err)
}
