package story

import (
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
)

// HandlesOf returns what people may have in their hands of a payment, by the kind: each kind of handle, and the
// public part of its session's id. Those that it does not have are left out. cause is the id of a merchant's API call.
func HandlesOf(p *payment.Payment, session, cause string) map[string]string {
	today := p.CreatedAt.UTC().Format(time.DateOnly)
	handles := map[string]string{
		"order number": p.Order.Number, "payment id": p.ID, "session id": session, "public session id": session[:32],
		"e-mail": strings.ToUpper(p.Customer.Email), "RRN": p.RRN, "provider's id": p.ProviderID,
		"amount": p.Amount.String() + " usd " + today, "webhook-id": callback.WebhookID(p.ID, 1), "request id": cause,
		"card token": p.CardToken, "name": strings.ToUpper(p.Customer.Name), "IP address": p.PayerIP,
		"phone number": p.BillingAddress.Phone, "session's request": p.RequestID,
	}
	for _, t := range p.Transactions {
		if t.Reference != p.ID {
			handles[string(t.Type)+" reference"] = t.Reference
		}
	}
	if p.Card != nil {
		handles["mask"] = p.Card.Mask + " " + today
		handles["last four"] = p.Card.Mask[len(p.Card.Mask)-4:] + " " + today
	}
	if p.ApprovalCode != "" {
		handles["approval code"] = strings.ToLower(p.ApprovalCode) + " " + today
	}
	for kind, value := range handles {
		if value == "" {
			delete(handles, kind)
		}
	}
	return handles
}
