package walletapp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// payment is the body of a charge, in the printed order (protocol.md, Requests to providers).
type payment struct {
	PartnerID     string `json:"partnerId"`
	PayerID       string `json:"payerId"`
	TransactionID string `json:"transactionId"` // our reference
	Order         order  `json:"order"`
	PayType       int    `json:"payType"`
	PayMethod     int    `json:"payMethod"`
	CallbackURL   string `json:"callbackUrl"`
	ReturnURL     string `json:"returnUrl,omitempty"`
	DeclineURL    string `json:"declineUrl,omitempty"`
	CancelURL     string `json:"cancelUrl,omitempty"`
	Service       string `json:"service"`
	Language      string `json:"language"`
	Signature     string `json:"Signature"`
}

type order struct {
	Amount   json.Number `json:"amount"`
	Currency int         `json:"currency"` // numeric code of ISO 4217, without zeros before it
}

// The values of a payment from a wallet's balance.
const (
	payTypePayment = 0
	payMethod      = 2
)

// signed are the fields that the signature is over, in their order.
func (p payment) signed() []field {
	return []field{
		{"partnerId", p.PartnerID}, {"payerId", p.PayerID}, {"transactionId", p.TransactionID},
		{"order.amount", p.Order.Amount.String()}, {"order.currency", strconv.Itoa(p.Order.Currency)},
		{"payType", strconv.Itoa(p.PayType)}, {"payMethod", strconv.Itoa(p.PayMethod)}, {"callbackUrl", p.CallbackURL},
		{"returnUrl", p.ReturnURL}, {"declineUrl", p.DeclineURL}, {"cancelUrl", p.CancelURL},
		{"service", p.Service}, {"language", p.Language},
	}
}

// payment returns the body of a charge. It fails with connector.ErrNotSent if something is missing.
func (m mid) payment(c connector.Charge) (payment, error) {
	if err := provider.RequireCredentials(c.Credentials, "service"); err != nil {
		return payment{}, err
	}
	payer, err := payerOf(c)
	if err != nil {
		return payment{}, err
	}
	currency, err := strconv.Atoi(c.Amount.Currency().Numeric)
	if err != nil || c.NoticeURL == "" {
		return payment{}, fmt.Errorf("%w: there is no numeric currency or no notice address", connector.ErrNotSent)
	}
	p := payment{
		PartnerID: m.partner, PayerID: payer, TransactionID: c.Reference,
		Order:   order{json.Number(c.Amount.String()), currency},
		PayType: payTypePayment, PayMethod: payMethod, CallbackURL: provider.NoticeURL(c.ProviderRequest, m.secret),
		ReturnURL: c.ReturnURL, DeclineURL: c.ReturnURL, CancelURL: c.ReturnURL,
		Service: c.Credentials["service"], Language: languageOf(c),
	}
	p.Signature = sign(m.secret, p.signed())
	return p, nil
}

// payerOf returns the phone number that the payer has the app on.
func payerOf(c connector.Charge) (string, error) {
	var sent struct {
		Phone string `json:"phone"`
	}
	if err := json.Unmarshal(c.Parameters, &sent); err != nil || sent.Phone == "" {
		return "", fmt.Errorf("%w: there is no phone number", connector.ErrNotSent)
	}
	return sent.Phone, nil
}

// languageOf returns the payer's language as a tag of RFC 3066: that of the page or of the billing address, as far as
// the request names them, or that of the MID, or English.
func languageOf(c connector.Charge) string {
	tag := cmp.Or(c.Language, c.BillingAddress.Language, c.Credentials["language"], "en")
	return strings.ReplaceAll(tag, "_", "-")
}
