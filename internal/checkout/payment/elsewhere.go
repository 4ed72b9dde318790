package payment

import (
	"cmp"
	"time"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Elsewhere is what the provider of a payment does with it without a request of ours.
type Elsewhere struct{ p *Payment }

// Elsewhere returns what the payment's provider does without a request.
func (p *Payment) Elsewhere() Elsewhere { return Elsewhere{p} }

// Apply stores what the provider of a charge did with it without a request of ours, such as a refund on its
// own website, as a transaction with the provider's id, and once for each id. Merchants get the callback of such a
// request of their own, with a reason. Errors: CodeTooEarly for what comes before the success that it follows;
// CodeInvalid without an id, or for more money than the payment has.
func (o Elsewhere) Apply(result connector.Result, now time.Time) (Effects, error) {
	if result.OperationID == "" {
		return Effects{}, refuseElsewhere("It has no id.")
	}
	switch result.Outcome {
	case connector.OutcomeCapturedElsewhere:
		return o.capture(result, now)
	case connector.OutcomeVoidedElsewhere:
		return o.void(result, now)
	case connector.OutcomeRefundedElsewhere:
		return o.refund(result, now)
	}
	return o.p.Disputes().win(result, now)
}

// capture settles an authorised payment that was captured without a request. While a capture of ours is not
// decided, nobody knows which of both it was, and a void of ours may still be what has happened.
func (o Elsewhere) capture(result connector.Result, now time.Time) (Effects, error) {
	switch {
	case o.p.Undecided():
		return Effects{}, notYet("authorised")
	case o.p.Status == StatusPending && o.p.Jobs.InProgress():
		return Effects{}, errUnderWay()
	case o.p.Status != StatusPending:
		return Effects{}, nil
	case !isPartOf(o.p.Amount, result.Amount):
		return Effects{}, refuseElsewhere("Another amount was authorised.")
	}
	if err := o.p.Move(StatusSettled, now); err != nil {
		return Effects{}, err
	}
	o.p.Captured = result.Amount
	e := o.done(EventCapture, result, result.Amount, now)
	o.p.saveCard(&e)
	return e, nil
}

// void voids a payment that was cancelled without a request, or whose authorisation has expired. What was
// refunded in parts can't be voided. While a request of ours is not decided, it may be that void, or contradict it: but
// a void of ours of which nothing was sent is neither, and ends with it.
func (o Elsewhere) void(result connector.Result, now time.Time) (Effects, error) {
	refunded := o.p.Transactions.Count(EventRefund, Success) > 0
	voidable := o.p.Status == StatusPending || o.p.Status == StatusSettled && !refunded
	unsent := first(o.p.Jobs, (*Job).isUnsentVoid)
	switch {
	case o.p.Undecided():
		return Effects{}, notYet("authorised")
	case voidable && o.p.Jobs.InProgress() && unsent == nil:
		return Effects{}, errUnderWay()
	case !voidable:
		return Effects{}, nil
	}
	if unsent != nil {
		o.p.finish(*unsent, Ended(Fail, now, result, &reason.Reason{Code: reason.Elsewhere}))
	}
	o.p.CardToSave = nil
	e := o.done(EventVoid, result, cmp.Or(o.p.Captured, o.p.Amount), now)
	e.Event.Amount, e.StopChain = money.Amount{}, !o.p.Recurring
	return e, o.p.Move(StatusVoid, now)
}

// VoidedUnsent returns what the approval of a void means of which nothing was sent, as its job says: somebody else has
// made it, after the provider was told that it was to come. found is false of any other request.
func (o Elsewhere) VoidedUnsent(reference string, result connector.Result) (elsewhere connector.Result, found bool) {
	job := o.p.Jobs.Find(reference)
	if job == nil || !job.isUnsentVoid() || result.Outcome != connector.OutcomeApproved {
		return connector.Result{}, false
	}
	id := cmp.Or(o.p.ProviderID, reference)
	return connector.Result{Outcome: connector.OutcomeVoidedElsewhere, OperationID: id, Code: result.Code}, true
}

// isUnsentVoid reports whether a job is a void of which nothing has reached the provider.
func (j *Job) isUnsentVoid() bool { return j.Kind == JobVoid && j.SentAt.IsZero() }

// refund stores a refund without a request. All refunds that were made never exceed what was captured; one of
// ours that is in progress beside it will be declined then. While a void of ours is not decided, nobody knows whether
// there was anything left to refund. A payment is refunded once all of it is.
func (o Elsewhere) refund(result connector.Result, now time.Time) (Effects, error) {
	switch {
	case o.p.Transactions.madeElsewhere(EventRefund, result.OperationID) >= 0, o.p.Status == StatusVoid:
		return Effects{}, nil
	case o.p.Captured.IsZero():
		return Effects{}, notYet("settled")
	case o.p.Jobs.Has(JobVoid):
		return Effects{}, errUnderWay()
	case o.p.Transactions.Full():
		return Effects{}, refuseElsewhere("There are too many transactions.")
	}
	left, err := o.p.Amounts().notRefunded()
	if err != nil {
		return Effects{}, err
	}
	if !isPartOf(left, result.Amount) {
		return Effects{}, refuseElsewhere("Less is left to refund.")
	}
	e, to := o.done(EventRefund, result, result.Amount, now), StatusSettled
	if result.Amount.Cmp(left) == 0 {
		to = StatusRefund
	}
	if o.p.Disputed() {
		return e, nil
	}
	return e, o.p.Move(to, now)
}

// done adds what was done without a request to the transactions, and returns its event.
func (o Elsewhere) done(kind EventType, result connector.Result, amount money.Amount, now time.Time) Effects {
	reason := &reason.Reason{Code: cmp.Or(result.ReasonCode, reason.Elsewhere)}
	done := Ended(Success, now, result, reason)
	done.Type, done.Amount = kind, amount
	o.add(done, result.OperationID)
	return Effects{
		Save: true, Measure: true, Event: &Event{Type: kind, Status: Success, Reason: reason, Amount: amount},
	}
}

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

// add adds a transaction that was not requested.
func (o Elsewhere) add(t Transaction, id string) {
	t.MID, t.Connector, t.Reference, t.Elsewhere = o.p.MID, o.p.Connector, id, true
	o.p.Transactions = append(o.p.Transactions, t)
}
