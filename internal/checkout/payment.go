package checkout

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Status is where a payment stands (decisions.md 5).
type Status string

// The statuses of a payment.
const (
	StatusPrepare    Status = "prepare"
	Status3DS        Status = "3ds"
	StatusRedirect   Status = "redirect"
	StatusPending    Status = "pending" // authorised, waiting for capture or confirmation
	StatusSettled    Status = "settled"
	StatusDecline    Status = "decline"
	StatusRefund     Status = "refund" // fully
	StatusReversal   Status = "reversal"
	StatusVoid       Status = "void"
	StatusChargeback Status = "chargeback"
)

// moves is every change that a payment may make, whatever door it comes in by (decisions.md 5).
var moves = map[Status][]Status{
	StatusPrepare:  {Status3DS, StatusRedirect, StatusPending, StatusSettled, StatusDecline},
	Status3DS:      {StatusPending, StatusSettled, StatusDecline},
	StatusRedirect: {StatusPending, StatusSettled, StatusDecline},
	StatusPending:  {StatusSettled, StatusVoid, StatusDecline},
	StatusSettled:  {StatusSettled, StatusRefund, StatusVoid, StatusChargeback, StatusReversal},
}

// Payment is one attempt to pay a session.
type Payment struct {
	ID          string    `json:"id"` // UUID
	SessionID   string    `json:"session_id"`
	MerchantKey string    `json:"merchant_key"`
	Mapping     string    `json:"mapping"`
	Attempt     string    `json:"attempt"` // the page's own id of this attempt
	Operation   string    `json:"operation"`
	Auth        bool      `json:"auth,omitempty"` // authorise only
	Order       Order     `json:"order"`
	Amount      string    `json:"amount"` // decimal text with all of the currency's decimals
	Method      string    `json:"method"`
	Connector   string    `json:"connector"`
	MID         string    `json:"mid"`
	Status      Status    `json:"status"`
	Reason      string    `json:"reason,omitempty"` // of a decline
	CreatedAt   time.Time `json:"created_at"`
	ChangedAt   time.Time `json:"changed_at"` // of the last move

	CustomData     json.RawMessage `json:"custom_data,omitempty"` // as in SessionRequest
	Customer       Customer        `json:"customer"`
	BillingAddress Address         `json:"billing_address"`
	PayerIP        string          `json:"payer_ip,omitempty"`
	Card           *CardView       `json:"card,omitempty"` // once the card was opened

	Job  *Job      `json:"job,omitempty"`  // what a provider still has to be asked; nil: nothing
	Next *NextStep `json:"next,omitempty"` // where the payer has to go, in status 3ds or redirect

	ProviderID   string        `json:"provider_id,omitempty"` // the provider's own name of the payment
	RRN          string        `json:"rrn,omitempty"`
	ApprovalCode string        `json:"approval_code,omitempty"`
	Transactions []Transaction `json:"transactions,omitempty"`
	Callbacks    int           `json:"callbacks,omitempty"` // how many were made; the next one's number is one more

	version int64
}

// Transaction is one thing that was asked of the provider and its end.
type Transaction struct {
	Type   string    `json:"type"`   // sale, capture, refund, void, ...
	Status string    `json:"status"` // success, fail
	Date   time.Time `json:"date"`
	Amount string    `json:"amount"` // decimal text
}

// CardView is as much of a card as may be kept and shown.
type CardView struct {
	Mask        string `json:"mask"` // 6 digits, 6 stars, 4 digits
	ExpiryMonth int    `json:"expiry_month"`
	ExpiryYear  int    `json:"expiry_year"`
}

// NextStep is where the payer has to go before the provider decides.
type NextStep struct {
	Kind Status `json:"kind"` // Status3DS or StatusRedirect
	URL  string `json:"url"`
}

// Job is one question to a provider. It is stored before the question is
// asked and gone when the answer is stored.
type Job struct {
	Reference string    `json:"reference"` // our own, the same for every repeat
	CardName  string    `json:"card_name,omitempty"`
	Sealed    *Sealed   `json:"sealed,omitempty"`
	AskedAt   time.Time `json:"asked_at,omitzero"`  // of the latest question; zero: nothing was sent
	Answered  bool      `json:"answered,omitempty"` // whoever asked is done, without a yes or no
	Tries     int       `json:"tries,omitempty"`    // questions and look-ups that brought no answer
}

// move changes the status if the table of moves has it, and says so if not.
func (p *Payment) move(to Status, now time.Time) error {
	if !slices.Contains(moves[p.Status], to) {
		return fmt.Errorf("payment %s may not go from %s to %s", p.ID, p.Status, to)
	}
	p.Status, p.ChangedAt = to, now
	return nil
}

// Over reports whether a payment's status is one that no provider's answer to its charge can change.
func (p *Payment) Over() bool {
	switch p.Status {
	case StatusPrepare, Status3DS, StatusRedirect:
		return false
	}
	return true
}
