package checkout

import (
	"context"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
)

// Capture takes an authorised payment's money, all or a part of it, once
// (decisions.md 2). It answers when the provider has, and with WAITING if that
// takes long; the outcome then follows in a callback.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Capture(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, followUp{kind: JobCapture, allow: (*Payment).allowCapture})
}

func (p *Payment) allowCapture(text string, _ time.Time) (money.Amount, error) {
	if p.Status != StatusPending || len(p.Jobs) > 0 {
		return money.Amount{}, errNotAllowed(JobCapture)
	}
	return p.amountWithin(text, p.Amount, request.FaultCaptureAmount)
}
