package checkout

import (
	"cmp"
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

// moves is every change that a payment may make, whatever door it comes in by (decisions.md 5).
var moves = map[Status][]Status{
	StatusPrepare:  {Status3DS, StatusRedirect, StatusPending, StatusSettled, StatusDecline},
	Status3DS:      {StatusPending, StatusSettled, StatusDecline},
	StatusRedirect: {StatusPending, StatusSettled, StatusDecline},
	StatusPending:  {StatusSettled, StatusVoid, StatusDecline},
	StatusSettled:  {StatusSettled, StatusRefund, StatusVoid, StatusChargeback, StatusReversal},
}

// Payment is one attempt to pay a session, a payout of a credit with a saved
// card, or a later payment of a recurring chain; the last two have no session.
type Payment struct {
	ID        string `json:"id"` // UUID
	SessionID string `json:"session_id,omitempty"`
	request.Details
	request.Options
	Terms
	ChainLink
	Amount    money.Amount  `json:"amount"` // zero until a payer who enters it at the provider has
	Status    Status        `json:"status"`
	Reason    string        `json:"reason,omitempty"` // of a decline
	Soft      bool          `json:"soft,omitempty"`   // of a decline: another try may succeed
	CreatedAt time.Time     `json:"created_at"`
	ChangedAt time.Time     `json:"changed_at,omitzero"` // of the last move
	Card      *card.View    `json:"card,omitempty"`      // once the card was opened
	PayeeCard *card.View    `json:"payee_card,omitempty"`
	VAT       *money.Amount `json:"vat,omitempty"` // nil: none is calculated

	Jobs   []Job           `json:"jobs,omitempty"`  // what a provider still has to be asked; none: nothing
	Action *RequiredAction `json:"next,omitempty"`  // what the payer has to do first, while the charge waits for it
	Shown  []screen.Shown  `json:"shown,omitempty"` // what the payer was shown to pay with elsewhere

	Received *Received `json:"received,omitempty"` // what arrived of it, where that is known

	// A saved card and a recurring chain: what was asked for and what came of it.
	CardToSave *card.Saved `json:"keep,omitempty"`       // until the charge is decided
	CardToken  string      `json:"card_token,omitempty"` // that the merchant was given

	Captured        money.Amount `json:"captured,omitzero"` // what was taken, once settled
	ChargeReference string       `json:"charged,omitempty"` // the reference of the charge, once it is decided
	ProviderData

	Transactions []Transaction `json:"transactions,omitempty"`
	Moves        []Move        `json:"moves,omitempty"`     // every change of Status, the first one first
	Callbacks    int           `json:"callbacks,omitempty"` // how many were made; the next one's number is one more

	version    int64 // as it was read or written; 0: not stored yet
	storedCard bool  // that version has something sealed
}

// Terms is what a payment is charged by, and the later ones of its chain too: where, with which card and whose consent.
type Terms struct {
	Mapping            string `json:"mapping"` // name of the protocol mapping
	MID                string `json:"mid"`
	Connector          string `json:"connector"`
	Method             string `json:"method"`
	PayerIP            string `json:"payer_ip,omitempty"`
	SavedCard          string `json:"saved_card,omitempty"` // the token of the card that is charged, or was saved
	InitialTransaction string `json:"first,omitempty"`      // of later payments: the provider's own name of the first
	ConsentID          string `json:"consent_id,omitempty"`
	ConsentState       string `json:"consent_state,omitempty"`
}

// ChainLink ties a payment to the recurring chain that it begins or belongs to.
type ChainLink struct {
	Recurring      bool   `json:"recurring,omitempty"` // a later payment of the chain
	Chain          string `json:"chain,omitempty"`     // the id of the chain's first payment
	RecurringToken string `json:"recurring_token,omitempty"`
	StartsSchedule bool   `json:"starts_schedule,omitempty"` // of a later payment: its chain gets a schedule when it settles
	RetriedBy      string `json:"retried_by,omitempty"`      // the payment that tries a soft decline again
}

// Move is a change of a payment's status.
type Move struct {
	To Status    `json:"to"`
	At time.Time `json:"at"`
}

// mapping is the name of the payment's mapping, "" for no payment.
func (p *Payment) mapping() string {
	if p == nil {
		return ""
	}
	return p.Mapping
}

// move changes the status if the table of moves has it, and says so if not.
func (p *Payment) move(to Status, now time.Time) error {
	if !slices.Contains(moves[p.Status], to) {
		return fmt.Errorf("payment %s may not go from %s to %s", p.ID, p.Status, to)
	}
	if p.Status != to {
		p.Moves = append(p.Moves, Move{to, now})
	}
	p.Status, p.ChangedAt = to, now
	return nil
}

// setCause notes with the jobs of a new payment which API call leads to them.
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

// message names one of the payment's jobs.
func (p *Payment) message(reference string) JobMessage {
	return JobMessage{PaymentID: p.ID, SessionID: p.SessionID, Reference: reference}
}

// Charge returns the payment's charge while it is not decided, nil after that.
func (p *Payment) Charge() *Job {
	i := slices.IndexFunc(p.Jobs, func(j Job) bool { return j.Kind == JobCharge })
	if i < 0 {
		return nil
	}
	return &p.Jobs[i]
}

// drop takes a job away that is done.
func (p *Payment) remove(reference string) {
	p.Jobs = slices.DeleteFunc(p.Jobs, func(j Job) bool { return j.Reference == reference })
}

// Left is what of the captured amount is neither refunded nor
// asked to be: a refund whose outcome is unknown holds its part.
func (p *Payment) Refundable() (money.Amount, error) {
	left := p.Captured
	if left.IsZero() {
		return left, fmt.Errorf("nothing of payment %s was captured", p.ID)
	}
	for _, part := range p.RefundAmounts() {
		if part.Currency() != left.Currency() {
			return left, fmt.Errorf("a refund of payment %s has another currency", p.ID)
		}
		var err error
		if left, err = left.Sub(part); err != nil {
			return left, fmt.Errorf("refunds of payment %s: %w", p.ID, err)
		}
	}
	return left, nil
}

// GivenBack returns the amounts of all refunds that were done or may be.
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

// asks reports whether the payment has a job of that kind.
func (p *Payment) hasJob(kind JobKind) bool {
	return slices.ContainsFunc(p.Jobs, func(j Job) bool { return j.Kind == kind })
}

// unknownCurrency is the error of a payment whose currency the service does not know any more.
func (p *Payment) unknownCurrency() error {
	return fmt.Errorf("payment %s has the unknown currency %q", p.ID, p.Order.Currency)
}

// Succeeded reports whether the payer's money was taken or authorised at some time.
func (p *Payment) Succeeded() bool { return p.CountTransactions(p.EventType(JobCharge), Success) > 0 }

// CountTransactions counts those of a type that ended in a way.
func (p *Payment) CountTransactions(kind EventType, status TransactionStatus) int {
	n := 0
	for _, t := range p.Transactions {
		if t.Type == kind && t.Status == status {
			n++
		}
	}
	return n
}

// transaction completes the end of a job by what was asked of whom.
func (p *Payment) transaction(job Job, end Transaction) Transaction {
	end.Type, end.Amount, end.Reference = p.EventType(job.Kind), cmp.Or(job.Amount, p.Amount), job.Reference
	end.MID, end.Connector, end.SentAt, end.LookUps = p.MID, p.Connector, job.SentAt, job.LookUps
	return end
}

// EventType is what callbacks call a job of the payment (decisions.md 6).
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

// eventOf is what the merchant is told of a job. Those of captures and refunds name their own amount.
func (p *Payment) jobEvent(j Job, status TransactionStatus, reason string) *Event {
	e := &Event{Type: p.EventType(j.Kind), Status: status, Reason: reason}
	if j.Kind == JobCapture || j.Kind == JobRefund {
		e.Amount = j.Amount
	}
	return e
}

// wasTakenBack reports whether the payer's bank or the provider took the money back.
func (p *Payment) disputed() bool {
	return p.Status == StatusChargeback || p.Status == StatusReversal
}

// declined reports whether what was asked under a reference was declined.
func (p *Payment) wasDeclined(reference string) bool {
	return slices.ContainsFunc(p.Transactions, func(t Transaction) bool { return t.Reference == reference && t.Status == Fail })
}

// declinedCharges counts the MIDs that declined the charge.
func (p *Payment) declinedCharges() int {
	n := 0
	for _, t := range p.Transactions {
		if t.Type == p.EventType(JobCharge) {
			n++
		}
	}
	return n
}

// done takes a job away and keeps its end among the transactions.
func (p *Payment) finish(job Job, end Transaction) {
	p.remove(job.Reference)
	p.Transactions = append(p.Transactions, p.transaction(job, end))
}

// answered reports whether the payer has filled in the second form that the payment asked for.
func (p *Payment) hasFilledForm() bool {
	return p.Action != nil && p.Action.Step > 0 && !p.Action.hasForm()
}

// reversible reports whether money came from the payer to the merchant, who can give it back.
func (p *Payment) reversible() bool {
	return p.Operation == method.Purchase || p.Operation == method.Debit
}
