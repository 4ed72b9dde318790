package checkout

import (
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/money"
)

// mayCapture returns the amount of a capture of an authorised payment, which can be captured once: all of its amount or
// a part.
func mayCapture(p *payment.Payment, amount string) (money.Amount, error) {
	if why := whyNotCapture(p); why != "" {
		return refuse(errCapture(), why)
	}
	return p.Amounts().Read(amount, p.Amount, fault.NumberCaptureAmount)
}

// whyNotCapture says why a payment can't be captured, "" if it can.
func whyNotCapture(p *payment.Payment) string {
	switch ended, job := whyEnded(p), waitsFor(p.Jobs); {
	case ended != "":
		return ended
	case p.Status == payment.StatusSettled:
		return "It was captured already."
	case job != nil:
		return whyWait(job)
	case p.Status != payment.StatusPending:
		return whyUndecided
	}
	return ""
}

func errCapture() *fault.Error {
	return fault.RefuseAs(fault.CodeNotAllowed, fault.NumberCaptureStatus, "Capture is not allowed.")
}
