package settings

import "checkout/internal/method"

// Offer is where the page offers a method of a MID.
type Offer struct {
	Method string `json:"method"`
	method.Market
}

// Offers are those of a MID, at most one for each method.
type Offers []Offer

// MarketOf returns where the page offers a method: as its offer says, else as the catalogue does.
func (all Offers) MarketOf(m method.Method) method.Market {
	for _, offer := range all {
		if offer.Method == m.ID {
			return offer.Market
		}
	}
	return m.Where()
}
