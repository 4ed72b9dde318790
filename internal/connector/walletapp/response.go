package walletapp

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/reason"
)

// response is the body of responses and notices: what the provider has of a payment, signed, or a refusal.
type response struct {
	provider.Refusal
	PartnerID     string `json:"partnerId"`
	TransactionID string `json:"transactionId"`
	PaymentID     string `json:"paymentId"` // the provider's
	Order         struct {
		Amount   json.Number `json:"amount"`
		Currency json.Number `json:"currency"`
	} `json:"order"`
	Status    string `json:"status"`
	PayURL    string `json:"payUrl"`    // of a payment that waits for its payer
	ExpiresAt string `json:"expiresAt"` // of the same, RFC 3339
	Code      string `json:"code"`      // of a decline
	Message   string `json:"message"`   // of a decline, for the payer
	Signature string `json:"Signature"`
}

func (p response) signed() []field {
	return []field{
		{"partnerId", p.PartnerID}, {"transactionId", p.TransactionID}, {"paymentId", p.PaymentID},
		{"order.amount", p.Order.Amount.String()}, {"order.currency", p.Order.Currency.String()}, {"status", p.Status},
		{"payUrl", p.PayURL}, {"expiresAt", p.ExpiresAt}, {"code", p.Code}, {"message", p.Message},
	}
}

// reasons are the provider's codes of declines.
var reasons = map[string]reason.Code{
	"insufficient_funds": reason.InsufficientFunds,
	"do_not_honor":       reason.DoNotHonor,
	"try_again_later":    reason.TryAgainLater,
	"limit_exceeded":     reason.ExceedsLimit,
	"payer_unknown":      reason.AccountInvalid,
	"payer_blocked":      reason.AccountBlocked,
	"payer_refused":      reason.PayerRefused,
	"payer_too_slow":     reason.PayerTooSlow,
	"fraud_suspected":    reason.FraudSuspected,
	"not_allowed":        reason.NotAllowed,
}

// errSignature is the error of a response that is not signed by the provider.
var errSignature = errors.New("the provider's signature is wrong")

// result returns the result for the request that a response has to be about.
func (p response) result(m mid, r connector.ProviderRequest) (connector.Result, error) {
	if !authentic(m.secret, p.Signature, p.signed()) {
		return connector.Result{}, errSignature
	}
	if p.TransactionID != r.Reference || p.PartnerID != m.partner {
		return connector.Result{}, fmt.Errorf("the provider responds about another reference")
	}
	if p.Order.Currency.String() != withoutZeros(r.Amount.Currency().Numeric) {
		return connector.Result{}, fmt.Errorf("the provider says another currency")
	}
	if err := provider.SameAmount(p.Order.Amount, r.Amount.Currency().Code, r, p.Status == "PAID"); err != nil {
		return connector.Result{}, err
	}
	result := connector.Result{ProviderData: connector.ProviderData{ProviderID: p.PaymentID}}
	switch p.Status {
	case "PAID":
		result.Outcome = connector.OutcomeApproved
	case "PENDING":
		result.Outcome = connector.OutcomePending
	case "CREATED":
		return p.redirect(result)
	case "DECLINED", "EXPIRED":
		result.Outcome, result.Code, result.Reason = connector.OutcomeDeclined, p.Code, p.Message
		result.ReasonCode = reasons[p.Code]
	case "REVERSED":
		result.Outcome, result.Code = provider.Reversed(p.Code), p.Code
	default:
		return connector.Result{}, fmt.Errorf("the provider's status is not known")
	}
	return result, nil
}

// redirect adds to a result that the payer confirms in the app, or on its page.
func (p response) redirect(r connector.Result) (connector.Result, error) {
	until, err := time.Parse(time.RFC3339, p.ExpiresAt)
	if p.PayURL == "" || err != nil {
		return connector.Result{}, fmt.Errorf("the provider's response has no address to pay at, or no time to pay")
	}
	r.Outcome = connector.OutcomeActionRequired
	r.RequiredAction = &connector.RequiredAction{Kind: connector.ActionRedirect, URL: p.PayURL, ExpiresAt: until}
	return r, nil
}

// withoutZeros is the number of a numeric code.
func withoutZeros(numeric string) string {
	for len(numeric) > 1 && numeric[0] == '0' {
		numeric = numeric[1:]
	}
	return numeric
}
