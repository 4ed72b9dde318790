package voucher

import (
	"fmt"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/reason"
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
var reasons = map[string]reason.Code{
	"pin_unknown":        reason.VoucherInvalid,
	"pin_used":           reason.VoucherInvalid,
	"pin_expired":        reason.VoucherInvalid,
	"pin_value_too_low":  reason.InsufficientFunds,
	"pin_other_currency": reason.CurrencyNotSupported,
	"pin_too_many_tries": reason.TooManyPINs,
	"insufficient_funds": reason.InsufficientFunds,
	"do_not_honor":       reason.DoNotHonor,
	"try_again_later":    reason.TryAgainLater,
	"limit_exceeded":     reason.ExceedsLimit,
	"not_allowed":        reason.NotAllowed,
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
