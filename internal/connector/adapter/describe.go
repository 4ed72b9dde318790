package adapter

import (
	"context"
	"errors"
	"time"

	"checkout/internal/connector"
	"checkout/internal/settings"
)

// description is the response to /describe.
type description struct {
	FoundAfter *int `json:"found_after"` // seconds; nil: the default
}

// FoundAfter returns how late the adapter finds a request, which it says at /describe. One that does not know the path
// has the default.
func (a *Adapter) FoundAfter(ctx context.Context, r connector.ProviderRequest) (time.Duration, error) {
	const byDefault = settings.DefaultFoundAfter * time.Second
	got, err := a.send(ctx, "/describe", r, struct{}{})
	switch {
	case errors.Is(err, errNotSigned) || err == nil && got.refusal != nil: // a path that it does not know
		return byDefault, nil
	case err != nil:
		return 0, err
	}
	var says description
	if err := decode(got.body, &says); err != nil {
		return 0, err
	}
	switch after := says.FoundAfter; {
	case after == nil:
		return byDefault, nil
	case *after < 0 || *after > settings.MaxFoundAfter:
		return 0, errors.New("found_after is not from 0 to 86400")
	default:
		return time.Duration(*after) * time.Second, nil
	}
}
