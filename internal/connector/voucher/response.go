package voucher

import (
	"fmt"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/screen"
)

// response is the body of every response: that of a charge, or a refusal.
type response struct {
	provider.Refusal
	ID            string `json:"id"` // the provider's
	TransactionID string `json:"transaction_id"`
	Order         order  `json:"order"`
	Status        string `json:"status"`
	Code          string `json:"code"`    // of a decline
	Message       string `json:"message"` // of a decline, for the payer
}

// reasons are the provider's codes of declines.
var reasons = map[string]screen.ReasonCode{
	"pin_unknown":        screen.ReasonVoucherInvalid,
	"pin_used":           screen.ReasonVoucherInvalid,
	"pin_expired":        screen.ReasonVoucherInvalid,
	"pin_value_too_low":  screen.ReasonInsufficientFunds,
	"pin_other_currency": screen.ReasonCurrencyNotSupported,
	"pin_too_many_tries": screen.ReasonTooManyPINs,
	"insufficient_funds": screen.ReasonInsufficientFunds,
	"do_not_honor":       screen.ReasonDoNotHonor,
	"try_again_later":    screen.ReasonTryAgainLater,
	"limit_exceeded":     screen.ReasonExceedsLimit,
	"not_allowed":        screen.ReasonNotAllowed,
}

// result returns the result for the request that a response has to be about.
func (p response) result(r connector.ProviderRequest) (connector.Result, error) {
	if p.TransactionID != r.Reference {
		return connector.Result{}, fmt.Errorf("the provider responds about another reference")
	}
	if err := provider.SameAmount(p.Order.Amount, p.Order.Currency, r, p.Status == "approved"); err != nil {
		return connector.Result{}, err
	}
	result := connector.Result{ProviderData: connector.ProviderData{ProviderID: p.ID}}
	switch p.Status {
	case "approved":
		result.Outcome = connector.OutcomeApproved
	case "pending":
		result.Outcome = connector.OutcomePending
	case "declined":
		result.Outcome, result.Code, result.Reason = connector.OutcomeDeclined, p.Code, p.Message
		result.ReasonCode = reasons[p.Code]
	case "reversed":
		result.Outcome, result.Code = connector.OutcomeReversal, p.Code
	default:
		return connector.Result{}, fmt.Errorf("the provider's status is not known")
	}
	return result, nil
}
