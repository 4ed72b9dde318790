// Package mobilemoney is the connector for mobile money, whose payers confirm on their phones.
package mobilemoney

import (
	"context"
	"net/http"
	"net/url"

	"checkout/internal/checkout"
	"checkout/internal/connector/provider"
)

// MobileMoney sends the requests of the mobile-money method.
type MobileMoney struct{ provider.Setup }

// New makes the connector.
func New(s provider.Setup) checkout.Connector { return &MobileMoney{s} }

var _ interface {
	checkout.Connector
	checkout.StatusQuerier
	checkout.NotificationHandler
} = (*MobileMoney)(nil)

// Charge has the provider prompt the payer's phone.
func (m *MobileMoney) Charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	body, err := chargeOf(c)
	if err != nil {
		return checkout.Result{}, err
	}
	var got response
	request := provider.JSONRequest{Method: http.MethodPost, URL: "/charges", Body: body}
	status, err := m.Client.SendAsMID(ctx, c.ProviderRequest, request, &got)
	if err != nil || status != http.StatusOK {
		return got.Refused(status, err)
	}
	return got.result(c.ProviderRequest)
}

// QueryStatus looks up a charge by its reference.
func (m *MobileMoney) QueryStatus(ctx context.Context, r checkout.ProviderRequest) (checkout.Result, error) {
	if r.Kind != checkout.JobCharge {
		return checkout.Result{Outcome: checkout.OutcomeUnknown}, nil
	}
	query := url.Values{"reference": {r.Reference}}
	var got response
	request := provider.JSONRequest{Method: http.MethodGet, URL: "/charges?" + query.Encode()}
	status, err := m.Client.SendAsMID(ctx, r, request, &got)
	if err != nil || status != http.StatusOK {
		return got.NotFound(status, err)
	}
	return got.result(r)
}

// HandleNotification reads a notice about a charge: the address says which one, the signed body what has become of it.
func (m *MobileMoney) HandleNotification(_ context.Context, n checkout.Notification) (checkout.Notice, error) {
	return provider.SignedNotice(n, response.noticed)
}
