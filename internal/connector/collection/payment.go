package collection

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// variant is a row of the specification's variants.
type variant struct {
	method string
	kind   string // the field type
	market string // that the specification prints; "": the MID's
	widget bool   // redirectUrl is sent, for the provider's widget
	payer  string // the extra field, which the payer fills in: clientTaxId, clientname or bankDetails
}

var variants = []variant{
	{"instant_qr", "PIX", "BR", false, ""},
	{"offline_transfer_a", "OFFLINE", "", true, "clientTaxId"},
	{"offline_transfer_b", "OFFLINE", "", true, "clientname"},
	{"offline_transfer_c", "OFFLINE", "", true, "clientname"},
	{"offline_transfer_d", "OFFLINE", "", true, "clientTaxId"},
	{"offline_service", "OFFLINE_SERVICE_PAYMENT", "", true, ""},
	{"instant_transfer", "SPEI", "", true, ""},
	{"pull_bank", "PULL", "", false, "bankDetails"},
	{"pull_wallet", "PULL", "", false, "bankDetails"},
}

// payment is the body of a payment, with the fields in the order of the specification.
type payment struct {
	Amount       json.Number `json:"amount"`
	ExpiryDate   string      `json:"expiryDate"`
	CallbackURL  string      `json:"callbackUrl"`
	Reference    string      `json:"reference"`
	MerchantType string      `json:"merchantType"`
	MerchantName string      `json:"merchantName"`
	AccountID    string      `json:"accountId"`
	Market       string      `json:"market"`
	Type         string      `json:"type"`
	Currency     string      `json:"currency"`
	RedirectURL  string      `json:"redirectUrl,omitempty"`
	payer
}

// payer is what the payer has filled in, as parameters and requests both have it.
type payer struct {
	ClientTaxID string       `json:"clientTaxId,omitempty"`
	ClientName  string       `json:"clientname,omitempty"`
	BankDetails *bankDetails `json:"bankDetails,omitempty"`
}

// bankDetails is where a pull takes the money from. Account and OTP are of the second form.
type bankDetails struct {
	CBU         string `json:"cbu,omitempty"`
	Alias       string `json:"alias,omitempty"`
	PhoneNumber string `json:"phoneNumber,omitempty"`
	Account     string `json:"account,omitempty"`
	OTP         string `json:"otp,omitempty"`
}

// paymentOf returns the body of a charge.
func paymentOf(c connector.Charge) (payment, error) {
	i := slices.IndexFunc(variants, func(v variant) bool { return v.method == c.Method })
	if i < 0 {
		return payment{}, fmt.Errorf("%w: the family has no method %s", connector.ErrNotSent, c.Method)
	}
	v := variants[i]
	p := payment{
		Amount: json.Number(c.Amount.String()), ExpiryDate: c.ExpiresAt.UTC().Format(time.RFC3339),
		Reference: c.Reference, Market: v.market, Type: v.kind, Currency: c.Amount.Currency().Code,
	}
	if err := p.fillFromMID(c.ProviderRequest); err != nil {
		return payment{}, err
	}
	if v.widget {
		p.RedirectURL = c.ReturnURL
	}
	var err error
	p.payer, err = v.payerOf(c.Parameters)
	return p, err
}

// fillFromMID sets the fields that are of the MID.
func (p *payment) fillFromMID(r connector.ProviderRequest) error {
	if p.Market == "" {
		if err := provider.RequireCredentials(r.Credentials, "market"); err != nil {
			return err
		}
		p.Market = r.Credentials["market"]
	}
	p.MerchantName, p.MerchantType = r.Credentials["merchant_name"], r.Credentials["merchant_type"]
	p.AccountID = r.Credentials["account_id"]
	p.CallbackURL = provider.NoticeURL(r, r.Credentials["secret"])
	return provider.RequireCredentials(r.Credentials, "secret", "merchant_name", "merchant_type", "account_id")
}

// payerOf returns what the variant's payer has filled in.
func (v variant) payerOf(parameters json.RawMessage) (payer, error) {
	var all, kept payer
	if len(parameters) > 0 && json.Unmarshal(parameters, &all) != nil {
		return payer{}, fmt.Errorf("%w: the parameters can't be read", connector.ErrNotSent)
	}
	switch v.payer {
	case "clientTaxId":
		kept.ClientTaxID = all.ClientTaxID
	case "clientname":
		kept.ClientName = all.ClientName
	case "bankDetails":
		kept.BankDetails = all.BankDetails
	}
	return kept, nil
}
