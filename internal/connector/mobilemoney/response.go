package mobilemoney

import (
	"encoding/json"
	"errors"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/fault"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

// response is what the provider says of a charge, in responses and notices.
type response struct {
	ID         string      `json:"id"`
	Reference  string      `json:"reference"`
	Status     string      `json:"status"`
	Amount     json.Number `json:"amount"`
	Currency   string      `json:"currency"`
	AuthMethod string      `json:"auth_method"` // of a pending charge whose payer has to confirm
	Message    string      `json:"message"`     // for the payer
	Code       string      `json:"code"`        // of a charge that failed or was reversed
	provider.Refusal
}

// authPrompt is the only way to confirm that the specification prints: a prompt on the payer's phone.
const authPrompt = "STK_PROMPT"

// maxMessage is how many characters of the provider's message the payer is shown.
const maxMessage = 200

// reasons are the provider's codes of failed charges.
var reasons = map[string]reason.Code{
	"insufficient_funds": reason.InsufficientFunds,
	"do_not_honor":       reason.DoNotHonor,
	"try_again_later":    reason.TryAgainLater,
	"exceeds_limit":      reason.ExceedsLimit,
	"too_many_payments":  reason.TooManyPayments,
	"wrong_pin":          reason.PINInvalid,
	"too_many_pins":      reason.TooManyPINs,
	"payer_refused":      reason.PayerRefused,
	"payer_too_slow":     reason.PayerTooSlow,
	"account_invalid":    reason.AccountInvalid,
	"account_blocked":    reason.AccountBlocked,
	"fraud_suspected":    reason.FraudSuspected,
	"not_allowed":        reason.NotAllowed,
}

// result returns the result of a charge that was sent or looked up.
func (r response) result(of connector.ProviderRequest) (connector.Result, error) {
	result, err := r.noticed(of)
	return provider.NeverApproved(result), err
}

// noticed returns the result of a charge that a notice tells of.
func (r response) noticed(of connector.ProviderRequest) (connector.Result, error) {
	if r.ID == "" || r.Reference != of.Reference {
		return connector.Result{}, errors.New("the provider responds about another charge")
	}
	if err := provider.SameAmount(r.Amount, r.Currency, of, r.Status == "successful"); err != nil {
		return connector.Result{}, err
	}
	result := connector.Result{ProviderData: connector.ProviderData{ProviderID: r.ID}}
	ends := map[string]connector.Outcome{"failed": connector.OutcomeDeclined, "reversed": provider.Reversed(r.Code)}
	switch outcome, ended := ends[r.Status]; {
	case ended:
		result.Outcome, result.Code, result.Reason, result.ReasonCode = outcome, r.Code, r.Message, reasons[r.Code]
	case r.Status == "successful":
		result.Outcome = connector.OutcomeApproved
	case r.Status == "pending" && r.AuthMethod == authPrompt:
		result.Outcome, result.RequiredAction = connector.OutcomeActionRequired, r.prompt()
	case r.Status == "pending" && r.AuthMethod == "": // the provider itself decides
	default:
		return connector.Result{}, errors.New("the provider's status or way to confirm is not known")
	}
	return result, nil
}

// prompt is what the payer does on the phone, with the provider's own words if there are any.
func (r response) prompt() *connector.RequiredAction {
	action := &connector.RequiredAction{Kind: connector.ActionPending, Text: screen.TextConfirmInApp}
	if r.Message != "" {
		action.Show = []screen.Shown{{
			ID: "provider_message", Type: screen.ShownText, Value: fault.Printable(r.Message, maxMessage),
		}}
	}
	return action
}
