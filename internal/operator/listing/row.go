// Package listing lists payments for operators, and finds them by what people have in their hands. Its documents are
// made of those of orders, by one function, and can be made anew at any time: nothing is in them alone. They have no
// card number, no security code and no token.
package listing

import (
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// Row is what a list shows of a payment, or of a session that nobody has tried to pay yet. Such a session is listed by
// the id of its first payment.
type Row struct {
	Owner     string `json:"-"` // live/<merchant id> or test/<merchant id>; in the key
	PaymentID string `json:"-"` // in the key

	Order        string                `json:"order"`
	Amount       string                `json:"amount,omitempty"` // "" until the payer has entered it
	Currency     string                `json:"currency"`
	Refunded     string                `json:"refunded,omitempty"` // so far; "": nothing
	Status       payment.Status        `json:"status,omitempty"`   // "" for a session
	Session      checkout.SessionState `json:"session,omitempty"`  // of a session, as it is stored
	OpenUntil    time.Time             `json:"open_until,omitzero"`
	ReasonCode   reason.Code           `json:"reason_code,omitempty"`
	Operation    method.Operation      `json:"operation"`
	Method       string                `json:"method,omitempty"`
	MID          string                `json:"mid,omitempty"`
	Country      string                `json:"country,omitempty"` // of the billing address, or else of the card
	Card         string                `json:"card,omitempty"`    // its mask
	ApprovalCode string                `json:"approval_code,omitempty"`
	Email        string                `json:"email,omitempty"`
	CreatedAt    time.Time             `json:"created_at"`
	ChangedAt    time.Time             `json:"changed_at,omitzero"`
	Callbacks    callback.State        `json:"callbacks,omitempty"` // the worst: parked, waiting, delivered

	// Seen is the sum of the versions of the documents that the row is made of, which only grows.
	Seen int64 `json:"seen,omitempty"`
	// What was stored for the payment before its row: find entries, and lines of the journal with a hash of them all.
	Handles   []string `json:"handles,omitempty"`
	Lines     int      `json:"lines,omitempty"`
	LinesHash string   `json:"lines_hash,omitempty"`
}

// Complete implements store.Shortened.
func (r *Row) Complete(of store.Record) (err error) {
	r.Owner, r.PaymentID, err = store.RowOf(of.Key)
	return err
}

// LastFour returns the last four digits of the row's card, "" if there is none.
func (r *Row) LastFour() string {
	if len(r.Card) < 4 {
		return ""
	}
	return r.Card[len(r.Card)-4:]
}

// HasAmount reports whether the row's amount is what a person has written: 12.5 is 12.50.
func (r *Row) HasAmount(text string) bool {
	currency, _ := money.Find(r.Currency)
	amount, err := money.Parse(text, currency)
	return err == nil && amount.String() == r.Amount
}

// newerThan reports whether the row was made of later documents than another one of the same payment.
func (r *Row) newerThan(other *Row) bool {
	if (r.Status == "") != (other.Status == "") {
		return r.Status != ""
	}
	return r.Seen > other.Seen
}

// Line is a line of the journal: one transaction, as it ended. Totals and exports are made of lines.
type Line struct {
	Merchant string `json:"merchant,omitempty"` // in the key, as the mode
	Mode     string `json:"mode,omitempty"`     // live or test

	PaymentID    string                    `json:"payment_id"`
	Order        string                    `json:"order"`
	Type         payment.EventType         `json:"type"`
	Status       payment.TransactionStatus `json:"status"`
	At           time.Time                 `json:"at"`
	Amount       string                    `json:"amount"`
	Currency     string                    `json:"currency"`
	Moved        string                    `json:"moved,omitempty"` // from the payer; negative: to payer or payee
	Method       string                    `json:"method"`
	MID          string                    `json:"mid,omitempty"`
	Connector    string                    `json:"connector,omitempty"`
	Reference    string                    `json:"reference,omitempty"`
	ProviderID   string                    `json:"provider_id,omitempty"`   // of a charge that has succeeded
	ApprovalCode string                    `json:"approval_code,omitempty"` // likewise
	ReasonCode   reason.Code               `json:"reason_code,omitempty"`
}

// Complete implements store.Shortened.
func (l *Line) Complete(of store.Record) error {
	l.Mode, l.Merchant, _ = strings.Cut(store.LineOwner(of.Key), "/")
	return nil
}
