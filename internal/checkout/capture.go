package checkout

import (
	"context"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
)

// Capture captures an authorised payment once, all of its amount or a part (decisions.md 2). It returns the outcome, or
// WAITING if the provider takes longer than AwaitTimeout; the outcome then follows in a callback.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Capture(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, followUp{kind: JobCapture, allow: (*Payment).allowCapture})
}

func (p *Payment) allowCapture(text string, _ time.Time) (money.Amount, error) {
	if p.Status != StatusPending || p.inProgress() {
		return money.Amount{}, errNotAllowed(JobCapture)
	}
	return p.amountWithin(text, p.Amount, request.FaultCaptureAmount)
}
