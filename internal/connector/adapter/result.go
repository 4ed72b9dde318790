package adapter

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// The statuses of results.
const (
	statusApproved   = "approved"
	statusAuthorised = "authorised"
	statusDeclined   = "declined"
	statusPending    = "pending"
	statusAction     = "action_required"
	statusUnknown    = "unknown"
)

// result is the body of a response with status 200, and of a notice.
type result struct {
	Kind      connector.RequestKind `json:"kind"`
	Reference string                `json:"reference"`
	Payment   string                `json:"payment"`
	Session   string                `json:"session"`
	Status    string                `json:"status"`
	Requested *amount               `json:"requested"` // as it was received
	Amount    *amount               `json:"amount"`    // that was moved
	Decline   *refusal              `json:"decline"`
	Action    json.RawMessage       `json:"action"` // read by itself, so that the fault of a wrong one can be named
	Received  *received             `json:"received"`
	Elsewhere *elsewhere            `json:"elsewhere"` // of a notice: what was done without a request
	Provider  ids                   `json:"provider"`

	Authentication authentication `json:"authentication"`
}

// ids are what the provider calls the payment, and what else it says of it.
type ids struct {
	ID             string `json:"id"`
	ExtraID        string `json:"extra_id"`
	RRN            string `json:"rrn"`
	ApprovalCode   string `json:"approval_code"`
	IssuerCountry  string `json:"issuer_country"`
	IssuerBank     string `json:"issuer_bank"`
	ExchangeRate   string `json:"exchange_rate"`
	ExchangeBase   string `json:"exchange_base"`
	ExchangeCoin   string `json:"exchange_coin"`
	ExchangeAmount string `json:"exchange_amount"`
	NetworkID      string `json:"network_transaction_id"`
}

// authentication is what 3-D Secure has said of the payer.
type authentication struct {
	ECI            string `json:"eci"`
	LiabilityShift *bool  `json:"liability_shift"`
	ThreeDSVersion string `json:"three_ds_version"`
	DSTransaction  string `json:"ds_transaction_id"`
}

func (a authentication) read() connector.Authentication {
	read := connector.Authentication{ECI: a.ECI, ThreeDSVersion: a.ThreeDSVersion, DSTransaction: a.DSTransaction}
	if a.LiabilityShift != nil {
		read.LiabilityShift = strconv.FormatBool(*a.LiabilityShift)
	}
	return read
}

// data are the ids of a charge's payment, and what else its provider says of it.
func (a result) data() connector.ProviderData {
	return connector.ProviderData{
		ProviderID: a.Provider.ID, ExtraID: a.Provider.ExtraID, RRN: a.Provider.RRN,
		ApprovalCode: a.Provider.ApprovalCode, IssuerCountry: a.Provider.IssuerCountry,
		IssuerBank: a.Provider.IssuerBank, ExchangeRate: a.Provider.ExchangeRate,
		ExchangeBase: a.Provider.ExchangeBase, ExchangeCoin: a.Provider.ExchangeCoin,
		ExchangeAmount: a.Provider.ExchangeAmount, NetworkTransactionID: a.Provider.NetworkID,
		Authentication: a.Authentication.read(),
	}
}

// refusal says why something was declined or refused.
type refusal struct {
	Reason   reason.Code `json:"reason"`
	Code     string      `json:"code"`     // the provider's
	Words    string      `json:"words"`    // the provider's, for the payer
	Language string      `json:"language"` // of the words
}

// received is the money that has arrived.
type received struct {
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
	Due      string `json:"due"`
}

// outcome checks that a result is about a request, and returns it.
func (a result) outcome(r connector.ProviderRequest) (connector.Result, error) {
	switch known := r.Amount.Currency().Code != ""; {
	case a.Kind != r.Kind:
		return connector.Result{}, errors.New("kind is not that of the request")
	case a.Reference != r.Reference:
		return connector.Result{}, errors.New("reference is not that of the request")
	case !known || !a.settles():
	case r.PayerEntersAmount && a.Requested != nil:
		return connector.Result{}, errors.New("requested is there, although the payer enters the amount")
	case !r.PayerEntersAmount && a.Requested == nil:
		return connector.Result{}, errors.New("requested is missing")
	case a.Requested != nil && !a.Requested.is(r.Amount):
		return connector.Result{}, errors.New("requested is not the amount of the request")
	}
	return a.read()
}

