package checkout

import (
	"context"

	"checkout/internal/money"
	"checkout/internal/request"
)

// CaptureAnswer is the answer to a capture. Status is the payment's.
type CaptureAnswer struct {
	PaymentID   string `json:"payment_id"`
	Status      Status `json:"status"`
	TransStatus string `json:"trans_status"` // SUCCESS, FAIL, or WAITING while the outcome is not known
	Date        string `json:"date"`         // YYYY-MM-DD hh:mm:ss, UTC
}

// Capture takes an authorised payment's money, all or a part of it, once
// (decisions.md 2). It answers when the provider has, and with WAITING if that
// takes long; the outcome then follows in a callback.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Capture(ctx context.Context, call Call) (Response, error) {
	r, err := readFollowUpOf(JobCapture, call.Body)
	if err != nil {
		return nil, err
	}
	return s.followUp(ctx, r, call)
}

func (p *Payment) allowCapture(text string) (money.Amount, error) {
	if p.Status != StatusPending || len(p.Jobs) > 0 {
		return money.Amount{}, errNotAllowed(JobCapture)
	}
	return p.asked(text, p.Amount, request.FaultCaptureAmount)
}

func captureAnswer(p *Payment, end Transaction) CaptureAnswer {
	a := CaptureAnswer{p.ID, StatusPending, transStatus(end), timestamp(end.Date)}
	if end.Status == Success {
		a.Status = StatusSettled
	}
	return a
}
