package brandcard

import (
	"encoding/json"
	"fmt"

	"checkout/internal/checkout"
)

// payment is the body of a charge (methods.md, Connector-style request sets, 3).
type payment struct {
	Order         order   `json:"order"`
	TransactionID string  `json:"transaction_id"` // our reference
	SuccessURL    string  `json:"success_url"`
	ErrorURL      string  `json:"error_url"`
	PaymentType   string  `json:"payment_type,omitempty"` // of the virtual flow alone
	Card          *number `json:"card,omitempty"`         // of the card flow alone
	Customer      payer   `json:"customer"`
	Billing       billing `json:"billing_address"`
	Subdomain     string  `json:"subdomain,omitempty"`
	PayerIP       string  `json:"payer_ip"`
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
	Name  string `json:"name"`
	Email string `json:"email"`
}

type billing struct {
	Address string `json:"address"`
	Country string `json:"country"`
	State   string `json:"state,omitempty"`
	City    string `json:"city"`
	Zip     string `json:"zip"`
	Phone   string `json:"phone,omitempty"`
}

// refund is the body of a refund.
type refund struct {
	Order         order  `json:"order"`
	TransactionID string `json:"transaction_id"` // our reference of the refund
	Payment       string `json:"payment"`        // and that of the charge
}

// paymentTypeValue is the key of the payment type among a charge's sealed values. A charge that has one and no card
// number is one of the virtual flow.
const paymentTypeValue = "payment_type"

func paymentOf(c checkout.Charge) payment {
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
	if c.Card.Number == "" {
		p.PaymentType = c.Card.Values[paymentTypeValue]
		return p
	}
	p.Card = &number{
		Number: c.Card.Number, Month: fmt.Sprintf("%02d", c.Card.ExpiryMonth),
		Year: fmt.Sprintf("%04d", c.Card.ExpiryYear), CVV: c.Card.SecurityCode,
	}
	return p
}

func refundOf(r checkout.ProviderRequest) refund {
	return refund{Order: orderOf(r), TransactionID: r.Reference, Payment: r.OriginalReference}
}

func orderOf(r checkout.ProviderRequest) order {
	return order{json.Number(r.Amount.String()), r.Amount.Currency().Code}
}
