package merchant

import (
	"context"

	"checkout/internal/checkout/payment"
)

// Void cancels a payment that is authorised and not captured, or that settled on the same UTC day and has no refund
// (protocol.md, Statuses and moves). It waits for the provider, and returns WAITING after AwaitTimeout.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *FollowUps) Void(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, payment.JobVoid)
}
