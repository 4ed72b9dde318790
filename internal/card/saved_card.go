package card

import (
	"time"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Saved is a card that may be charged again by its token (core.md,
// req_token, card_token). It belongs to a
// merchant in one mode, ends with the card
// and never holds a security code.
type Saved struct {
	Token string `json:"token"` // 64 characters that nobody can guess
	request.Owner
	View      View       `json:"view"`
	Holder    string     `json:"holder,omitempty"` // the name on the card
	Encrypted *Encrypted `json:"kept,omitempty"`
	CreatedAt time.Time  `json:"created_at"`
}

// AssociatedData is what a kept card is bound to, so that it opens for no other merchant and token.
func (c *Saved) AssociatedData() string { return "saved/" + c.Owner.Text() + "/" + c.Token }

// ExpiredTTL is how much longer than its card a token is remembered, so that it can be called expired.
const ExpiredTTL = 90 * 24 * time.Hour

// Record is the saved card as a store keeps it.
func (c *Saved) Record() store.Record {
	r := store.Encode(store.SavedCardKey(c.Token), 0, c)
	r.ExpiresAt = c.Ends().Add(ExpiredTTL)
	return r
}

// Ends is when the card is good no more.
func (c *Saved) Ends() time.Time {
	return method.CardEnds(c.View.ExpiryMonth, c.View.ExpiryYear)
}
