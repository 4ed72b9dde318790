package connector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/store"
)

// entry is what the books say of one reference. Amounts are decimal texts of
// the charge's currency, "" for none.
type entry struct {
	Kind      checkout.JobKind `json:"kind"`
	Reference string           `json:"reference"`
	PaymentID string           `json:"payment_id"`
	SessionID string           `json:"session_id"`
	Operation string           `json:"operation,omitempty"`
	Amount    string           `json:"amount"` // that was asked for
	Currency  string           `json:"currency"`
	Next      checkout.Status  `json:"next,omitempty"` // the step that the payer has to take, "" if none is left
	Then      checkout.Outcome `json:"then,omitempty"` // what a confirmed step leads to
	Outcome   checkout.Outcome `json:"outcome"`        // OutcomePending while a step is left
	Reason    string           `json:"reason,omitempty"`
	Soft      bool             `json:"soft,omitempty"`
	Charges   int              `json:"charges"` // how often it was carried out: never more than 1
	CreatedAt time.Time        `json:"created_at"`
	DecidedAt time.Time        `json:"decided_at"` // nothing is known before
	ReturnURL string           `json:"return_url,omitempty"`

	// Of a charge alone.
	Auth       bool                        `json:"auth,omitempty"` // only authorised
	Authorised string                      `json:"authorised,omitempty"`
	Captured   string                      `json:"captured,omitempty"`
	Refunded   string                      `json:"refunded,omitempty"`
	Voided     bool                        `json:"voided,omitempty"`
	TakenBack  checkout.Outcome            `json:"taken_back,omitempty"`  // OutcomeChargeback or OutcomeReversal
	CapturedBy string                      `json:"captured_by,omitempty"` // the reference of the capture
	Follow     map[checkout.JobKind]ending `json:"follow,omitempty"`      // what becomes of its captures, voids and refunds
	Coin       *coin                       `json:"coin,omitempty"`
	Entered    bool                        `json:"entered,omitempty"`  // the payer entered Amount on the sandbox's page
	Received   string                      `json:"received,omitempty"` // of Coin: all that has arrived
	Late       bool                        `json:"late,omitempty"`     // a part of Received came when the time to pay was over

	// Of a capture, void or refund: the reference of its charge.
	Charged string `json:"charged,omitempty"`
}

// booksKept is how long after its last change the sandbox forgets a reference.
const booksKept = 400 * 24 * time.Hour

// maxReference bounds what is looked for in the books, since anybody may name
// a reference. Ours are UUIDs, or little longer.
const maxReference = 64

// booksKey is where the books of a reference are. "" is the kind of a charge.
func booksKey(kind checkout.JobKind, reference string) store.Key {
	if kind == "" || kind == checkout.JobCharge {
		return store.Key{Partition: "sandbox/" + reference, Sort: string(checkout.JobCharge)}
	}
	return store.Key{Partition: "sandbox-" + string(kind) + "/" + reference, Sort: string(kind)}
}

func (s *Sandbox) get(ctx context.Context, keys ...store.Key) ([]store.Record, error) {
	records, err := s.Store.Get(ctx, s.Now(), keys...)
	if err != nil {
		return nil, fmt.Errorf("read sandbox books: %w", err)
	}
	return records, nil
}

func (s *Sandbox) save(ctx context.Context, records ...store.Record) error {
	if err := s.Store.Save(ctx, s.Now(), records...); err != nil {
		return fmt.Errorf("write sandbox books: %w", err)
	}
	return nil
}

// read answers what the books say of a reference, version 0 if nothing.
func (s *Sandbox) read(ctx context.Context, kind checkout.JobKind, reference string) (e entry, version int64, err error) {
	if len(reference) > maxReference {
		return e, 0, nil
	}
	records, err := s.get(ctx, booksKey(kind, reference))
	if err != nil {
		return e, 0, err
	}
	e, err = decode(records[0])
	return e, records[0].Version, err
}

func decode(r store.Record) (e entry, err error) {
	if r.Version > 0 {
		err = json.Unmarshal(r.Doc, &e)
	}
	return e, err
}

// record is an entry as the store keeps it.
func (s *Sandbox) record(e entry, version int64) store.Record {
	doc, err := json.Marshal(e)
	if err != nil {
		panic("marshal an entry of the sandbox: " + err.Error())
	}
	return store.Record{Key: booksKey(e.Kind, e.Reference), Version: version, Doc: doc, ExpiresAt: s.Now().Add(booksKept)}
}

func isConflict(err error) bool {
	var conflict *store.ConflictError
	return errors.As(err, &conflict)
}

// approved reports whether the charge was, and anybody can know it.
func (e entry) approved(now time.Time) bool {
	return e.Outcome == checkout.OutcomeApproved && !now.Before(e.DecidedAt)
}

// take books an approved charge: authorised, and where that is not all, captured.
func (e *entry) take() {
	e.Authorised = e.Amount
	if !e.Auth {
		e.Captured = e.Amount
	}
}

// settled reports whether the sandbox has money of the charge that a bank could take back.
func (e entry) settled(now time.Time) bool {
	return e.approved(now) && !e.Voided && e.TakenBack == 0 && e.Captured != "" && more(e.Captured, e.Refunded)
}

// more reports whether a is more than b. What is no amount counts as none.
func more(a, b string) bool { return exact(a).Cmp(exact(b)) > 0 }

// plus adds two amounts, with as many decimals as the longer one has.
func plus(a, b string) string {
	return new(big.Rat).Add(exact(a), exact(b)).FloatString(max(decimals(a), decimals(b)))
}

func exact(text string) *big.Rat {
	number, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return number
}

func decimals(text string) int {
	_, after, _ := strings.Cut(text, ".")
	return len(after)
}
