package payment

import (
	"cmp"
	"time"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// ApplyElsewhere stores what the provider of a charge did with it without a request of ours, such as a refund on its
// own website, as a transaction with the provider's id, and once for each id. Merchants get the callback of such a
// request of their own, with a reason. Errors: CodeTooEarly for what comes before the success that it follows;
// CodeInvalid without an id, or for more money than the payment has.
func (p *Payment) ApplyElsewhere(result connector.Result, now time.Time) (Effects, error) {
	if result.OperationID == "" {
		return Effects{}, refuseElsewhere("It has no id.")
	}
	switch result.Outcome {
	case connector.OutcomeCapturedElsewhere:
		return p.captureElsewhere(result, now)
	case connector.OutcomeVoidedElsewhere:
		return p.voidElsewhere(result, now)
	case connector.OutcomeRefundedElsewhere:
		return p.refundElsewhere(result, now)
	}
	return p.winDispute(result, now)
}

// captureElsewhere settles an authorised payment that was captured without a request. While a capture of ours is not
// decided, nobody knows which of both it was, and a void of ours may still be what has happened.
func (p *Payment) captureElsewhere(result connector.Result, now time.Time) (Effects, error) {
	switch {
	case p.Undecided():
		return Effects{}, notYet("authorised")
	case p.Status == StatusPending && p.Jobs.InProgress():
		return Effects{}, errUnderWay()
	case p.Status != StatusPending:
		return Effects{}, nil
	case !isPartOf(p.Amount, result.Amount):
		return Effects{}, refuseElsewhere("Another amount was authorised.")
	}
	if err := p.Move(StatusSettled, now); err != nil {
		return Effects{}, err
	}
	p.Captured = result.Amount
	e := p.doneElsewhere(EventCapture, result, result.Amount, now)
	p.saveCard(&e)
	return e, nil
}

// voidElsewhere voids a payment that was cancelled without a request, or whose authorisation has expired. What was
// refunded in parts can't be voided. While a request of ours is not decided, it may be that void, or contradict it: but
// a void of ours of which nothing was sent is neither, and ends with it.
func (p *Payment) voidElsewhere(result connector.Result, now time.Time) (Effects, error) {
	refunded := p.Transactions.Count(EventRefund, Success) > 0
	voidable := p.Status == StatusPending || p.Status == StatusSettled && !refunded
	unsent := first(p.Jobs, (*Job).isUnsentVoid)
	switch {
	case p.Undecided():
		return Effects{}, notYet("authorised")
	case voidable && p.Jobs.InProgress() && unsent == nil:
		return Effects{}, errUnderWay()
	case !voidable:
		return Effects{}, nil
	}
	if unsent != nil {
		p.finish(*unsent, Ended(Fail, now, result, &reason.Reason{Code: reason.Elsewhere}))
	}
	p.CardToSave = nil
	e := p.doneElsewhere(EventVoid, result, cmp.Or(p.Captured, p.Amount), now)
	e.Event.Amount, e.StopChain = money.Amount{}, !p.Recurring
	return e, p.Move(StatusVoid, now)
}

// VoidedUnsent returns what the approval of a void means of which nothing was sent, as its job says: somebody else has
// made it, after the provider was told that it was to come. found is false of any other request.
func (p *Payment) VoidedUnsent(reference string, result connector.Result) (elsewhere connector.Result, found bool) {
	job := p.Jobs.Find(reference)
	if job == nil || !job.isUnsentVoid() || result.Outcome != connector.OutcomeApproved {
		return connector.Result{}, false
	}
	id := cmp.Or(p.ProviderID, reference)
	return connector.Result{Outcome: connector.OutcomeVoidedElsewhere, OperationID: id, Code: result.Code}, true
}

// isUnsentVoid reports whether a job is a void of which nothing has reached the provider.
func (j *Job) isUnsentVoid() bool { return j.Kind == JobVoid && j.SentAt.IsZero() }

// refundElsewhere stores a refund without a request. All refunds that were made never exceed what was captured; one of
// ours that is in progress beside it will be declined then. While a void of ours is not decided, nobody knows whether
// there was anything left to refund. A payment is refunded once all of it is.
func (p *Payment) refundElsewhere(result connector.Result, now time.Time) (Effects, error) {
	switch {
	case p.Transactions.madeElsewhere(EventRefund, result.OperationID) >= 0, p.Status == StatusVoid:
		return Effects{}, nil
	case p.Captured.IsZero():
		return Effects{}, notYet("settled")
	case p.Jobs.Has(JobVoid):
		return Effects{}, errUnderWay()
	case p.Transactions.full():
		return Effects{}, refuseElsewhere("There are too many transactions.")
	}
	left, err := p.notRefunded()
	if err != nil {
		return Effects{}, err
	}
	if !isPartOf(left, result.Amount) {
		return Effects{}, refuseElsewhere("Less is left to refund.")
	}
	e, to := p.doneElsewhere(EventRefund, result, result.Amount, now), StatusSettled
	if result.Amount.Cmp(left) == 0 {
		to = StatusRefund
	}
	if p.Disputed() {
		return e, nil
	}
	return e, p.Move(to, now)
}

// doneElsewhere adds what was done without a request to the transactions, and returns its event.
func (p *Payment) doneElsewhere(kind EventType, result connector.Result, amount money.Amount, now time.Time) Effects {
	reason := &reason.Reason{Code: cmp.Or(result.ReasonCode, reason.Elsewhere)}
	done := Ended(Success, now, result, reason)
	done.Type, done.Amount = kind, amount
	p.addElsewhere(done, result.OperationID)
	return Effects{
		Save: true, Measure: true, Event: &Event{Type: kind, Status: Success, Reason: reason, Amount: amount},
	}
}

// Undecided reports whether it is not known yet if the charge succeeds.
func (p *Payment) Undecided() bool { return p.Jobs.Charge() != nil }

// isPartOf reports whether a part, which is not zero, is within an amount.
func isPartOf(amount, part money.Amount) bool {
	return !part.IsZero() && part.Currency() == amount.Currency() && part.Cmp(amount) <= 0
}

// errUnderWay refuses a notice of what may be, or contradicts, a request of ours without an outcome. That is looked up,
// and the provider sends the notice again.
func errUnderWay() error {
	return fault.Refuse(fault.CodeTooEarly, "A request of the payment is under way.")
}

// refuseElsewhere refuses a notice that does not fit the payment.
func refuseElsewhere(why string) error {
	return fault.Refuse(fault.CodeInvalid, why)
}
