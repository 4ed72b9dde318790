package card

import "fmt"

// View is the part of a card that may be stored unencrypted and shown.
type View struct {
	Mask        string  `json:"mask"` // 6 digits, 6 stars, 4 digits
	ExpiryMonth int     `json:"expiry_month"`
	ExpiryYear  int     `json:"expiry_year"`
	PANType     PANType `json:"pan_type,omitempty"` // of a wallet's card
}

// Expiry returns the card's expiry as MM/YYYY.
func (c *View) Expiry() string {
	return fmt.Sprintf("%02d/%04d", c.ExpiryMonth, c.ExpiryYear)
}

// ShownMask returns the mask for the payer, "" for no card and for a device's number: the payer knows another one.
func (c *View) ShownMask() string {
	if c == nil || c.PANType == PANOfDevice {
		return ""
	}
	return c.Mask
}

// MaskText returns the card's mask, "" for no card.
func (c *View) MaskText() string {
	if c == nil {
		return ""
	}
	return c.Mask
}

// NewView returns the view of a card.
func NewView(card Card) *View {
	return &View{
		Mask: Mask(card.Number), ExpiryMonth: card.ExpiryMonth, ExpiryYear: card.ExpiryYear, PANType: card.PANType,
	}
}

// Mask returns a card number as it may be stored and shown: 6 digits, 6 stars, 4 digits.
func Mask(number string) string { return number[:6] + "******" + number[len(number)-4:] }
