package operator

import (
	"context"
	"encoding/json"

	"checkout/internal/audit"
	"checkout/internal/checkout"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// keysOfOperators is whose the Idempotency-Keys of acts are. They are shared by all people, so that one person's key
// moves nothing for another: it was used with another request. No merchant's can be one of them.
const keysOfOperators = "operators"

// call is an act with its arguments, which may be repeated with the same Idempotency-Key.
type call[R any] struct {
	name string
	args any // as JSON
	do   func(idem *checkout.IdempotencyRecord) (R, error)
	// await returns what has become of the act by now, to its repeats as well. It is nil if the response is stored with
	// the act.
	await func(ctx context.Context, a checkout.Awaited) (R, error)
}

// Once runs an act that others do. A repeat with the same Idempotency-Key returns the response to the first one.
func (s *Actor) Once(
	ctx context.Context, name string, args any, do func(idem *checkout.IdempotencyRecord) (any, error),
) (any, error) {
	return once(ctx, s.core, s.act, call[any]{name: name, args: args, do: do})
}

// once runs an act, unless one with the same key and arguments was stored before for the same person. The name of a
// role's session may be another one in a repeat.
func once[R any](ctx context.Context, core *checkout.Core, act audit.Act, c call[R]) (R, error) {
	idempotent := checkout.IdempotentCall[R]{
		Caller: keysOfOperators, Key: act.Key, Path: c.name,
		Body: store.CompactJSON([]any{grant.StableName(act.Who), c.args, act.Reason}),
		Do:   c.do, Await: c.await,
	}
	if c.await == nil {
		idempotent.Decode = func(response json.RawMessage) (decoded R, err error) {
			err = json.Unmarshal(response, &decoded)
			return decoded, err
		}
	}
	return checkout.Idempotent(ctx, core, idempotent)
}
