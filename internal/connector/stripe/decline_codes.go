package stripe

import (
	"github.com/stripe/stripe-go/v85"

	"checkout/internal/reason"
)

// reasons are Stripe's decline codes (docs.stripe.com/declines/codes), and those codes of its errors
// (docs.stripe.com/error-codes) that say more of a card or a payment than that it was not possible. Which of them are
// soft is in reason.All.
var reasons = map[string]reason.Code{
	"approve_with_id":                   reason.TryAgainLater,
	"authentication_not_handled":        reason.AuthenticationRequired,
	"authentication_required":           reason.AuthenticationRequired,
	"call_issuer":                       reason.CallIssuer,
	"card_not_supported":                reason.CardNotSupported,
	"card_velocity_exceeded":            reason.ExceedsLimit,
	"currency_not_supported":            reason.CurrencyNotSupported,
	"do_not_honor":                      reason.DoNotHonor,
	"do_not_try_again":                  reason.Declined,
	"duplicate_transaction":             reason.Duplicate,
	"expired_card":                      reason.CardExpired,
	"fraudulent":                        reason.FraudSuspected,
	"generic_decline":                   reason.Declined,
	"incorrect_address":                 reason.AddressMismatch,
	"incorrect_cvc":                     reason.SecurityCodeInvalid,
	"incorrect_number":                  reason.CardInvalid,
	"incorrect_pin":                     reason.PINInvalid,
	"incorrect_zip":                     reason.AddressMismatch,
	"insufficient_funds":                reason.InsufficientFunds,
	"invalid_account":                   reason.AccountInvalid,
	"invalid_amount":                    reason.AmountInvalid,
	"invalid_cvc":                       reason.SecurityCodeInvalid,
	"invalid_expiry_month":              reason.CardInvalid,
	"invalid_expiry_year":               reason.CardInvalid,
	"invalid_number":                    reason.CardInvalid,
	"invalid_pin":                       reason.PINInvalid,
	"issuer_not_available":              reason.IssuerUnavailable,
	"lost_card":                         reason.CardLost,
	"merchant_blacklist":                reason.FraudSuspected,
	"new_account_information_available": reason.CardInvalid,
	"no_action_taken":                   reason.Declined,
	"not_permitted":                     reason.NotAllowed,
	"offline_pin_required":              reason.PINInvalid,
	"online_or_offline_pin_required":    reason.PINInvalid,
	"pickup_card":                       reason.PickUpCard,
	"pin_try_exceeded":                  reason.TooManyPINs,
	"processing_error":                  reason.ProviderProblem,
	"reenter_transaction":               reason.TryAgainLater,
	"restricted_card":                   reason.CardBlocked,
	"revocation_of_all_authorizations":  reason.RecurringStopped,
	"revocation_of_authorization":       reason.RecurringStopped,
	"security_violation":                reason.SecurityViolation,
	"service_not_allowed":               reason.CardNotSupported,
	"stolen_card":                       reason.CardStolen,
	"stop_payment_order":                reason.RecurringStopped,
	"testmode_decline":                  reason.CardInvalid,
	"transaction_not_allowed":           reason.CardNotSupported,
	"try_again_later":                   reason.TryAgainLater,
	"withdrawal_count_limit_exceeded":   reason.ExceedsLimit,

	"amount_too_large":                         reason.AmountInvalid,
	"amount_too_small":                         reason.AmountInvalid,
	"card_declined":                            reason.Declined,
	"card_decline_rate_limit_exceeded":         reason.TooManyPayments,
	"charge_already_captured":                  reason.NotAllowed,
	"charge_already_refunded":                  reason.NotAllowed,
	"charge_disputed":                          reason.Disputed,
	"charge_exceeds_transaction_limit":         reason.ExceedsLimit,
	"charge_expired_for_capture":               reason.NotAllowed,
	"charge_not_refundable":                    reason.NotAllowed,
	"capture_charge_authorization_expired":     reason.NotAllowed,
	"country_unsupported":                      reason.CardNotSupported,
	"india_recurring_payment_mandate_canceled": reason.RecurringStopped,
	"payment_intent_action_required":           reason.AuthenticationRequired,
	"payment_intent_authentication_failure":    reason.AuthenticationFailed,
	"payment_intent_payment_attempt_expired":   reason.PayerTooSlow,
	"payment_intent_unexpected_state":          reason.NotAllowed,
	"payment_method_customer_decline":          reason.PayerRefused,
	"payment_method_provider_decline":          reason.Declined,
	"payment_method_provider_timeout":          reason.ProviderProblem,
	"refund_disputed_payment":                  reason.Disputed,
	"request_blocked":                          reason.NotAllowed,
	"token_already_used":                       reason.TokenUsed,
}

// reasonOf is the reason for Stripe's code. A code of a declined card that is not known is a decline like any other,
// and one of a request that Stripe does not take is a fault of the service or its settings.
func reasonOf(kind stripe.ErrorType, code string) reason.Code {
	if reason, known := reasons[code]; known {
		return reason
	}
	if kind == stripe.ErrorTypeInvalidRequest {
		return reason.NotPossible
	}
	return reason.Declined
}
