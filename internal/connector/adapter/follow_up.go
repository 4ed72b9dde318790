package adapter

import (
	"context"
	"errors"
	"net/http"

	"checkout/internal/connector"
)

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
