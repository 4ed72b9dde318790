package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/store"
)

// entry is what the ledger has of one reference.
type entry struct {
	Kind        checkout.JobKind `json:"kind"`
	Reference   string           `json:"reference"`
	PaymentID   string           `json:"payment_id"`
	SessionID   string           `json:"session_id"`
	Operation   method.Operation `json:"operation,omitempty"`
	Amount      money.Amount     `json:"amount"`                 // that was requested, or that the payer entered
	Currency    string           `json:"currency"`               // of all amounts
	PayerEnters bool             `json:"payer_enters,omitempty"` // enters Amount, which is zero before
	Next        checkout.Status  `json:"next,omitempty"`         // what the payer has to do, "" if nothing is left
	Then        checkout.Outcome `json:"then,omitempty"`         // what it leads to if the payer does it
	Outcome     checkout.Outcome `json:"outcome"`                // OutcomePending while Next is left
	Reason      string           `json:"reason,omitempty"`
	Soft        bool             `json:"soft,omitempty"`
	Charges     int              `json:"charges"` // how often it was done: never more than 1
	CreatedAt   time.Time        `json:"created_at"`
	DecidedAt   time.Time        `json:"decided_at"` // nothing is known before
	ReturnURL   string           `json:"return_url,omitempty"`
	NoticeURL   string           `json:"notice_url,omitempty"`

	// Of a charge alone.
	Auth       bool                        `json:"auth,omitempty"` // only authorised
	Authorised money.Amount                `json:"authorised,omitzero"`
	Captured   money.Amount                `json:"captured,omitzero"`
	Refunded   money.Amount                `json:"refunded,omitzero"`
	Voided     bool                        `json:"voided,omitempty"`
	Disputed   checkout.Outcome            `json:"disputed,omitempty"`    // OutcomeChargeback or OutcomeReversal
	CapturedBy string                      `json:"captured_by,omitempty"` // the reference of the capture
	FollowUps  map[checkout.JobKind]ending `json:"follow_ups,omitempty"`  // of its captures, voids and refunds
	Coin       *coin                       `json:"coin,omitempty"`
	Received   money.Amount                `json:"received,omitzero"` // of Coin: what all that has arrived is worth
	Late       bool                        `json:"late,omitempty"`    // a part of Received was too late

	// Of a capture, void or refund: the reference of its charge.
	OriginalReference string `json:"original_reference,omitempty"`
}

// ledgerTTL is how long after its last change an entry is stored.
const ledgerTTL = 400 * 24 * time.Hour

// maxReference bounds what is looked for in the ledger, since anybody may name
// a reference. Ours are UUIDs, or little longer.
const maxReference = 64

// ledgerKey is the key of a reference's entry. "" is the kind of a charge.
func ledgerKey(kind checkout.JobKind, reference string) store.Key {
	if kind == "" || kind == checkout.JobCharge {
		return store.Key{Partition: "sandbox/" + reference, Sort: string(checkout.JobCharge)}
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

// conflicts is the error of a change that others came between too often.
func conflicts() error { return fmt.Errorf("write sandbox ledger: %w", store.ErrConflicts) }

// read returns the entry of a reference, version 0 if there is none.
func (s *Sandbox) read(
	ctx context.Context, kind checkout.JobKind, reference string,
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

func isConflict(err error) bool {
	var conflict *store.ConflictError
	return errors.As(err, &conflict)
}

// approved reports whether the charge was, and anybody can know it.
func (e entry) approved(now time.Time) bool {
	return e.Outcome == checkout.OutcomeApproved && !now.Before(e.DecidedAt)
}

// take enters what an approved charge takes: all is authorised, and where that is not the end, captured.
func (e *entry) take() {
	e.Authorised = e.Amount
	if !e.Auth {
		e.Captured = e.Amount
	}
}

// settled reports whether the sandbox has money of the charge that a bank could reverse.
func (e entry) settled(now time.Time) bool {
	return e.approved(now) && !e.Voided && e.Disputed == 0 && !e.Captured.IsZero() && e.Refunded != e.Captured
}

// sum adds two amounts of one currency, of which either may have none.
func sum(a, b money.Amount) (money.Amount, error) {
	switch {
	case a == money.Amount{}:
		return b, nil
	case b == money.Amount{}:
		return a, nil
	}
	return a.Add(b)
}
