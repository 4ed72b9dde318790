package mobilemoney

import (
	"encoding/json"
	"fmt"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// charge is the body of a charge.
type charge struct {
	Reference   string `json:"reference"`
	Order       order  `json:"order"`
	Payer       payer  `json:"payer"`
	CallbackURL string `json:"callback_url,omitempty"`
	RedirectURL string `json:"redirect_url,omitempty"`
	BearsFee    bool   `json:"merchant_bears_fee"`
}

type order struct {
	Amount      json.Number `json:"amount"`
	Currency    string      `json:"currency"`
	Description string      `json:"description,omitempty"`
}

type payer struct {
	Email string `json:"email"`
	Name  string `json:"name,omitempty"`
	Phone string `json:"phone"`
}

// chargeOf returns the body of a charge.
func chargeOf(c connector.Charge) (charge, error) {
	var parameters struct {
		Phone string `json:"phone"`
	}
	if len(c.Parameters) > 0 && json.Unmarshal(c.Parameters, &parameters) != nil {
		return charge{}, fmt.Errorf("%w: the parameters can't be read", connector.ErrNotSent)
	}
	body := charge{
		Reference:   c.Reference,
		Order:       order{json.Number(c.Amount.String()), c.Amount.Currency().Code, c.Description},
		Payer:       payer{c.Customer.Email, c.Customer.Name, parameters.Phone},
		RedirectURL: c.ReturnURL,
	}
	if secret := c.Credentials["secret"]; secret != "" { // without one, no notice could be believed
		body.CallbackURL = provider.NoticeURL(c.ProviderRequest, secret)
	}
	switch c.Credentials["merchant_bears_fee"] {
	case "", "false":
	case "true":
		body.BearsFee = true
	default:
		return charge{}, fmt.Errorf("%w: the MID's credential merchant_bears_fee is neither true nor false",
			connector.ErrNotSent)
	}
	return body, nil
}
