package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/store"
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

// ledgerTTL is how long after its last change an entry is stored.
const ledgerTTL = 400 * 24 * time.Hour

// maxReference limits the length of a reference that is looked up in the ledger, because anybody may name one. Ours
// are UUIDs, or little longer.
const maxReference = 64

// ledgerKey is the key of a reference's entry. Both "" and JobCharge are the kind of a charge.
func ledgerKey(kind connector.RequestKind, reference string) store.Key {
	if kind == "" || kind == connector.RequestCharge {
		return store.Key{Partition: "sandbox/" + reference, Sort: string(connector.RequestCharge)}
	}
	return store.Key{Partition: "sandbox-" + string(kind) + "/" + reference, Sort: string(kind)}
}

func (s *Sandbox) get(ctx context.Context, keys ...store.Key) ([]store.Record, error) {
	records, err := s.Store.Get(ctx, s.Now(), keys...)
	if err != nil {
		return nil, fmt.Errorf("read sandbox ledger: %w", err)
	}
	return records, nil
}

func (s *Sandbox) save(ctx context.Context, records ...store.Record) error {
	if err := s.Store.Save(ctx, s.Now(), records...); err != nil {
		return fmt.Errorf("write sandbox ledger: %w", err)
	}
	return nil
}

// update is a change of the ledger.
func (s *Sandbox) update() store.Update {
	return store.Update{Doing: "write sandbox ledger", Store: s.Store, Now: s.Now}
}

// read returns the entry of a reference, with version 0 if there is none.
func (s *Sandbox) read(
	ctx context.Context, kind connector.RequestKind, reference string,
) (e entry, version int64, err error) {
	if len(reference) > maxReference {
		return e, 0, nil
	}
	records, err := s.get(ctx, ledgerKey(kind, reference))
	if err != nil {
		return e, 0, err
	}
	e, err = decode(records[0])
	return e, records[0].Version, err
}

func decode(r store.Record) (e entry, err error) {
	if r.Version == 0 {
		return e, nil
	}
	if err := json.Unmarshal(r.Doc, &e); err != nil {
		return e, err
	}
	currency, _ := money.Find(e.Currency)
	for _, amount := range []*money.Amount{&e.Amount, &e.Authorised, &e.Captured, &e.Refunded, &e.Received} {
		if *amount, err = amount.In(currency); err != nil {
			return e, fmt.Errorf("amount of the sandbox ledger: %w", err)
		}
	}
	return e, nil
}

// record is an entry as it is stored.
func (s *Sandbox) record(e entry, version int64) store.Record {
	e.Currency = e.Amount.Currency().Code
	doc, err := json.Marshal(e)
	if err != nil {
		panic("marshal an entry of the sandbox: " + err.Error())
	}
	return store.Record{Key: ledgerKey(e.Kind, e.Reference), Version: version, Doc: doc, ExpiresAt: s.Now().Add(ledgerTTL)}
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

// sum adds two amounts of one currency. An amount without a currency counts as zero.
func sum(a, b money.Amount) (money.Amount, error) {
	switch {
	case a == money.Amount{}:
		return b, nil
	case b == money.Amount{}:
		return a, nil
	}
	return a.Add(b)
}
