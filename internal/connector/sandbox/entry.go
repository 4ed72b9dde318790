package sandbox

import (
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// entry is what the ledger contains about one reference.
type entry struct {
	Kind        connector.RequestKind `json:"kind"`
	Reference   string                `json:"reference"`
	PaymentID   string                `json:"payment_id"`
	SessionID   string                `json:"session_id"`
	Operation   method.Operation      `json:"operation,omitempty"`
	Method      string                `json:"method,omitempty"`
	Amount      money.Amount          `json:"amount"`                 // requested, or entered by the payer
	Currency    string                `json:"currency"`               // of all amounts
	PayerEnters bool                  `json:"payer_enters,omitempty"` // the payer enters Amount, which is zero until then
	Next        connector.ActionKind  `json:"next,omitempty"`         // the payer's required action, "" if none is left
	Then        connector.Outcome     `json:"then,omitempty"`         // the outcome if the payer takes it
	Outcome     connector.Outcome     `json:"outcome"`                // OutcomePending while Next is not ""
	Reason      string                `json:"reason,omitempty"`

	ReasonCode reason.Code `json:"reason_code,omitempty"` // of a decline whose code was asked for

	Charges   int       `json:"charges"` // how often it was executed: never more than 1
	CreatedAt time.Time `json:"created_at"`
	DecidedAt time.Time `json:"decided_at"` // the outcome is not reported before
	ReturnURL string    `json:"return_url,omitempty"`
	NoticeURL string    `json:"notice_url,omitempty"`

	// Of a charge alone.
	Auth       bool                             `json:"auth,omitempty"` // only authorised
	Authorised money.Amount                     `json:"authorised,omitzero"`
	Captured   money.Amount                     `json:"captured,omitzero"`
	Refunded   money.Amount                     `json:"refunded,omitzero"`
	Voided     bool                             `json:"voided,omitempty"`
	Disputed   connector.Outcome                `json:"disputed,omitempty"`    // OutcomeChargeback or OutcomeReversal
	CapturedBy string                           `json:"captured_by,omitempty"` // the reference of the capture
	FollowUps  map[connector.RequestKind]ending `json:"follow_ups,omitempty"`  // of its captures, voids and refunds
	Coin       *coin                            `json:"coin,omitempty"`
	Received   money.Amount                     `json:"received,omitzero"`   // the worth of the coins that have arrived
	Late       bool                             `json:"late,omitempty"`      // a part of Received was too late
	Scene      string                           `json:"scene,omitempty"`     // of scenes; "": a card's, or no action
	EndsAt     time.Time                        `json:"ends_at,omitzero"`    // of the time for the required action
	PaysLate   bool                             `json:"pays_late,omitempty"` // all arrives by itself after EndsAt
	WrongCodes int                              `json:"wrong_codes,omitempty"`

	// Of a capture, void or refund: the reference of its charge.
	OriginalReference string `json:"original_reference,omitempty"`
}

// coin is the coin of a crypto payment and the address that it is sent to.
type coin struct {
	Type    string `json:"type"`
	Network string `json:"network,omitempty"`
	Address string `json:"address"`
}

// at returns the entry with the end of its required action, if the time for that is over.
func (e entry) at(now time.Time) entry {
	if e.Next == "" || now.Before(e.EndsAt) {
		return e
	}
	if e.PaysLate {
		e.Received, e.Late = e.Amount, true
	}
	e.decline(e.lateReason(), e.EndsAt)
	return e
}

// decline ends the required action.
func (e *entry) decline(reason string, at time.Time) {
	e.Next, e.Outcome, e.Reason, e.DecidedAt = "", connector.OutcomeDeclined, reason, at
}

// settle ends the required action with the outcome that it leads to.
func (e *entry) settle(at time.Time) {
	e.Next, e.Outcome, e.DecidedAt = "", e.Then, at
	if e.Outcome == connector.OutcomeApproved {
		e.take()
	}
}

// approved reports whether the charge is approved and its outcome may be reported.
func (e entry) approved(now time.Time) bool {
	return e.Outcome == connector.OutcomeApproved && !now.Before(e.DecidedAt)
}

// take adds the amounts of an approved charge: all of it is authorised, and captured unless it is only an
// authorisation.
func (e *entry) take() {
	e.Authorised = e.Amount
	if !e.Auth {
		e.Captured = e.Amount
	}
}

// settled reports whether the sandbox has captured money of the charge that can be disputed.
func (e entry) settled(now time.Time) bool {
	return e.approved(now) && !e.Voided && e.Disputed == 0 && !e.Captured.IsZero() && e.Refunded != e.Captured
}

// lateReason is the reason of a charge that is declined because its time is over: "" if a part of the money arrived,
// since the payment shows that.
func (e entry) lateReason() string {
	if !e.Received.IsZero() {
		return ""
	}
	return tooLate
}

// reasonCode is the service's code of a decline, "" where the money that arrived explains it.
func (e entry) reasonCode() reason.Code {
	code, ok := reasonCodes[e.Reason]
	switch {
	case e.ReasonCode != "":
		return e.ReasonCode
	case !ok && e.Kind != connector.RequestCharge:
		return reason.NotAllowed
	}
	return code
}
