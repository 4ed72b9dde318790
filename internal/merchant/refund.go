package merchant

import (
	"context"
	"time"

	"checkout/internal/money"
	"checkout/internal/payment"
	"checkout/internal/request"
)

// maxRefunds is how many refunds a payment may have, whatever their outcome: a stored payment has to stay small.
const maxRefunds = 200

// Refund refunds the refundable amount of a settled payment, or a part of it (protocol.md, Endpoints). A refund in
// progress reduces the refundable amount, so concurrent refunds never exceed the payment. The outcome follows in a
// callback.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Refund(ctx context.Context, call Call) (Response, error) {
	return s.followUp(ctx, call, followUp{kind: payment.JobRefund, allow: allowRefund})
}

func allowRefund(p *payment.Payment, text string, _ time.Time) (money.Amount, error) {
	if p.Status != payment.StatusSettled || p.Jobs.Has(payment.JobVoid) || !p.Reversible() || p.Refunds() >= maxRefunds {
		return money.Amount{}, errNotAllowed(payment.JobRefund)
	}
	refundable, err := p.Refundable()
	if err != nil {
		return money.Amount{}, err
	}
	if refundable.IsZero() {
		fault := request.Fault{Code: request.FaultRefundAmount, Path: "amount", Text: "Nothing is left to refund."}
		return money.Amount{}, request.Invalid([]request.Fault{fault})
	}
	return p.AmountWithin(text, refundable, request.FaultRefundAmount)
}
