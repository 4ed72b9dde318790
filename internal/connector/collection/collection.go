// Package collection is the connector for providers that collect money by QR code, bank transfer, voucher and pull: the
// collection family of the specification.
package collection

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/reason"
)

// Collection sends the requests of the collection family.
type Collection struct{ provider.Setup }

// New makes the connector.
func New(s provider.Setup) connector.Connector { return &Collection{s} }

var _ interface {
	connector.Connector
	connector.Continuer
	connector.StatusQuerier
	connector.Canceller
	connector.NotificationHandler
} = (*Collection)(nil)

// Charge begins a payment. That of a pull is decided once its payer has entered a code, or has chosen an account.
func (c *Collection) Charge(ctx context.Context, charge connector.Charge) (connector.Result, error) {
	if charge.ExpiresAt.IsZero() {
		return provider.Declined(reason.NotSupported, ""), nil
	}
	got, status, err := c.pay(ctx, charge)
	if err != nil || status != http.StatusOK {
		return got.Refused(status, err)
	}
	return got.result(charge.ProviderRequest)
}

// Continue sends the same payment with what its payer has entered. The provider knows it by its reference. A refusal of
// that decides nothing, so the payment is looked up then.
func (c *Collection) Continue(ctx context.Context, charge connector.Charge) (connector.Result, error) {
	got, status, err := c.pay(ctx, charge)
	if err != nil || status != http.StatusOK {
		if refused, err := got.Refused(status, err); err != nil {
			return refused, err
		}
		return c.lookUpRefused(ctx, charge.ProviderRequest)
	}
	return got.result(charge.ProviderRequest)
}

// lookUpRefused looks up a payment that the provider knows. That the look-up was not sent says nothing of the payment.
func (c *Collection) lookUpRefused(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	result, err := c.QueryStatus(ctx, r)
	if err != nil {
		return connector.Result{}, fmt.Errorf("look-up of a refused payment: %v", err)
	}
	return result, nil
}

// pay sends a payment.
func (c *Collection) pay(ctx context.Context, charge connector.Charge) (got response, status int, err error) {
	body, err := paymentOf(charge)
	if err != nil {
		return response{}, 0, err
	}
	request := provider.JSONRequest{Method: http.MethodPost, URL: "/payments", Body: body}
	status, err = c.Client.SendAsMID(ctx, charge.ProviderRequest, request, &got)
	return got, status, err
}

// QueryStatus looks up a payment by its reference.
func (c *Collection) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	if r.Kind != connector.RequestCharge {
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	}
	query := url.Values{"reference": {r.Reference}}
	return c.ask(ctx, r, provider.JSONRequest{Method: http.MethodGet, URL: "/payments?" + query.Encode()})
}

// Cancel ends a payment that waits for its payer. One that can't be ended stays as it is.
func (c *Collection) Cancel(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	body := map[string]string{"reference": r.Reference}
	return c.ask(ctx, r, provider.JSONRequest{Method: http.MethodPost, URL: "/payments/cancel", Body: body})
}

// ask sends a request that does not move money, and returns what has become of the payment.
func (c *Collection) ask(
	ctx context.Context, r connector.ProviderRequest, request provider.JSONRequest,
) (connector.Result, error) {
	var got response
	status, err := c.Client.SendAsMID(ctx, r, request, &got)
	if err != nil || status != http.StatusOK {
		return got.NotFound(status, err)
	}
	return got.result(r)
}

// HandleNotification reads a notice about a payment: the address says which one, the signed body what has become of it.
func (c *Collection) HandleNotification(_ context.Context, n connector.Notification) (connector.Notice, error) {
	return provider.SignedNotice(n, response.noticed)
}
