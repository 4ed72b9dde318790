package card

import (
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/store"
)

// Saved is a card that can be charged again by its token (protocol.md, Saved cards). It belongs to a merchant in
// one mode, ends when the card expires, and never holds a security code.
type Saved struct {
	Token string `json:"token"` // 64 random characters
	fault.Owner
	View      View       `json:"view"`
	Holder    string     `json:"holder,omitempty"` // the name on the card
	Encrypted *Encrypted `json:"encrypted,omitempty"`
	CreatedAt time.Time  `json:"created_at"`
	// NetworkTransactionID is the card scheme's id of the payment that saved the card, "" if its provider gave none.
	NetworkTransactionID string `json:"network_transaction_id,omitempty"`
	// RemovedAt is when the payer removed the card, zero if they did not. It is charged no more then, but by the chains
	// that have begun with it.
	RemovedAt time.Time `json:"removed_at,omitzero"`

	version int64 // of the stored document; 0: not stored yet
}

// AssociatedData returns the text that the card is encrypted with, so that it can be decrypted for this merchant and
// token only.
func (c *Saved) AssociatedData() string { return "saved/" + c.Owner.Text() + "/" + c.Token }

// ExpiredTTL is how long a token stays stored after its card has expired, so that it is reported as expired rather
// than unknown.
const ExpiredTTL = 90 * 24 * time.Hour

// Record returns the saved card as it is stored.
func (c *Saved) Record() store.Record {
	r := store.Encode(store.SavedCardKey(c.Token), c.version, c)
	r.ExpiresAt = c.Ends().Add(ExpiredTTL)
	return r
}

// Complete implements store.Shortened.
func (c *Saved) Complete(r store.Record) error {
	c.version = r.Version
	return nil
}

// Ends returns the time when the card expires.
func (c *Saved) Ends() time.Time {
	return method.CardEnds(c.View.ExpiryMonth, c.View.ExpiryYear)
}
