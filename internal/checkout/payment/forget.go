package payment

import (
	"slices"
	"strings"

	"checkout/internal/request"
)

// Forget blanks what a payment that has ended has of its payer and payee. The country stays. A later refund is made
// without these values.
func (p *Payment) Forget() {
	p.Details = Forgotten(p.Details)
	p.Parameters, p.StatedIP, p.PayerIP, p.PayerInput = nil, "", "", PayerInput{}
}

// Forgotten returns the details of a request without what they have of payer and payee.
func Forgotten(d request.Details) request.Details {
	d.Parties = request.Parties{
		BillingAddress: request.Address{Country: d.BillingAddress.Country},
		Payee:          request.Payee{Address: request.Address{Country: d.Payee.Address.Country}},
	}
	d.CustomData = nil
	return d
}

// HasEnded reports whether nothing more is to become of the payment by itself: its outcome is known, and nothing is
// requested of the provider.
func (p *Payment) HasEnded() bool {
	return len(p.Jobs) == 0 && !slices.Contains([]Status{StatusPrepare, Status3DS, StatusRedirect, StatusPending}, p.Status)
}

// IsOf reports whether a payer or payee has an e-mail address.
func IsOf(d request.Details, email string) bool {
	return email != "" && (strings.EqualFold(d.Customer.Email, email) || strings.EqualFold(d.Payee.Email, email))
}
