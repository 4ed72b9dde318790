package words

import (
	"slices"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/method"
)

// StatusInSentence returns where a payment stands, for the end of a sentence about it, such as "declined".
func StatusInSentence(p *payment.Payment) string { return statusInSentence(p, p.Status, time.Time{}) }

// statusInSentence returns the same of the status that a payment had since a time, zero for now.
func statusInSentence(p *payment.Payment, status payment.Status, since time.Time) string {
	switch status {
	case payment.Status3DS:
		return "waiting for its payer to confirm it at the bank"
	case payment.StatusRedirect:
		return "waiting for its payer on the provider's page"
	case payment.StatusPending:
		if wasAuthorised(p, since) {
			return "authorised"
		}
		return "waiting for its payer or provider"
	case payment.StatusSettled:
		if p.Operation == method.Credit {
			return "paid out"
		}
	}
	return status.InSentence()
}

// wasAuthorised reports whether a payment that has gone to pending at a time, zero for now, was authorised then, and
// did not wait for its payer: its charge has succeeded, and it is not settled by that alone.
func wasAuthorised(p *payment.Payment, at time.Time) bool {
	succeeded := func(kind payment.EventType) bool {
		return slices.ContainsFunc(p.Transactions, func(t payment.Transaction) bool {
			return t.Type == kind && t.Status == payment.Success && (at.IsZero() || kind == payment.EventCapture ||
				!t.Date.After(at))
		})
	}
	return succeeded(p.EventType(payment.JobCharge)) && (p.Captured.IsZero() || succeeded(payment.EventCapture))
}
