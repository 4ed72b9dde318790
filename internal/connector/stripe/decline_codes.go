package stripe

import (
	"github.com/stripe/stripe-go/v85"

	"checkout/internal/screen"
)

// reasons are Stripe's decline codes (docs.stripe.com/declines/codes), and those codes of its errors
// (docs.stripe.com/error-codes) that say more of a card or a payment than that it was not possible. Which of them are
// soft is in screen.Reasons.
var reasons = map[string]screen.ReasonCode{
	"approve_with_id":                   screen.ReasonTryAgainLater,
	"authentication_not_handled":        screen.ReasonAuthenticationRequired,
	"authentication_required":           screen.ReasonAuthenticationRequired,
	"call_issuer":                       screen.ReasonCallIssuer,
	"card_not_supported":                screen.ReasonCardNotSupported,
	"card_velocity_exceeded":            screen.ReasonExceedsLimit,
	"currency_not_supported":            screen.ReasonCurrencyNotSupported,
	"do_not_honor":                      screen.ReasonDoNotHonor,
	"do_not_try_again":                  screen.ReasonDeclined,
	"duplicate_transaction":             screen.ReasonDuplicate,
	"expired_card":                      screen.ReasonCardExpired,
	"fraudulent":                        screen.ReasonFraudSuspected,
	"generic_decline":                   screen.ReasonDeclined,
	"incorrect_address":                 screen.ReasonAddressMismatch,
	"incorrect_cvc":                     screen.ReasonSecurityCodeInvalid,
	"incorrect_number":                  screen.ReasonCardInvalid,
	"incorrect_pin":                     screen.ReasonPINInvalid,
	"incorrect_zip":                     screen.ReasonAddressMismatch,
	"insufficient_funds":                screen.ReasonInsufficientFunds,
	"invalid_account":                   screen.ReasonAccountInvalid,
	"invalid_amount":                    screen.ReasonAmountInvalid,
	"invalid_cvc":                       screen.ReasonSecurityCodeInvalid,
	"invalid_expiry_month":              screen.ReasonCardInvalid,
	"invalid_expiry_year":               screen.ReasonCardInvalid,
	"invalid_number":                    screen.ReasonCardInvalid,
	"invalid_pin":                       screen.ReasonPINInvalid,
	"issuer_not_available":              screen.ReasonIssuerUnavailable,
	"lost_card":                         screen.ReasonCardLost,
	"merchant_blacklist":                screen.ReasonFraudSuspected,
	"new_account_information_available": screen.ReasonCardInvalid,
	"no_action_taken":                   screen.ReasonDeclined,
	"not_permitted":                     screen.ReasonNotAllowed,
	"offline_pin_required":              screen.ReasonPINInvalid,
	"online_or_offline_pin_required":    screen.ReasonPINInvalid,
	"pickup_card":                       screen.ReasonPickUpCard,
	"pin_try_exceeded":                  screen.ReasonTooManyPINs,
	"processing_error":                  screen.ReasonProviderProblem,
	"reenter_transaction":               screen.ReasonTryAgainLater,
	"restricted_card":                   screen.ReasonCardBlocked,
	"revocation_of_all_authorizations":  screen.ReasonRecurringStopped,
	"revocation_of_authorization":       screen.ReasonRecurringStopped,
	"security_violation":                screen.ReasonSecurityViolation,
	"service_not_allowed":               screen.ReasonCardNotSupported,
	"stolen_card":                       screen.ReasonCardStolen,
	"stop_payment_order":                screen.ReasonRecurringStopped,
	"testmode_decline":                  screen.ReasonCardInvalid,
	"transaction_not_allowed":           screen.ReasonCardNotSupported,
	"try_again_later":                   screen.ReasonTryAgainLater,
	"withdrawal_count_limit_exceeded":   screen.ReasonExceedsLimit,

	"amount_too_large":                         screen.ReasonAmountInvalid,
	"amount_too_small":                         screen.ReasonAmountInvalid,
	"card_declined":                            screen.ReasonDeclined,
	"card_decline_rate_limit_exceeded":         screen.ReasonTooManyPayments,
	"charge_already_captured":                  screen.ReasonNotAllowed,
	"charge_already_refunded":                  screen.ReasonNotAllowed,
	"charge_disputed":                          screen.ReasonDisputed,
	"charge_exceeds_transaction_limit":         screen.ReasonExceedsLimit,
	"charge_expired_for_capture":               screen.ReasonNotAllowed,
	"charge_not_refundable":                    screen.ReasonNotAllowed,
	"capture_charge_authorization_expired":     screen.ReasonNotAllowed,
	"country_unsupported":                      screen.ReasonCardNotSupported,
	"india_recurring_payment_mandate_canceled": screen.ReasonRecurringStopped,
	"payment_intent_action_required":           screen.ReasonAuthenticationRequired,
	"payment_intent_authentication_failure":    screen.ReasonAuthenticationFailed,
	"payment_intent_payment_attempt_expired":   screen.ReasonPayerTooSlow,
	"payment_intent_unexpected_state":          screen.ReasonNotAllowed,
	"payment_method_customer_decline":          screen.ReasonPayerRefused,
	"payment_method_provider_decline":          screen.ReasonDeclined,
	"payment_method_provider_timeout":          screen.ReasonProviderProblem,
	"refund_disputed_payment":                  screen.ReasonDisputed,
	"request_blocked":                          screen.ReasonNotAllowed,
	"token_already_used":                       screen.ReasonTokenUsed,
}

// reasonOf is the reason for Stripe's code. A code of a declined card that is not known is a decline like any other,
// and one of a request that Stripe does not take is a fault of the service or its settings.
func reasonOf(kind stripe.ErrorType, code string) screen.ReasonCode {
	if reason, known := reasons[code]; known {
		return reason
	}
	if kind == stripe.ErrorTypeInvalidRequest {
		return screen.ReasonNotPossible
	}
	return screen.ReasonDeclined
}
