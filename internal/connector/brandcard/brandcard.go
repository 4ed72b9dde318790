// Package brandcard is the connector of cards of wallet brands.
package brandcard

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/reason"
)

// Connector sends card payments to providers of wallet brands.
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
	connector.Refunder
	connector.StatusQuerier
	connector.NotificationHandler
} = (*Connector)(nil)

// Charge charges a card, or in the virtual flow a wallet's token.
func (b *Connector) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	if c.ReturnURL == "" {
		return connector.Result{}, fmt.Errorf("%w: a payment needs a page to return to", connector.ErrNotSent)
	}
	return b.send(ctx, c.ProviderRequest, "/payments", paymentOf(c))
}

// Refund refunds all or a part of a payment.
func (b *Connector) Refund(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	if r.Amount.IsZero() {
		return provider.Declined(reason.AmountInvalid, "There is no amount to refund."), nil
	}
	return b.send(ctx, r, "/refunds", refundOf(r))
}

// QueryStatus looks up a charge or a refund.
func (b *Connector) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	result, err := b.lookUp(ctx, r)
	return provider.NeverApproved(result), err
}

// HandleNotification looks up what a notice is about, because the provider signs nothing.
func (b *Connector) HandleNotification(ctx context.Context, n connector.Notification) (connector.Notice, error) {
	return b.hints.Notice(ctx, n, b.lookUp)
}

// send sends a charge or a refund.
func (b *Connector) send(
	ctx context.Context, r connector.ProviderRequest, path string, body any,
) (connector.Result, error) {
	if err := provider.RequireCredentials(r.Credentials, "secret"); err != nil {
		return connector.Result{}, err
	}
	header := map[string]string{"Idempotency-Key": r.Reference}
	if r.NoticeURL != "" {
		header["X-Callback-Url"] = provider.NoticeURL(r, r.Credentials["secret"])
	}
	request := provider.JSONRequest{Method: http.MethodPost, URL: path, Header: header, Body: body}
	var got response
	status, err := b.client.SendAsMID(ctx, r, request, &got)
	switch {
	case err == nil && got.Reused(status):
		return b.earlier(ctx, r)
	case err != nil || status != http.StatusOK:
		return got.Refused(status, err)
	}
	result, err := got.result(r)
	return provider.NeverApproved(result), err
}

// earlier returns the result of an earlier request with the same reference and other values, which counts.
func (b *Connector) earlier(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	result, err := b.find(ctx, r, response.resultOfAnyAmount)
	switch {
	case err != nil: // without connector.ErrNotSent, which would mean the earlier request
		return connector.Result{}, fmt.Errorf("look-up: %v", err)
	case result.Outcome == connector.OutcomeUnknown:
		return connector.Result{}, fmt.Errorf("the provider refuses a reference and does not know it")
	}
	return provider.NeverApproved(result), nil
}

// lookUp returns what has become of a request.
func (b *Connector) lookUp(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.find(ctx, r, response.result)
}

// find returns what the provider has of a reference, as read from its response.
func (b *Connector) find(
	ctx context.Context, r connector.ProviderRequest,
	read func(response, connector.ProviderRequest) (connector.Result, error),
) (connector.Result, error) {
	path := "/payments?"
	if r.Kind == connector.RequestRefund {
		path = "/refunds?"
	}
	request := provider.JSONRequest{
		Method: http.MethodGet, URL: path + url.Values{"transaction_id": {r.Reference}}.Encode(),
	}
	var got response
	status, err := b.client.SendAsMID(ctx, r, request, &got)
	if err != nil || status != http.StatusOK {
		return got.NotFound(status, err)
	}
	return read(got, r)
}
