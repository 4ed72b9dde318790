package brandcard

import (
	"fmt"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/reason"
)

// response is the body of every response: that of a charge or refund, or a refusal.
type response struct {
	provider.Refusal
	ID            string `json:"id"` // the provider's
	TransactionID string `json:"transaction_id"`
	Order         order  `json:"order"`
	Status        string `json:"status"`
	Code          string `json:"code"`    // of a decline
	Message       string `json:"message"` // of a decline, for the payer
	RedirectURL   string `json:"redirect_url"`
	Approval      string `json:"approval_code"`
}

// reasons are the provider's codes of declines.
var reasons = map[string]reason.Code{
	"insufficient_funds": reason.InsufficientFunds,
	"do_not_honor":       reason.DoNotHonor,
	"try_again_later":    reason.TryAgainLater,
	"card_lost":          reason.CardLost,
	"card_stolen":        reason.CardStolen,
	"card_expired":       reason.CardExpired,
	"card_invalid":       reason.CardInvalid,
	"cvv_invalid":        reason.SecurityCodeInvalid,
	"limit_exceeded":     reason.ExceedsLimit,
	"fraud_suspected":    reason.FraudSuspected,
	"3ds_failed":         reason.AuthenticationFailed,
	"payer_refused":      reason.PayerRefused,
	"payer_too_slow":     reason.PayerTooSlow,
	"not_allowed":        reason.NotAllowed,
}

// result returns the result for the request that a response has to be about.
func (p response) result(r connector.ProviderRequest) (connector.Result, error) {
	result, err := p.resultOfAnyAmount(r)
	if err != nil {
		return connector.Result{}, err
	}
	approved := result.Outcome == connector.OutcomeApproved
	if err := provider.SameAmount(p.Order.Amount, p.Order.Currency, r, approved); err != nil {
		return connector.Result{}, err
	}
	return result, nil
}

// resultOfAnyAmount returns the result for a request that the provider may have had with another amount.
func (p response) resultOfAnyAmount(of connector.ProviderRequest) (connector.Result, error) {
	if p.TransactionID != of.Reference {
		return connector.Result{}, fmt.Errorf("the provider responds about another reference")
	}
	r := connector.Result{ProviderData: connector.ProviderData{ProviderID: p.ID, ApprovalCode: p.Approval}}
	switch p.Status {
	case "approved":
		r.Outcome = connector.OutcomeApproved
	case "pending":
		r.Outcome = connector.OutcomePending
	case "declined":
		r.Outcome, r.Code, r.Reason, r.ReasonCode = connector.OutcomeDeclined, p.Code, p.Message, reasons[p.Code]
	case "3ds", "redirect":
		if p.RedirectURL == "" {
			return connector.Result{}, fmt.Errorf("the provider's response has no address to redirect to")
		}
		kind := connector.ActionRedirect
		if p.Status == "3ds" {
			kind = connector.Action3DS
		}
		r.Outcome = connector.OutcomeActionRequired
		r.RequiredAction = &connector.RequiredAction{Kind: kind, URL: p.RedirectURL}
	case "reversed":
		r.Outcome, r.Code = provider.Reversed(p.Code), p.Code
	default:
		return connector.Result{}, fmt.Errorf("the provider's status is not known")
	}
	return r, nil
}
