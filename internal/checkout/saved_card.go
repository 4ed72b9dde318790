package checkout

import (
	"time"

	"checkout/internal/method"
)

// SavedCard is a card that may be charged again by its token (core.md,
// req_token, card_token). It belongs to a
// merchant in one mode, ends with the card
// and never holds a security code.
type SavedCard struct {
	Token string `json:"token"` // 64 characters that nobody can guess
	Owner
	View      CardView  `json:"view"`
	Holder    string    `json:"holder,omitempty"` // the name on the card
	Kept      *Kept     `json:"kept,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// bound is what a kept card is bound to, so that it opens for no other merchant and token.
func (c *SavedCard) bound() string { return "saved/" + c.Owner.text() + "/" + c.Token }

// expiredKept is how much longer than its card a token is remembered, so that it can be called expired.
const expiredKept = 90 * 24 * time.Hour

// record is the saved card as a store keeps it.
func (c *SavedCard) record() Record {
	r := encode(savedCardKey(c.Token), 0, c)
	r.ExpiresAt = c.ends().Add(expiredKept)
	return r
}

// ends is when the card is good no more.
func (c *SavedCard) ends() time.Time {
	return method.CardEnds(c.View.ExpiryMonth, c.View.ExpiryYear)
}
