package checkout

import (
	"cmp"
	"errors"
)

// ProviderData is what a provider says of a payment beside a yes or no. What it has not said is "".
type ProviderData struct {
	ProviderID     string `json:"provider_id,omitempty"` // its own name of the payment
	ExtraID        string `json:"extra_id,omitempty"`    // a second one
	RRN            string `json:"rrn,omitempty"`
	ApprovalCode   string `json:"approval_code,omitempty"`
	IssuerCountry  string `json:"issuer_country,omitempty"`
	IssuerBank     string `json:"issuer_bank,omitempty"`
	ExchangeRate   string `json:"exchange_rate,omitempty"` // of a crypto payment, with the two currencies' amounts
	ExchangeBase   string `json:"exchange_base,omitempty"`
	ExchangeCoin   string `json:"exchange_coin,omitempty"`
	ExchangeAmount string `json:"exchange_amount,omitempty"`
}

// texts are all of its texts.
func (d *ProviderData) texts() []*string {
	return []*string{
		&d.ProviderID, &d.ExtraID, &d.RRN, &d.ApprovalCode, &d.IssuerCountry, &d.IssuerBank,
		&d.ExchangeRate, &d.ExchangeBase, &d.ExchangeCoin, &d.ExchangeAmount,
	}
}

// merge stores what a provider says now. What it does not say stays as it was.
func (d *ProviderData) merge(said ProviderData) {
	now := said.texts()
	for i, known := range d.texts() {
		*known = cmp.Or(*now[i], *known)
	}
}

// What comes from outside is bounded before it is stored or logged: nobody
// may make a document too large to be stored. In characters, but for links.
const (
	maxResultText = 255     // of each of a provider's texts
	maxCode       = 64      // of a provider's code
	maxShown      = 20      // of what a payer is shown to pay with, entries
	maxLink       = 8 << 10 // bytes of a link, and of each value that a payer is shown
)

var errTooLong = errors.New("the provider's response has a value that is too long")
