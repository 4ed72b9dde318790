package merchant

import (
	"context"

	"checkout/internal/checkout/payment"
)

// Refund refunds the refundable amount of a settled payment, or a part of it (protocol.md, Endpoints). A refund in
// progress reduces the refundable amount, so concurrent refunds never exceed the payment. The outcome follows in a
// callback.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *FollowUps) Refund(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, payment.JobRefund)
}
