package checkout

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
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

// moves are all changes of status that are allowed, whatever causes them (decisions.md 5).
var moves = map[Status][]Status{
	StatusPrepare:  {Status3DS, StatusRedirect, StatusPending, StatusSettled, StatusDecline},
	Status3DS:      {StatusPending, StatusSettled, StatusDecline},
	StatusRedirect: {StatusPending, StatusSettled, StatusDecline},
	StatusPending:  {StatusSettled, StatusVoid, StatusDecline},
	StatusSettled:  {StatusSettled, StatusRefund, StatusVoid, StatusChargeback, StatusReversal},
	StatusDecline:  {StatusSettled, StatusPending}, // by a person alone: see acceptApproval
	StatusRefund:   {StatusSettled},                // if the refund fails after its success
	StatusVoid:     {StatusSettled, StatusPending}, // if the void does

	StatusChargeback: {StatusSettled, StatusRefund}, // a dispute that was won
}

// Payment is one attempt to pay a session, a payout of a credit with a saved
// card, or a later payment of a recurring chain; the last two have no session.
type Payment struct {
	ID        string `json:"id"` // UUID
	SessionID string `json:"session_id,omitempty"`
	request.Details
	request.Options
	ChargeTerms
	ChainLink
	Apart     bool         `json:"apart,omitempty"`      // parameters of Method are stored apart
	TokenSent bool         `json:"token_sent,omitempty"` // the merchant sent the wallet's token with the session
	Amount    money.Amount `json:"amount"`               // zero until the payer has entered it at the provider
	Status    Status       `json:"status"`
	CreatedAt time.Time    `json:"created_at"`
	ChangedAt time.Time    `json:"changed_at,omitzero"` // time of the last move
	Card      *card.View   `json:"card,omitempty"`      // once the card was decrypted
	PayeeCard *card.View   `json:"payee_card,omitempty"`

	Reason     string            `json:"reason,omitempty"` // of a decline, for the merchant
	ReasonCode screen.ReasonCode `json:"reason_code,omitempty"`

	VAT *money.Amount `json:"vat,omitempty"` // nil: none is calculated

	Jobs   []Job           `json:"jobs,omitempty"`  // requests to the provider whose outcome is not known
	Action *RequiredAction `json:"next,omitempty"`  // what the payer has to do before the charge is decided
	Shown  []screen.Shown  `json:"shown,omitempty"` // such as the address for a crypto payment

	Received *Received `json:"received,omitempty"` // the money that arrived, if that is known

	// Until the charge is decided:
	Browser request.Browser `json:"browser,omitzero"`  // the payer's
	Entered []EnteredValue  `json:"entered,omitempty"` // in the described fields of second forms

	// The card that the payment saves.
	CardToSave *card.Saved `json:"keep,omitempty"`       // until the charge is decided
	CardToken  string      `json:"card_token,omitempty"` // if the merchant requested one

	Captured        money.Amount `json:"captured,omitzero"` // once settled
	ChargeReference string       `json:"charged,omitempty"` // of the charge, once it is decided
	ProviderData

	Transactions []Transaction `json:"transactions,omitempty"`
	Moves        []statusMove  `json:"moves,omitempty"`     // every change of Status, oldest first
	Callbacks    int           `json:"callbacks,omitempty"` // how many were made, and the number of the latest
	Dispute      Status        `json:"dispute,omitempty"`   // of a refunded or voided payment, if that fails later
	Acts         []Act         `json:"acts,omitempty"`      // what operators have asked for, oldest first

	version    int64          // of the stored document; 0: not stored yet
	storedCard bool           // the stored document has a sealed card
	apart      map[string]any // parameters of Method that are stored apart, once they were read
}

// ChargeTerms is how a payment is charged: at which MID, with which card and by whose consent. Later payments of its
// recurring chain have the same terms.
type ChargeTerms struct {
	Mapping            string `json:"mapping"` // name of the protocol mapping
	MID                string `json:"mid"`
	Connector          string `json:"connector"`
	Method             string `json:"method"`
	PayerIP            string `json:"payer_ip,omitempty"`
	SavedCard          string `json:"saved_card,omitempty"` // token of the card that is charged or was saved
	InitialTransaction string `json:"first,omitempty"`      // of a later payment: the provider's id of the initial one
	// InitialNetworkID is the card scheme's id of the payment that the card was stored with: of a later payment and of one
	// with a saved card. It stays when the payment goes to another MID.
	InitialNetworkID string `json:"first_network_id,omitempty"`
	ConsentID        string `json:"consent_id,omitempty"`
	ConsentState     string `json:"consent_state,omitempty"`
}

// ChainLink ties a payment to the recurring chain that it begins or belongs to.
type ChainLink struct {
	Recurring      bool   `json:"recurring,omitempty"` // it is a later payment of the chain
	Chain          string `json:"chain,omitempty"`     // id of the chain's initial payment
	RecurringToken string `json:"recurring_token,omitempty"`
	RetriedBy      string `json:"retried_by,omitempty"` // id of the payment that retries this one
	// StartsSchedule, of a later payment: its chain gets the schedule when it settles.
	StartsSchedule bool `json:"starts_schedule,omitempty"`
}

