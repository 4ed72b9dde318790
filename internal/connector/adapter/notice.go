package adapter

import (
	"context"
	"errors"
	"slices"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/reason"
)

const expiredElsewhere = "expired"

// doneElsewhere are the outcomes of what was done without a request.
var doneElsewhere = map[string]connector.Outcome{
	"captured": connector.OutcomeCapturedElsewhere, "refunded": connector.OutcomeRefundedElsewhere,
	"voided": connector.OutcomeVoidedElsewhere, expiredElsewhere: connector.OutcomeVoidedElsewhere,
	"chargeback": connector.OutcomeChargeback, "reversal": connector.OutcomeReversal,
	"dispute_won": connector.OutcomeDisputeWon,
}

// chargebackStages are those that a chargeback may have. That a dispute was won is said by what.
var chargebackStages = []connector.Stage{
	connector.StageReceived, connector.StageArbitration, connector.StageLost,
}

// read reads what was done to a charge.
func (e elsewhere) read() (connector.Result, error) {
	outcome, known := doneElsewhere[e.What]
	isDispute := outcome == connector.OutcomeChargeback || outcome == connector.OutcomeReversal
	moves := outcome == connector.OutcomeCapturedElsewhere || outcome == connector.OutcomeRefundedElsewhere
	r := connector.Result{Outcome: outcome, OperationID: e.ID, Code: e.Code, Stage: e.Stage, StageAt: e.At.UTC()}
	if e.What == expiredElsewhere {
		r.ReasonCode = reason.Expired
	}
	switch {
	case !known:
		return connector.Result{}, errors.New("elsewhere.what is not one of the contract's")
	case e.Stage != "" && (outcome != connector.OutcomeChargeback || !slices.Contains(chargebackStages, e.Stage)):
		return connector.Result{}, errors.New("elsewhere.stage is not one of a chargeback")
	case e.ID == "" && !isDispute:
		return connector.Result{}, errors.New("elsewhere.id is missing")
	case e.Amount == nil && moves:
		return connector.Result{}, errors.New("elsewhere.amount is missing")
	case e.Amount == nil:
		return r, nil
	}
	var err error
	if r.Amount, err = e.Amount.parse(); err != nil {
		return connector.Result{}, errors.New("elsewhere.amount can't be read")
	}
	return r, nil
}

// HandleNotification reads a notice: a result, signed with the MID's secret. A notice that comes twice or late changes
// nothing, because the service goes by references.
func (a *Adapter) HandleNotification(_ context.Context, n connector.Notification) (connector.Notice, error) {
	if !messageOf(n.Header, string(n.Body)).authentic(n.Credentials["secret"], a.Now()) {
		return connector.Notice{}, connector.ErrNotAuthentic
	}
	notice, err := readNotice(n.Body)
	return notice.Telling(notice.Result, err)
}

// readNotice reads a notice, that of an approval of another amount beside its ErrOtherAmount.
func readNotice(body []byte) (connector.Notice, error) {
	var got result
	if err := decode(body, &got); err != nil {
		return connector.Notice{}, err
	}
	switch {
	case got.Payment == "", got.Reference == "", got.Kind == "":
		return connector.Notice{}, errors.New("payment, reference or kind is missing")
	case got.Status == statusUnknown:
		return connector.Notice{}, errors.New("status is unknown, which tells nothing")
	}
	notice := connector.Notice{PaymentID: got.Payment, SessionID: got.Session, Kind: got.Kind, Reference: got.Reference}
	var err error
	switch {
	case got.Elsewhere != nil && got.Kind != connector.RequestCharge:
		return connector.Notice{}, errors.New("elsewhere belongs to a charge alone")
	case got.Elsewhere != nil:
		notice.Result, err = got.Elsewhere.read()
		return notice, err
	}
	if notice.Requested, err = got.requestedAmount(); err != nil {
		return connector.Notice{}, err
	}
	if notice.Result, err = got.read(); connector.ApprovesOther(err) {
		notice.Result = connector.Result{Authorised: got.Status == statusAuthorised, ProviderData: got.data()}
	}
	return notice, err
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
