package adapter

import (
	"context"
	"errors"

	"checkout/internal/checkout"
	"checkout/internal/money"
)

// disputes are the outcomes of disputed charges.
var disputes = map[string]checkout.Outcome{
	"chargeback": checkout.OutcomeChargeback, "reversal": checkout.OutcomeReversal,
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
	if got.Disputed != "" {
		outcome, known := disputes[got.Disputed]
		if !known || got.Kind != checkout.JobCharge {
			return checkout.Notice{}, errors.New("the notice has a dispute that is not known")
		}
		notice.Result.Outcome = outcome
		return notice, nil
	}
	var err error
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
