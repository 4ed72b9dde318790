// Package adapter is the connector for providers behind an adapter: a small HTTP server of the operator's own that
// speaks the contract of infra/adapter.yaml on this side and any provider's on the other.
package adapter

import (
	"context"
	"errors"
	"fmt"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/money"
)

// Adapter sends the requests of infra/adapter.yaml.
type Adapter struct{ provider.Setup }

// New makes the connector.
func New(s provider.Setup) connector.Connector { return &Adapter{s} }

// Charge sends a charge, or a payout.
func (a *Adapter) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	return a.change(ctx, "/charge", c.ProviderRequest, chargeBody(c))
}

// Continue sends what the payer filled in, without the card and the wallet. A refusal of it decides nothing, so the
// charge is looked up then.
func (a *Adapter) Continue(ctx context.Context, c connector.Charge) (connector.Result, error) {
	b := chargeBody(c)
	b.Card, b.Wallet = nil, nil
	return a.changeOrLookUp(ctx, "/continue", c.ProviderRequest, b)
}

// Capture captures what was only authorised.
func (a *Adapter) Capture(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return a.change(ctx, "/capture", r, bodyOf(r))
}

// Void cancels a whole payment.
func (a *Adapter) Void(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return a.change(ctx, "/void", r, bodyOf(r))
}

// Refund refunds a part of a payment or all of it.
func (a *Adapter) Refund(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return a.change(ctx, "/refund", r, bodyOf(r))
}

// Cancel ends a charge that waits for its payer. An adapter that can't leaves the charge as it is, which is looked up.
func (a *Adapter) Cancel(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return a.changeOrLookUp(ctx, "/cancel", r, bodyOf(r))
}

// lookUpKnown looks up a request that the adapter must know.
func (a *Adapter) lookUpKnown(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	if r.Kind != connector.RequestCharge { // the first request with a reference counts, whatever its amount
		r.Amount = money.Amount{}
	}
	result, err := a.QueryStatus(ctx, r)
	var action *connector.ActionError
	switch {
	case errors.As(err, &action):
		return connector.Result{}, action
	case err != nil: // without ErrNotSent, which would mean the request before it
		return connector.Result{}, fmt.Errorf("look-up: %v", err)
	case result.Outcome == connector.OutcomeUnknown:
		return connector.Result{}, errors.New("the adapter refuses a reference and does not know it")
	}
	return result, nil
}
