package merchant

import (
	"context"
	"encoding/json"

	"checkout/internal/checkout"
	"checkout/internal/settings"
)

// Call is a request of a merchant that changes something. IdempotencyKey is its Idempotency-Key header, "" if there is
// none.
type Call struct {
	Path           string // of the request, e.g. /api/v1/payment/refund
	Body           []byte
	IdempotencyKey string
}

// idempotent runs an authentic call, or returns the response to an earlier one with the same Idempotency-Key of the
// merchant in that mode. do stores the record together with what it changes.
// Errors: those of do; CodeInvalid for a key that is not valid or was used with another body.
func (s *payments) idempotent(
	ctx context.Context, caller settings.Caller, call Call, do func(*checkout.IdempotencyRecord) (Response, error),
) (Response, error) {
	return checkout.Idempotent(ctx, s.core, checkout.IdempotentCall[Response]{
		Caller: caller.Owner.Text(), Key: call.IdempotencyKey, Path: call.Path, Body: call.Body, Do: do,
		Await: func(ctx context.Context, a checkout.Awaited) (Response, error) {
			return s.await(ctx, caller.Merchant, a, newWait())
		},
		Decode: func(response json.RawMessage) (Response, error) { return storedResponse{response}, nil },
	})
}
