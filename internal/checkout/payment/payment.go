// Package payment is what is stored of a payment and of the requests to providers that it leads to, its jobs: their
// statuses, states and moves, and what each result makes of them. What a payer and a merchant see of it, and the write
// that stores it, is in package checkout.
package payment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Status is where a payment stands (protocol.md, Statuses and moves).
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

// InSentence returns the status for the end of a sentence about a payment, such as "declined".
func (s Status) InSentence() string {
	words := map[Status]string{
		StatusPrepare: "in progress", Status3DS: "waiting for its payer", StatusRedirect: "waiting for its payer",
		StatusPending: "authorised or waiting", StatusSettled: "paid", StatusDecline: "declined",
		StatusRefund: "refunded in full", StatusReversal: "reversed", StatusVoid: "voided",
		StatusChargeback: "charged back",
	}
	return words[s]
}

// moves are all changes of status that are allowed, whatever causes them (protocol.md, Statuses and moves).
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
	TokenSent bool         `json:"token_sent,omitempty"` // the merchant sent the wallet's token with the session
	Amount    money.Amount `json:"amount"`               // zero until the payer has entered it at the provider
	Status    Status       `json:"status"`
	Times
	StoredReason // of a decline, for the merchant
	Cards
	VAT *money.Amount `json:"vat,omitempty"` // nil: none is calculated

	Jobs Jobs `json:"jobs,omitempty"` // requests to the provider whose outcome is not known
	Instructions

	Received *connector.Received `json:"received,omitempty"` // the money that arrived, if that is known

	PayerInput // until the charge is decided
	ChargeOutcome
	History
	Stored
}

// Times are when a payment was made, and when it last moved.
type Times struct {
	CreatedAt time.Time `json:"created_at"`
	ChangedAt time.Time `json:"changed_at,omitzero"`
}

// Instructions are what the payer has to do before the charge is decided, and what is shown for it.
type Instructions struct {
	Action *connector.RequiredAction `json:"action,omitempty"`
	Shown  []screen.Shown            `json:"shown,omitempty"` // such as the address for a crypto payment
}

// ChargeOutcome is what is known of the charge at its provider.
type ChargeOutcome struct {
	Captured        money.Amount `json:"captured,omitzero"`          // once settled
	ChargeReference string       `json:"charge_reference,omitempty"` // of the charge, once it is decided
	connector.ProviderData
}

// Stored is what is known of the stored document of a payment.
type Stored struct {
	Version    int64 `json:"-"` // 0: not stored yet
	storedCard bool  // it has a sealed card
}

// Cards are what is stored of the cards of a payment.
type Cards struct {
	Card        *card.View  `json:"card,omitempty"`             // once the card was decrypted
	Fingerprint string      `json:"card_fingerprint,omitempty"` // by which block lists know it again
	PayeeCard   *card.View  `json:"payee_card,omitempty"`
	CardToSave  *card.Saved `json:"card_to_save,omitempty"` // until the charge is decided
	CardToken   string      `json:"card_token,omitempty"`   // of the saved card, if the merchant requested one
}

// PayerInput is what providers may need of the payer beside the parameters.
type PayerInput struct {
	Browser request.Browser `json:"browser,omitzero"`
	Entered []EnteredValue  `json:"entered,omitempty"` // in the described fields of second forms
}

// History is what has become of a payment.
type History struct {
	Transactions Transactions `json:"transactions,omitempty"`
	Moves        []StatusMove `json:"moves,omitempty"`     // every change of Status, oldest first
	Callbacks    int          `json:"callbacks,omitempty"` // how many were made, and the number of the latest
	Dispute      Status       `json:"dispute,omitempty"`   // of a refunded or voided payment, if that fails later
	Acts         Acts         `json:"acts,omitempty"`

	EarlyDispute *EarlyDispute `json:"early_dispute,omitempty"` // until it is known that the payment was captured
	// ClosedCoins have arrived and do not count, and a person has said that nothing follows from that.
	ClosedCoins *money.Coins `json:"closed_coins,omitempty"`
}

// StoredReason is why something ended as it did.
type StoredReason struct {
	Reason     string      `json:"reason,omitempty"`
	ReasonCode reason.Code `json:"reason_code,omitempty"`
}

// stored returns what is stored of a reason, which may be nil.
func stored(reason *reason.Reason) StoredReason {
	return StoredReason{reason.Text(), reason.MerchantCode()}
}

