package adapter

import (
	"context"
	"errors"

	"checkout/internal/checkout"
	"checkout/internal/money"
	"checkout/internal/screen"
)

// elsewhere is what was done to a charge without a request of the service.
type elsewhere struct {
	What   string  `json:"what"`   // one of doneElsewhere
	ID     string  `json:"id"`     // the provider's, of that refund, dispute or other thing
	Code   string  `json:"code"`   // the provider's
	Amount *amount `json:"amount"` // nil: all that was captured
}

const expiredElsewhere = "expired"

// doneElsewhere are the outcomes of what was done without a request.
var doneElsewhere = map[string]checkout.Outcome{
	"captured": checkout.OutcomeCapturedElsewhere, "refunded": checkout.OutcomeRefundedElsewhere,
	"voided": checkout.OutcomeVoidedElsewhere, expiredElsewhere: checkout.OutcomeVoidedElsewhere,
	"chargeback": checkout.OutcomeChargeback, "reversal": checkout.OutcomeReversal,
	"dispute_won": checkout.OutcomeDisputeWon,
}

// read reads what was done to a charge.
func (e elsewhere) read() (checkout.Result, error) {
	outcome, known := doneElsewhere[e.What]
	isDispute := outcome == checkout.OutcomeChargeback || outcome == checkout.OutcomeReversal
	moves := outcome == checkout.OutcomeCapturedElsewhere || outcome == checkout.OutcomeRefundedElsewhere
	r := checkout.Result{Outcome: outcome, OperationID: e.ID, Code: e.Code}
	if e.What == expiredElsewhere {
		r.ReasonCode = screen.ReasonExpired
	}
	switch {
	case !known:
		return checkout.Result{}, errors.New("elsewhere.what is not one of the contract's")
	case e.ID == "" && !isDispute:
		return checkout.Result{}, errors.New("elsewhere.id is missing")
	case e.Amount == nil && moves:
		return checkout.Result{}, errors.New("elsewhere.amount is missing")
	case e.Amount == nil:
		return r, nil
	}
	var err error
	if r.Amount, err = e.Amount.parse(); err != nil {
		return checkout.Result{}, errors.New("elsewhere.amount can't be read")
	}
	return r, nil
}

// HandleNotification reads a notice: a result, signed with the MID's secret. A notice that comes twice or late changes
// nothing, because the service goes by references.
func (a *Adapter) HandleNotification(_ context.Context, n checkout.Notification) (checkout.Notice, error) {
	if !messageOf(n.Header, string(n.Body)).authentic(n.Credentials["secret"], a.Now()) {
		return checkout.Notice{}, checkout.ErrNotAuthentic
	}
	notice, err := readNotice(n.Body)
	if err != nil {
		return checkout.Notice{}, checkout.Unreadable(err)
	}
	return notice, nil
}

func readNotice(body []byte) (checkout.Notice, error) {
	var got result
	if err := decode(body, &got); err != nil {
		return checkout.Notice{}, err
	}
	switch {
	case got.Payment == "", got.Reference == "", got.Kind == "":
		return checkout.Notice{}, errors.New("payment, reference or kind is missing")
	case got.Status == statusUnknown:
		return checkout.Notice{}, errors.New("status is unknown, which tells nothing")
	}
	notice := checkout.Notice{PaymentID: got.Payment, SessionID: got.Session, Kind: got.Kind, Reference: got.Reference}
	var err error
	switch {
	case got.Elsewhere != nil && got.Kind != checkout.JobCharge:
		return checkout.Notice{}, errors.New("elsewhere belongs to a charge alone")
	case got.Elsewhere != nil:
		notice.Result, err = got.Elsewhere.read()
		return notice, err
	}
	if notice.Result, err = got.read(); err != nil {
		return checkout.Notice{}, err
	}
	if notice.Requested, err = got.requestedAmount(); err != nil {
		return checkout.Notice{}, err
	}
	return notice, nil
}

// requestedAmount is the amount of the request as a result repeats it, nil if it moved no amount of its own.
func (a result) requestedAmount() (*money.Amount, error) {
	switch {
	case !a.settles():
		return nil, nil
	case a.Requested == nil:
		return &money.Amount{}, nil
	}
	amount, err := a.Requested.parse()
	return &amount, err
}
