package checkout

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// maxTransactions limits what providers add to a payment by themselves: a stored payment has to stay small.
const maxTransactions = 500

// elsewhere stores what the provider of a charge did with it without a request of ours, such as a refund on its own
// website, as a transaction with the provider's id, and once for each id. Merchants get the callback of such a request
// of their own, with a reason. Errors: CodeTooEarly for what comes before the success that it follows; CodeInvalid
// without an id, or for more money than the payment has.
func (p *Payment) elsewhere(result Result, now time.Time) (effects, error) {
	if result.OperationID == "" {
		return effects{}, refuseElsewhere("It has no id.")
	}
	switch result.Outcome {
	case OutcomeCapturedElsewhere:
		return p.captureElsewhere(result, now)
	case OutcomeVoidedElsewhere:
		return p.voidElsewhere(result, now)
	case OutcomeRefundedElsewhere:
		return p.refundElsewhere(result, now)
	}
	return p.winDispute(result, now)
}

// captureElsewhere settles an authorised payment that was captured without a request. While a capture of ours is not
// decided, nobody knows which of both it was.
func (p *Payment) captureElsewhere(result Result, now time.Time) (effects, error) {
	switch {
	case p.undecided() || p.Status == StatusPending && p.hasJob(JobCapture):
		return effects{}, notYet("authorised")
	case p.Status != StatusPending:
		return effects{}, nil
	case !isPartOf(p.Amount, result.Amount):
		return effects{}, refuseElsewhere("Another amount was authorised.")
	}
	if err := p.move(StatusSettled, now); err != nil {
		return effects{}, err
	}
	p.Captured = result.Amount
	e := p.doneElsewhere(EventCapture, result, result.Amount, now)
	p.saveCard(&e)
	return e, nil
}

// voidElsewhere voids a payment that was cancelled without a request, or whose authorisation has expired. What was
// refunded in parts can't be voided.
func (p *Payment) voidElsewhere(result Result, now time.Time) (effects, error) {
	voidable := p.Status == StatusPending || p.Status == StatusSettled && len(p.RefundAmounts()) == 0
	switch {
	case p.undecided() || voidable && p.hasJob(JobVoid):
		return effects{}, notYet("authorised")
	case !voidable:
		return effects{}, nil
	}
	p.CardToSave = nil
	e := p.doneElsewhere(EventVoid, result, cmp.Or(p.Captured, p.Amount), now)
	e.event.Amount, e.stopChain = money.Amount{}, !p.Recurring
	return e, p.move(StatusVoid, now)
}

// refundElsewhere stores a refund without a request. All refunds that were made never exceed what was captured; one of
// ours that is in progress beside it will be declined then. A payment is refunded once all of it is.
func (p *Payment) refundElsewhere(result Result, now time.Time) (effects, error) {
	switch {
	case p.madeElsewhere(EventRefund, result.OperationID) >= 0, p.Status == StatusVoid:
		return effects{}, nil
	case p.Captured.IsZero():
		return effects{}, notYet("settled")
	case p.full():
		return effects{}, refuseElsewhere("There are too many transactions.")
	}
	left, err := p.notRefunded()
	if err != nil {
		return effects{}, err
	}
	if !isPartOf(left, result.Amount) {
		return effects{}, refuseElsewhere("Less is left to refund.")
	}
	e, to := p.doneElsewhere(EventRefund, result, result.Amount, now), StatusSettled
	if result.Amount.Cmp(left) == 0 {
		to = StatusRefund
	}
	if p.disputed() {
		return e, nil
	}
	return e, p.move(to, now)
}

// doneElsewhere adds what was done without a request to the transactions, and returns its event.
func (p *Payment) doneElsewhere(kind EventType, result Result, amount money.Amount, now time.Time) effects {
	reason := &screen.Reason{Code: cmp.Or(result.ReasonCode, screen.ReasonElsewhere)}
	done := ended(Success, now, result, reason)
	done.Type, done.Amount = kind, amount
	p.addElsewhere(done, result.OperationID)
	return effects{
		save: true, measure: true, event: &Event{Type: kind, Status: Success, Reason: reason, Amount: amount},
	}
}

// addElsewhere adds a transaction that was not requested.
func (p *Payment) addElsewhere(t Transaction, id string) {
	t.MID, t.Connector, t.Reference, t.Elsewhere = p.MID, p.Connector, id, true
	p.Transactions = append(p.Transactions, t)
}

// madeElsewhere returns the index of a transaction that was not requested, -1 if none of that type has that id.
func (p *Payment) madeElsewhere(kind EventType, id string) int {
	return slices.IndexFunc(p.Transactions, func(t Transaction) bool {
		return id != "" && t.Type == kind && t.Reference == id
	})
}

// undecided reports whether it is not known yet if the charge succeeds.
func (p *Payment) undecided() bool { return p.Charge() != nil }

// full reports whether the payment takes no more transactions that were not requested.
func (p *Payment) full() bool { return len(p.Transactions) >= maxTransactions }

// isPartOf reports whether a part, which is not zero, is within an amount.
func isPartOf(amount, part money.Amount) bool {
	return !part.IsZero() && part.Currency() == amount.Currency() && part.Cmp(amount) <= 0
}

// refuseElsewhere refuses a notice that does not fit the payment.
func refuseElsewhere(why string) error {
	return request.Refuse(request.CodeInvalid, request.FaultInvalid, why)
}