// statusMove is a change of a payment's status.
type statusMove struct {
	To Status    `json:"to"`
	At time.Time `json:"at"`
}

// mapping returns the name of the payment's mapping, "" for nil.
func (p *Payment) mapping() string {
	if p == nil {
		return ""
	}
	return p.Mapping
}

// move changes the status. It fails if the table of moves does not allow that.
func (p *Payment) move(to Status, now time.Time) error {
	if !slices.Contains(moves[p.Status], to) {
		return fmt.Errorf("payment %s may not go from %s to %s", p.ID, p.Status, to)
	}
	if p.Status != to {
		p.Moves = append(p.Moves, statusMove{to, now})
	}
	p.Status, p.ChangedAt = to, now
	return nil
}

// setCause stores the id of the API call that ctx belongs to in the jobs of a new payment.
func (p *Payment) setCause(ctx context.Context) {
	for i := range p.Jobs {
		p.Jobs[i].Cause = request.ID(ctx)
	}
}

// job returns the payment's job with a reference, nil if there is none.
func (p *Payment) job(reference string) *Job {
	i := slices.IndexFunc(p.Jobs, func(j Job) bool { return j.Reference == reference })
	if i < 0 {
		return nil
	}
	return &p.Jobs[i]
}

// message returns the queue message for the job with a reference.
func (p *Payment) message(reference string) JobMessage {
	return JobMessage{PaymentID: p.ID, SessionID: p.SessionID, Reference: reference, Test: p.Test}
}

// Charge returns the job of the charge, nil once the charge is decided.
func (p *Payment) Charge() *Job {
	i := slices.IndexFunc(p.Jobs, func(j Job) bool { return j.Kind == JobCharge })
	if i < 0 {
		return nil
	}
	return &p.Jobs[i]
}

// remove removes the job with a reference.
func (p *Payment) remove(reference string) {
	p.Jobs = slices.DeleteFunc(p.Jobs, func(j Job) bool { return j.Reference == reference })
}

// RefundAmounts returns the amounts of all refunds that succeeded or are in progress.
func (p *Payment) RefundAmounts() []money.Amount {
	var amounts []money.Amount
	for _, t := range p.Transactions {
		if t.Type == EventRefund && t.Status == Success {
			amounts = append(amounts, t.Amount)
		}
	}
	for _, j := range p.Jobs {
		if j.Kind == JobRefund {
			amounts = append(amounts, j.Amount)
		}
	}
	return amounts
}

// inProgress reports whether a request that the payment consists of has no outcome yet.
func (p *Payment) inProgress() bool {
	return slices.ContainsFunc(p.Jobs, func(j Job) bool { return j.Kind.ofPayment() })
}

// hasJob reports whether the payment has a job of that kind.
func (p *Payment) hasJob(kind JobKind) bool {
	return slices.ContainsFunc(p.Jobs, func(j Job) bool { return j.Kind == kind })
}

// unknownCurrency is the error for a currency that the service no longer knows.
func (p *Payment) unknownCurrency() error {
	return fmt.Errorf("payment %s has the unknown currency %q", p.ID, p.Order.Currency)
}

// Succeeded reports whether the payment was ever authorised or settled.
func (p *Payment) Succeeded() bool { return p.CountTransactions(p.EventType(JobCharge), Success) > 0 }

// CountTransactions counts the transactions of a type with a status.
func (p *Payment) CountTransactions(kind EventType, status TransactionStatus) int {
	n := 0
	for _, t := range p.Transactions {
		if t.Type == kind && t.Status == status {
			n++
		}
	}
	return n
}

// EventType returns the type that callbacks have for a job of the payment (decisions.md 6).
func (p *Payment) EventType(kind JobKind) EventType {
	switch {
	case kind != JobCharge:
		return EventType(kind)
	case p.Recurring:
		return EventRecurring
	case p.Operation == method.Purchase:
		return EventSale
	}
	return EventType(p.Operation)
}

// setReason sets the reason of a decline; nil removes it.
func (p *Payment) setReason(reason *screen.Reason) {
	p.Reason, p.ReasonCode = reason.Text(), reason.MerchantCode()
}

// jobEvent returns the event of a job, nil if the merchant is not told. That of a capture or refund has the job's own
// amount.
func (p *Payment) jobEvent(j Job, status TransactionStatus, reason *screen.Reason) *Event {
	if !j.Kind.ofPayment() {
		return nil
	}
	e := &Event{Type: p.EventType(j.Kind), Status: status, Reason: reason}
	if j.Kind == JobCapture || j.Kind == JobRefund {
		e.Amount = j.Amount
	}
	return e
}

// disputed reports whether the payment was charged back or reversed.
func (p *Payment) disputed() bool {
	return p.Status == StatusChargeback || p.Status == StatusReversal
}

// reversible reports whether the payer paid the merchant, who can refund or void that.
func (p *Payment) reversible() bool {
	return p.Operation == method.Purchase || p.Operation == method.Debit
}
