// Package mobilemoney is the connector for mobile money, whose payers confirm on their phones.
package mobilemoney

import (
	"context"
	"net/http"
	"net/url"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// MobileMoney sends the requests of the mobile-money method.
type MobileMoney struct{ provider.Setup }

// New makes the connector.
func New(s provider.Setup) connector.Connector { return &MobileMoney{s} }

var _ interface {
	connector.Connector
	connector.StatusQuerier
	connector.NotificationHandler
} = (*MobileMoney)(nil)

// Charge has the provider prompt the payer's phone.
func (m *MobileMoney) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	body, err := chargeOf(c)
	if err != nil {
		return connector.Result{}, err
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
func (m *MobileMoney) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	if r.Kind != connector.RequestCharge {
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
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
func (m *MobileMoney) HandleNotification(_ context.Context, n connector.Notification) (connector.Notice, error) {
	return provider.SignedNotice(n, response.noticed)
}
