// Package adapter is the connector for providers behind an adapter: a small HTTP server of the operator's own that
// speaks the contract of infra/adapter.yaml on this side and any provider's on the other.
package adapter

import (
	"context"
	"errors"
	"fmt"
	"net/http"

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

// QueryStatus looks up what became of a request.
func (a *Adapter) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	got, err := a.send(ctx, "/lookup", r, lookUpBody{r.Kind, r.Reference})
	if err != nil {
		return connector.Result{}, err
	}
	if got.refusal != nil {
		return connector.Result{}, errors.New("the adapter refused a look-up")
	}
	return got.result.outcome(r)
}

// change sends a request that moves money. If the reference belongs to a request with another amount, the first one
// counts, and its outcome is looked up.
func (a *Adapter) change(
	ctx context.Context, path string, r connector.ProviderRequest, body any,
) (connector.Result, error) {
	got, err := a.send(ctx, path, r, body)
	switch {
	case err != nil:
		return connector.Result{}, err
	case got.status == http.StatusConflict:
		return a.lookUpKnown(ctx, r)
	case got.refusal != nil:
		return got.refusal.decline(), nil
	case got.result.Status == statusUnknown:
		return connector.Result{}, errors.New("the adapter does not know what it was sent")
	}
	return got.result.outcome(r)
}

// changeOrLookUp sends a request about a charge that waits, and looks the charge up if the request is refused.
func (a *Adapter) changeOrLookUp(
	ctx context.Context, path string, r connector.ProviderRequest, body any,
) (connector.Result, error) {
	got, err := a.send(ctx, path, r, body)
	switch {
	case err != nil:
		return connector.Result{}, err
	case got.refusal != nil:
		return a.lookUpKnown(ctx, r)
	case got.result.Status == statusUnknown && path == "/continue":
		return connector.Result{}, errors.New("the adapter does not know the charge that it began")
	}
	return got.result.outcome(r)
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