// settles reports whether the result moved an amount of its own. A void has none.
func (a result) settles() bool {
	return a.Kind != connector.RequestVoid && (a.Status == statusApproved || a.Status == statusAuthorised)
}

// read reads a result, which must not contradict itself.
func (a result) read() (r connector.Result, err error) {
	if a.Kind == connector.RequestCharge { // the ids of the payment are those of its charge
		r.ProviderData = a.data()
	}
	if a.Received != nil {
		r.Received = &connector.Received{Currency: a.Received.Currency, Amount: a.Received.Amount, Due: a.Received.Due}
	}
	switch {
	case a.settles():
		r.Outcome, r.Authorised = connector.OutcomeApproved, a.Status == statusAuthorised
		r.Amount, err = a.moved()
	case a.Status == statusApproved:
		r.Outcome = connector.OutcomeApproved
	case a.Status == statusDeclined && a.Decline.isGiven():
		declined := a.Decline.decline()
		declined.ProviderData, declined.Received = r.ProviderData, r.Received
		return declined, nil
	case a.Status == statusPending:
		r.Outcome = connector.OutcomePending
	case a.Status == statusAction && isObject(a.Action) && a.Kind == connector.RequestCharge:
		r.Outcome = connector.OutcomeActionRequired
		r.RequiredAction, err = readAction(a.Action)
	case a.Status == statusUnknown:
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	default:
		err = a.statusFault()
	}
	if err == nil && r.Authorised && a.Kind != connector.RequestCharge {
		err = errors.New("only a charge can be authorised")
	}
	if err != nil {
		return connector.Result{}, err
	}
	return r, nil
}

// statusFault says why nothing can be read of a status.
func (a result) statusFault() error {
	switch {
	case a.Status == statusDeclined && a.Decline != nil:
		return errors.New("decline.reason is missing")
	case a.Status == statusDeclined:
		return errors.New("decline is missing, although the status is declined")
	case a.Status == statusAction && a.Kind == connector.RequestCharge:
		return errors.New("action is missing, although the status is action_required")
	case a.Status == statusAction:
		return errors.New("only a charge can be action_required")
	}
	return errors.New("status is not one of the contract's")
}

// moved checks that what was moved is what was requested. It returns the amount if the payer entered it, else zero.
func (a result) moved() (money.Amount, error) {
	if a.Amount == nil {
		return money.Amount{}, errors.New("amount is missing")
	}
	moved, err := a.Amount.parse()
	switch {
	case err != nil:
		return money.Amount{}, errors.New("amount can't be read")
	case a.Requested == nil:
		return moved, nil
	case !a.Requested.is(moved):
		requested, _ := a.Requested.parse()
		return money.Amount{}, connector.OtherAmountError{Moved: moved, Requested: requested, Approved: true}
	}
	return money.Amount{}, nil
}

// is reports whether it is the same amount.
func (a *amount) is(other money.Amount) bool {
	parsed, err := a.parse()
	return err == nil && parsed == other
}

// isGiven reports whether there is a refusal with a reason.
func (d *refusal) isGiven() bool { return d != nil && d.Reason != "" }

// decline is the result of a decline or refusal. A reason that is not known is an unexplained one.
func (d *refusal) decline() connector.Result {
	r := connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: d.Reason, Code: d.Code, Reason: d.Words,
		ReasonLanguage: d.Language}
	if !d.Reason.Known() {
		r.ReasonCode = reason.Declined
	}
	return r
}

// isObject reports whether JSON is neither absent nor null.
func isObject(text json.RawMessage) bool { return len(text) > 0 && string(text) != "null" }

// elsewhere is what was done to a charge without a request of the service.
type elsewhere struct {
	What   string  `json:"what"`   // one of doneElsewhere
	ID     string  `json:"id"`     // the provider's, of that refund, dispute or other thing
	Code   string  `json:"code"`   // the provider's
	Amount *amount `json:"amount"` // nil: all that was captured

	Stage connector.Stage `json:"stage"` // of a chargeback; "": received
	At    time.Time       `json:"at"`    // of a dispute; zero: not known
}
