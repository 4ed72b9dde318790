package checkout

import (
	"fmt"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/money"
)

// maxRefunds is how many refunds a payment may have, whatever their outcome: a stored payment has to stay small.
const maxRefunds = 200

// mayRefund returns the amount of a refund of a settled payment: all that is refundable or a part. A refund in progress
// reduces what is refundable, so concurrent refunds never exceed the payment.
func mayRefund(p *payment.Payment, amount string) (money.Amount, error) {
	if why := whyNotRefund(p); why != "" {
		return refuse(errRefund(), why)
	}
	refundable, err := p.Amounts().Refundable()
	if err != nil {
		return money.Amount{}, err
	}
	if refundable.IsZero() {
		wrong := fault.Fault{Number: fault.NumberRefundAmount, Path: "amount", Text: "Nothing is left to refund."}
		why := wrong.Text
		if job := waitsFor(p.Jobs); job != nil {
			why = whyWait(job)
		}
		return refuse(fault.Invalid([]fault.Fault{wrong}), why)
	}
	return p.Amounts().Read(amount, refundable, fault.NumberRefundAmount)
}

// whyNotRefund says why nothing of a payment can be refunded, whatever is left, "" if it can.
func whyNotRefund(p *payment.Payment) string {
	settled, before := p.Status == payment.StatusSettled, p.Jobs
	if settled { // then refunds wait for nothing but a void
		before = slices.DeleteFunc(slices.Clone(before), func(j payment.Job) bool { return j.Kind != payment.JobVoid })
	}
	switch ended, job := whyEnded(p), waitsFor(before); {
	case ended != "":
		return ended
	case settled && p.Amounts().CountRefunds() >= maxRefunds:
		return fmt.Sprintf("It has %d refunds, and can have no more.", maxRefunds)
	case job != nil:
		return whyWait(job)
	case p.Status == payment.StatusPending:
		return "Nothing was captured yet: void it."
	case !settled:
		return whyUndecided
	}
	return ""
}

func errRefund() *fault.Error {
	return fault.RefuseAs(fault.CodeNotAllowed, fault.NumberRefundStatus, "Refund is not allowed.")
}
