package connector

import "cmp"

// ProviderData is what a provider reports of a payment beside the outcome. What it did not report is "".
type ProviderData struct {
	ProviderID     string `json:"provider_id,omitempty"` // its own id of the payment
	ExtraID        string `json:"extra_id,omitempty"`    // a second one
	RRN            string `json:"rrn,omitempty"`
	ApprovalCode   string `json:"approval_code,omitempty"`
	IssuerCountry  string `json:"issuer_country,omitempty"`
	IssuerBank     string `json:"issuer_bank,omitempty"`
	ExchangeRate   string `json:"exchange_rate,omitempty"` // of a crypto payment
	ExchangeBase   string `json:"exchange_base,omitempty"`
	ExchangeCoin   string `json:"exchange_coin,omitempty"`
	ExchangeAmount string `json:"exchange_amount,omitempty"`
	// NetworkTransactionID is the card scheme's id of the payment, which proves to the issuer that the payer agreed to
	// later charges of the card.
	NetworkTransactionID string `json:"network_transaction_id,omitempty"`
	Authentication
}

// Authentication is what 3-D Secure has said of the payer, as the provider reports it. What it did not report is "".
type Authentication struct {
	ECI            string `json:"eci,omitempty"`             // the electronic commerce indicator, two digits
	LiabilityShift string `json:"liability_shift,omitempty"` // true if the issuer bears the loss of a fraud, else false
	ThreeDSVersion string `json:"three_ds_version,omitempty"`
	DSTransaction  string `json:"ds_transaction_id,omitempty"` // the directory server's id of the authentication
}

// texts returns all fields.
func (d *ProviderData) texts() []*string {
	return []*string{
		&d.ProviderID, &d.ExtraID, &d.RRN, &d.ApprovalCode, &d.IssuerCountry, &d.IssuerBank,
		&d.ExchangeRate, &d.ExchangeBase, &d.ExchangeCoin, &d.ExchangeAmount, &d.NetworkTransactionID,
		&d.ECI, &d.LiabilityShift, &d.ThreeDSVersion, &d.DSTransaction,
	}
}

// Merge replaces what the update reports. All other fields stay as they are.
func (d *ProviderData) Merge(update ProviderData) {
	texts := update.texts()
	for i, text := range d.texts() {
		*text = cmp.Or(*texts[i], *text)
	}
}

// Limits of what a provider sends, so that nobody can make a document too large to be stored. They count
// characters, except for links.
const (
	maxResultText = 255     // of each of a provider's texts
	MaxCode       = 64      // of a provider's code
	maxShown      = 20      // entries of RequiredAction.Show
	MaxLink       = 8 << 10 // bytes of a link, and of each value that a payer is shown
)
