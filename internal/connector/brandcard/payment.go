package brandcard

import (
	"encoding/json"
	"fmt"

	"checkout/internal/connector"
)

// payment is the body of a charge (protocol.md, Requests to providers).
type payment struct {
	Order         order   `json:"order"`
	TransactionID string  `json:"transaction_id"` // our reference
	SuccessURL    string  `json:"success_url"`
	ErrorURL      string  `json:"error_url"`
	PaymentType   string  `json:"payment_type,omitempty"`  // of the virtual flow alone: the wallet
	PaymentToken  string  `json:"payment_token,omitempty"` // of the virtual flow alone: the wallet's token
	Card          *number `json:"card,omitempty"`          // of a card that the payer typed in
	Customer      payer   `json:"customer"`
	Billing       billing `json:"billing_address"`
	Subdomain     string  `json:"subdomain,omitempty"`
	PayerIP       string  `json:"payer_ip,omitempty"`
}

type order struct {
	Amount   json.Number `json:"amount"`
	Currency string      `json:"currency"`
}

type number struct {
	Number string `json:"number"`
	Month  string `json:"expiry_month"` // two digits
	Year   string `json:"expiry_year"`  // four digits
	CVV    string `json:"cvv"`
}

type payer struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

type billing struct {
	Address string `json:"address,omitempty"`
	Country string `json:"country,omitempty"`
	State   string `json:"state,omitempty"`
	City    string `json:"city,omitempty"`
	Zip     string `json:"zip,omitempty"`
	Phone   string `json:"phone,omitempty"`
}

// refund is the body of a refund.
type refund struct {
	Order         order  `json:"order"`
	TransactionID string `json:"transaction_id"` // our reference of the refund
	Payment       string `json:"payment"`        // and that of the charge
}

func paymentOf(c connector.Charge) payment {
	p := payment{
		Order: orderOf(c.ProviderRequest), TransactionID: c.Reference,
		SuccessURL: c.ReturnURL, ErrorURL: c.ReturnURL,
		Customer: payer{c.Customer.Name, c.Customer.Email},
		Billing: billing{
			Address: c.BillingAddress.Address, Country: c.BillingAddress.Country, State: c.BillingAddress.State,
			City: c.BillingAddress.City, Zip: c.BillingAddress.Zip, Phone: c.BillingAddress.Phone,
		},
		Subdomain: c.Credentials["subdomain"], PayerIP: c.PayerIP,
	}
	if c.Wallet != nil { // in the virtual flow: the declaration has no other
		p.PaymentType, p.PaymentToken = c.Wallet.Kind, c.Wallet.Token
		return p
	}
	p.Card = &number{
		Number: c.Card.Number, Month: fmt.Sprintf("%02d", c.Card.ExpiryMonth),
		Year: fmt.Sprintf("%04d", c.Card.ExpiryYear), CVV: c.Card.SecurityCode,
	}
	return p
}

func refundOf(r connector.ProviderRequest) refund {
	return refund{Order: orderOf(r), TransactionID: r.Reference, Payment: r.OriginalReference}
}

func orderOf(r connector.ProviderRequest) order {
	return order{json.Number(r.Amount.String()), r.Amount.Currency().Code}
}