// ChargeTerms is how a payment is charged: at which MID, with which card and by whose consent. Later payments of its
// recurring chain have the same terms.
type ChargeTerms struct {
	Mapping            string `json:"mapping"` // name of the protocol mapping
	MID                string `json:"mid"`
	Connector          string `json:"connector"`
	Method             string `json:"method"`
	PayerIP            string `json:"payer_ip,omitempty"`
	SavedCard          string `json:"saved_card,omitempty"`          // token of the card that is charged or was saved
	InitialTransaction string `json:"initial_transaction,omitempty"` // of a later payment: the initial one's id
	// InitialNetworkID is the card scheme's id of the payment that the card was stored with: of a later payment and of one
	// with a saved card. It stays when the payment goes to another MID.
	InitialNetworkID string `json:"initial_network_id,omitempty"`
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

// StatusMove is a change of a payment's status.
type StatusMove struct {
	To Status    `json:"to"`
	At time.Time `json:"at"`
}

// MappingName returns the name of the payment's mapping, "" for nil.
func (p *Payment) MappingName() string {
	if p == nil {
		return ""
	}
	return p.Mapping
}

// Move changes the status. It fails if the table of moves does not allow that.
func (p *Payment) Move(to Status, now time.Time) error {
	if !slices.Contains(moves[p.Status], to) {
		return fmt.Errorf("payment %s may not go from %s to %s", p.ID, p.Status, to)
	}
	if p.Status != to {
		p.Moves = append(p.Moves, StatusMove{to, now})
	}
	p.Status, p.ChangedAt = to, now
	return nil
}

// Disputed reports whether the payment was charged back or reversed.
func (p *Payment) Disputed() bool {
	return p.Status == StatusChargeback || p.Status == StatusReversal
}

// Reversible reports whether the payer paid the merchant, who can refund or void that.
func (p *Payment) Reversible() bool {
	return p.Operation == method.Purchase || p.Operation == method.Debit
}

// EnteredValue is what the payer filled in for a described field.
type EnteredValue struct {
	ID     string `json:"id"`
	Value  string `json:"value"`
	Secret bool   `json:"secret,omitempty"` // a code or password: masked in every text
}

// HasFilledForm reports whether the payer has filled in a second form.
func (p *Payment) HasFilledForm() bool {
	return p.Action != nil && p.Action.Step > 0 && !p.Action.HasForm()
}

// DigitalWallet returns the wallet that a payment was made with, "" for none, and what number it gave for the card, if
// that is known: in the card flow.
func (p *Payment) DigitalWallet() (wallet string, panType card.PANType) {
	if !method.IsWallet(p.Method) {
		return "", ""
	}
	if p.Card != nil {
		panType = p.Card.PANType
	}
	return p.Method, panType
}

// SetConsent stores whether the payer agreed to later charges. Without consent the payment is a one-time
// purchase without a token, a chain or a schedule.
func (p *Payment) SetConsent(given bool, random func(n int) []byte) {
	if given {
		p.ConsentID, p.ConsentState = store.NewUUID(random(16)), ConsentActive
		return
	}
	p.ReqToken, p.RecurringInit = false, false
	p.ScheduleID, p.ScheduleStart, p.ScheduleAmount = "", "", request.Amount{}
}

// CardName returns the name on the card: the payee's of a credit, else the customer's.
func (p *Payment) CardName() string {
	if p.Operation == method.Credit {
		return p.Payee.Name
	}
	return p.Customer.Name
}

// The states of a payer's consent to later charges (protocol.md, Recurring payments).
const (
	ConsentActive    = "active"
	ConsentCancelled = "cancelled" // the chain was stopped
)

// SentParameters returns the parameters of the chosen method that the merchant sent or the payer typed, without files
// once the charge is decided.
func (p *Payment) SentParameters() (map[string]any, error) {
	all := map[string]map[string]any{}
	if p.Parameters != nil {
		if err := json.Unmarshal(p.Parameters, &all); err != nil {
			return nil, fmt.Errorf("stored parameters of payment %s can't be read", p.ID)
		}
	}
	return all[p.Method], nil
}

// Undecided reports whether it is not known yet if the charge succeeds.
func (p *Payment) Undecided() bool { return p.Jobs.Charge() != nil }

// SessionRequest returns the part of the session request that the payment has.
func (p *Payment) SessionRequest() *request.Session {
	return &request.Session{Details: p.Details, Options: p.Options}
}

// ErrNotFound returns the error for an unknown payment.
func ErrNotFound() *fault.Error {
	return fault.RefuseAs(fault.CodeNotFound, fault.NumberPaymentNotFound, "Payment not found")
}

// Log adds the ids of a payment and its session to the request's log line.
func Log(ctx context.Context, p *Payment) {
	note := fault.NoteOf(ctx)
	note.Session, note.Payment = store.PublicID(p.SessionID), p.ID
}
