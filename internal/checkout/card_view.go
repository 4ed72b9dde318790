package checkout

import "fmt"

// CardView is as much of a card as may be kept and shown.
type CardView struct {
	Mask        string `json:"mask"` // 6 digits, 6 stars, 4 digits
	ExpiryMonth int    `json:"expiry_month"`
	ExpiryYear  int    `json:"expiry_year"`
}

// expiry is the card's expiry as MM/YYYY.
func (c *CardView) expiry() string {
	return fmt.Sprintf("%02d/%04d", c.ExpiryMonth, c.ExpiryYear)
}

func viewCard(card Card) *CardView {
	return &CardView{Mask: mask(card.Number), ExpiryMonth: card.ExpiryMonth, ExpiryYear: card.ExpiryYear}
}

func mask(number string) string { return number[:6] + "******" + number[len(number)-4:] }
