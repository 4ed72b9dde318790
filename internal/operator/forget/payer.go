package forget

import (
	"slices"
	"strings"

	"checkout/internal/checkout/payment"
	"checkout/internal/request"
)

// blankPayment blanks what a payment that has ended has of its payer and payee. Later refunds are made without it.
func blankPayment(p *payment.Payment) {
	p.Details = blank(p.Details)
	p.Parameters, p.StatedIP, p.PayerIP, p.PayerInput = nil, "", "", payment.PayerInput{}
	p.Fingerprint = ""
}

// blank returns the details of a request without what they have of payer and payee. Their countries stay.
func blank(d request.Details) request.Details {
	d.Parties = request.Parties{
		BillingAddress: request.Address{Country: d.BillingAddress.Country},
		Payee:          request.Payee{Address: request.Address{Country: d.Payee.Address.Country}},
	}
	d.CustomData = nil
	return d
}

// hasEnded reports whether nothing more is to become of a payment by itself: its outcome is known, and nothing is
// requested of the provider.
func hasEnded(p *payment.Payment) bool {
	open := []payment.Status{
		payment.StatusPrepare, payment.Status3DS, payment.StatusRedirect, payment.StatusPending,
	}
	return len(p.Jobs) == 0 && !slices.Contains(open, p.Status)
}

// isOf reports whether a payer or payee has an e-mail address.
func isOf(d request.Details, email string) bool {
	return email != "" && (strings.EqualFold(d.Customer.Email, email) || strings.EqualFold(d.Payee.Email, email))
}
