package merchant

import (
	"context"
	"time"

	"checkout/internal/money"
	"checkout/internal/payment"
	"checkout/internal/request"
)

// Capture captures an authorised payment once, all of its amount or a part (protocol.md, Endpoints). It returns the
// outcome, or WAITING if the provider takes longer than AwaitTimeout; the outcome then follows in a callback. Errors:
// CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Capture(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, followUp{kind: payment.JobCapture, allow: allowCapture})
}

func allowCapture(p *payment.Payment, text string, _ time.Time) (money.Amount, error) {
	if p.Status != payment.StatusPending || p.Jobs.InProgress() {
		return money.Amount{}, errNotAllowed(payment.JobCapture)
	}
	return p.AmountWithin(text, p.Amount, request.FaultCaptureAmount)
}
