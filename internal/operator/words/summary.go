package words

import (
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/sums"
	"checkout/internal/method"
	"checkout/internal/routing/circuit"
)

// Standing is all that a summary follows from.
type Standing struct {
	State     string           // in one word, as in a list
	ID        string           // of the payment
	OpenUntil time.Time        // of an open session
	Payment   *payment.Payment // nil for a session that nobody has tried to pay
	Order     Order
	Circuit   *circuit.View // of the payment's MID, nil while it is closed or nothing waits for it
}

// Summary says in words where a payment stands, or its session.
func (k Standing) Summary(now time.Time) Summary {
	words, p := statusWords[k.State], k.Payment
	if own := payoutWords[k.State]; p != nil && p.Operation == method.Credit && own.Label != "" {
		words = own
	}
	s := Summary{State: k.State, Means: words.Means, Turn: words.Turn, Tell: words.Tell}
	if p == nil {
		s.ofSession(k.OpenUntil)
		s.ofOthers(k, sums.Sums{})
		return s
	}
	sums := sums.Of(p)
	s.ofMoney(p, sums)
	s.ofFailed(p)
	s.ofOthers(k, sums)
	s.ofJobs(p, now)
	s.ofCircuit(k)
	s.ofCallbacks(k)
	return s
}

// ofSession says when an open session ends.
func (s *Summary) ofSession(openUntil time.Time) {
	if s.State == string(checkout.SessionOpen) {
		s.Next, s.At = "The checkout page closes.", openUntil
	}
}

// ofFailed says that the latest request of a payment that has succeeded has failed.
func (s *Summary) ofFailed(p *payment.Payment) {
	if len(p.Transactions) == 0 || len(p.Jobs) > 0 {
		return
	}
	t := p.Transactions[len(p.Transactions)-1]
	followUp := t.Type == payment.EventRefund || t.Type == payment.EventVoid || t.Type == payment.EventCapture
	if !followUp || t.Status != payment.Fail {
		return
	}
	what, how := RequestText(t.Type, t.Amount, p), " was declined on "
	if !t.SucceededAt.IsZero() {
		how = " had succeeded and failed later, on "
	}
	s.Means += " The " + what + how + Clock(t.Date) + "."
	if s.Turn == TurnNobody {
		s.Turn = turnMerchant
		s.Next = "The merchant tries the " + nameOf(t.Type) + " again, or returns the money in another way."
		s.Tell += " The " + what + " has failed: please ask the shop."
	}
}

// ofOthers names another payment of the order that was paid.
func (s *Summary) ofOthers(k Standing, own sums.Sums) {
	other := k.otherPaid()
	if other == nil || own.PaysOut {
		return
	}
	sums := sums.Of(other)
	what := amount(sums.Net) + " was paid by payment " + other.ID
	if sums.Net.IsZero() {
		what = amount(sums.Reserved) + " is authorised by payment " + other.ID
	}
	switch {
	case !own.Net.IsZero() || !own.Reserved.IsZero():
		s.Means += " The order is paid twice: " + what + ", too."
		s.Tell += " The order was paid twice. The shop decides which of the payments it returns."
		if s.Turn == TurnNobody {
			s.Turn, s.Next = turnMerchant, "The merchant refunds one of the two payments."
		}
	case own.Received != nil && !own.Received.Counts && own.Refunded.IsZero():
		s.Means += " Another try succeeded: " + what + "."
	case k.Payment == nil || k.Payment.Status == payment.StatusDecline || k.Payment.Status == payment.StatusVoid:
		s.Means += " Another try succeeded: " + what + "."
		s.Tell, s.Retry = "Nothing was charged for this try. Another one succeeded.", ""
		if k.Payment != nil && !own.Returned.IsZero() {
			s.Tell = "What was charged for this try was returned. Another one succeeded."
		}
	}
}

// otherPaid returns another payment of the order that has taken money, or reserved it, nil if there is none. Later
// charges of a recurring chain are none of them.
func (k Standing) otherPaid() *payment.Payment {
	if k.Payment != nil && k.Payment.Recurring {
		return nil
	}
	for _, other := range k.Order.Payments {
		if other.ID == k.ID || other.Recurring || other.Status == payment.StatusDecline {
			continue
		}
		if sums := sums.Of(other); !sums.PaysOut && !(sums.Net.IsZero() && sums.Reserved.IsZero()) {
			return other
		}
	}
	return nil
}

// ofCircuit says that the MID of a payment that waits for its provider gets no new payments.
func (s *Summary) ofCircuit(k Standing) {
	if k.Circuit != nil {
		s.Means += " " + k.Payment.MID + " fails too often, and gets no new payments until " + Clock(k.Circuit.Until) + "."
	}
}

// ofCallbacks says whether the shop knows.
func (s *Summary) ofCallbacks(k Standing) {
	parked, waiting, untold := 0, 0, 0
	var next time.Time
	for _, d := range k.Order.Callbacks {
		switch {
		case d.PaymentID != k.ID:
		case d.State == callback.Parked && len(d.Tries) == 0: // there was no address to try
			untold++
		case d.State == callback.Parked:
			parked++
		case d.State == callback.Waiting && len(d.Tries) > 0:
			waiting, next = waiting+1, d.NextAt
		}
	}
	switch {
	case parked > 0:
		s.Means += " The shop does not know this: its server did not take the callback, and it is not sent again " +
			"automatically."
		if s.Turn == TurnNobody {
			s.Turn, s.Next = turnMerchant, "The shop's address is repaired, and the callback is sent again."
		}
	case untold > 0:
		s.Means += " The shop does not know this: the merchant has set no address for callbacks."
		if s.Turn == TurnNobody {
			s.Turn, s.Next = turnMerchant, "The merchant sets an address, and the callback is sent again."
		}
	case waiting > 0:
		s.Means += " The shop may not know this yet: its server has not taken the callback so far."
		if s.Turn == TurnNobody {
			s.Turn, s.Next, s.At = TurnService, "The callback is sent again.", next
		}
	}
}
