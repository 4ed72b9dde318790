package card

import "fmt"

// View is as much of a card as may be kept and shown.
type View struct {
	Mask        string `json:"mask"` // 6 digits, 6 stars, 4 digits
	ExpiryMonth int    `json:"expiry_month"`
	ExpiryYear  int    `json:"expiry_year"`
}

// Expiry is the card's expiry as MM/YYYY.
func (c *View) Expiry() string {
	return fmt.Sprintf("%02d/%04d", c.ExpiryMonth, c.ExpiryYear)
}

// NewView is what may be kept and shown of a card.
func NewView(card Card) *View {
	return &View{Mask: Mask(card.Number), ExpiryMonth: card.ExpiryMonth, ExpiryYear: card.ExpiryYear}
}

// Mask is a card number as it may be kept and shown: 6 digits, 6 stars, 4 digits.
func Mask(number string) string { return number[:6] + "******" + number[len(number)-4:] }
