package merchant

import (
	"context"

	"checkout/internal/checkout/payment"
)

// Capture captures an authorised payment once, all of its amount or a part (protocol.md, Endpoints). It returns the
// outcome, or WAITING if the provider takes longer than AwaitTimeout; the outcome then follows in a callback. Errors:
// CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *FollowUps) Capture(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, payment.JobCapture)
}
