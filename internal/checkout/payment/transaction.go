package payment

import (
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Transaction is a request to the provider and its outcome.
type Transaction struct {
	Type      EventType         `json:"type"`
	Status    TransactionStatus `json:"status"`
	Date      time.Time         `json:"date"` // when it ended
	Amount    money.Amount      `json:"amount"`
	Reference string            `json:"reference,omitempty"`
	MID       string            `json:"mid,omitempty"`
	Connector string            `json:"connector,omitempty"`
	Code      string            `json:"code,omitempty"`      // the provider's
	SentAt    time.Time         `json:"sent_at,omitzero"`    // when it was last sent; zero: never
	LookUps   int               `json:"look_ups,omitempty"`  // how often it was looked up
	Elsewhere bool              `json:"elsewhere,omitempty"` // the provider did it without a request; Reference is its id

	SucceededAt time.Time `json:"succeeded_at,omitzero"` // of a refund or void that failed later

	Sending
	connector.Authentication // of a charge
	DisputeStage             // of a chargeback

	StoredReason // of a fail, an overpayment, a dispute or a decision

	Decision *Decision `json:"decision,omitempty"` // of a person, if nobody else knew the outcome

	// Of a contradiction, which has the reference of the request that it is about: what was reported of an approval.
	Authorised bool                    `json:"authorised,omitempty"`
	Reported   *connector.ProviderData `json:"reported,omitempty"`
	AboutCharge
}

// AboutCharge is what a give-back is about.
type AboutCharge struct {
	About string `json:"about,omitempty"` // reference of the charge
	// Coins are those that had not counted: of a give-back those that were returned, of a charge those that count since a
	// person has accepted them.
	Coins *money.Coins `json:"coins,omitempty"`
}

// Sending is how a request came to be sent, and what went wrong with that.
type Sending struct {
	Cause   string `json:"cause,omitempty"`   // of what followed a charge: id of the API call that asked for it, if known
	Trouble string `json:"trouble,omitempty"` // why its outcome was not known at first, for operators
}

// DisputeStage is how far a dispute has come by what its provider has told.
type DisputeStage struct {
	Stage   connector.Stage `json:"stage,omitempty"`   // "": received, or won if the chargeback does not count
	StageAt time.Time       `json:"stage_at,omitzero"` // as the provider says; zero: not known
}

// Ended returns what a result says of a transaction.
func Ended(status TransactionStatus, now time.Time, result connector.Result, reason *reason.Reason) Transaction {
	t := Transaction{Status: status, Date: now, Code: result.Code, Authentication: result.Authentication}
	return t.because(reason)
}

// because returns the transaction with its reason, which may be nil.
func (t Transaction) because(reason *reason.Reason) Transaction {
	t.StoredReason = stored(reason)
	return t
}
