package screen

import (
	"slices"
	"strings"
)

// ReasonCode says why a payment was declined, or what was unusual about a success. The page has a text for each code in
// every language, or that of another one; merchants get the code and the text in Reasons.
type ReasonCode string

// The reasons that providers give.
const (
	ReasonDeclined               ReasonCode = "declined" // the provider gave no reason that has a code
	ReasonDoNotHonor             ReasonCode = "do_not_honor"
	ReasonDoNotTryAgain          ReasonCode = "do_not_try_again" // the provider says that every repeat is useless
	ReasonInsufficientFunds      ReasonCode = "insufficient_funds"
	ReasonExceedsLimit           ReasonCode = "exceeds_limit"
	ReasonTooManyPayments        ReasonCode = "too_many_payments"
	ReasonTryAgainLater          ReasonCode = "try_again_later" // the provider says that a repeat may succeed
	ReasonIssuerUnavailable      ReasonCode = "issuer_unavailable"
	ReasonProviderProblem        ReasonCode = "provider_problem" // a temporary one
	ReasonMerchantInvalid        ReasonCode = "merchant_invalid" // at this provider; another MID may be taken
	ReasonCallIssuer             ReasonCode = "call_issuer"
	ReasonAuthenticationRequired ReasonCode = "authentication_required"
	ReasonAuthenticationFailed   ReasonCode = "authentication_failed"
	ReasonFraudSuspected         ReasonCode = "fraud_suspected"
	ReasonSecurityViolation      ReasonCode = "security_violation"
	ReasonCardLost               ReasonCode = "card_lost"
	ReasonCardStolen             ReasonCode = "card_stolen"
	ReasonPickUpCard             ReasonCode = "pick_up_card"
	ReasonCardBlocked            ReasonCode = "card_blocked"
	ReasonCardNotSupported       ReasonCode = "card_not_supported"
	ReasonCardInvalid            ReasonCode = "card_invalid"
	ReasonCardReplaced           ReasonCode = "card_replaced" // the payer has a newer card of the account
	ReasonCardExpired            ReasonCode = "card_expired"
	ReasonSecurityCodeInvalid    ReasonCode = "security_code_invalid"
	ReasonPINInvalid             ReasonCode = "pin_invalid"
	ReasonTooManyPINs            ReasonCode = "too_many_pins"
	ReasonAddressMismatch        ReasonCode = "address_mismatch"
	ReasonAccountInvalid         ReasonCode = "account_invalid"
	ReasonAccountClosed          ReasonCode = "account_closed"
	ReasonAccountBlocked         ReasonCode = "account_blocked"
	ReasonNameMismatch           ReasonCode = "name_mismatch"
	ReasonVoucherInvalid         ReasonCode = "voucher_invalid"
	ReasonAmountInvalid          ReasonCode = "amount_invalid"
	ReasonCurrencyNotSupported   ReasonCode = "currency_not_supported"
	ReasonDuplicate              ReasonCode = "duplicate"
	ReasonRecurringStopped       ReasonCode = "recurring_stopped"
	ReasonNotAllowed             ReasonCode = "not_allowed"
	ReasonPayerRefused           ReasonCode = "payer_refused" // at 3-D Secure, in an app or at a bank
	ReasonPayerTooSlow           ReasonCode = "payer_too_slow"
)

// The reasons that the service itself has.
const (
	ReasonPaidTooLittle    ReasonCode = "paid_too_little"
	ReasonPaidTooLate      ReasonCode = "paid_too_late"
	ReasonPaidTooMuch      ReasonCode = "paid_too_much" // the payment succeeded
	ReasonPayeeCardInvalid ReasonCode = "payee_card_invalid"
	ReasonCardUnreadable   ReasonCode = "card_unreadable"
	ReasonValueInvalid     ReasonCode = "value_invalid" // another encrypted field than those of the card
	ReasonSavedCardExpired ReasonCode = "saved_card_expired"
	ReasonSavedCardRemoved ReasonCode = "saved_card_removed"
	ReasonNotSupported     ReasonCode = "not_supported"
	ReasonNotPossible      ReasonCode = "not_possible"    // the merchant's settings have changed
	ReasonRequestRefused   ReasonCode = "request_refused" // by the provider, as one that it can't read or take
	ReasonUnreachable      ReasonCode = "unreachable"
	ReasonNotSent          ReasonCode = "not_sent"
	ReasonNotSentInTime    ReasonCode = "not_sent_in_time"
	ReasonDisputed         ReasonCode = "taken_back"
	ReasonMissed           ReasonCode = "missed"            // a scheduled charge was not made before the next one was due
	ReasonSessionExpired   ReasonCode = "session_expired"   // without an attempt
	ReasonSessionCancelled ReasonCode = "session_cancelled" // without an attempt
	ReasonPartlyPaid       ReasonCode = "partly_paid"       // the rest may still arrive
	ReasonUndecided        ReasonCode = "undecided"         // by the provider, so far
	ReasonOutcomeUnknown   ReasonCode = "outcome_unknown"   // so far
	ReasonPerson           ReasonCode = "decided_by_person" // an outcome that stayed unknown; also of a success
	ReasonFailedLater      ReasonCode = "failed_later"      // it had succeeded, and the merchant was told so
	ReasonElsewhere        ReasonCode = "made_elsewhere"    // a success without a request
	ReasonExpired          ReasonCode = "authorisation_expired"
	ReasonDisputeWon       ReasonCode = "dispute_won" // a chargeback that counts no longer
)

// The reasons that the service has for a wallet's payment token.
const (
	ReasonTokenInvalid     ReasonCode = "token_invalid"     // not the wallet's, or changed, or made for something else
	ReasonTokenExpired     ReasonCode = "token_expired"     // made too long before the payer sent it
	ReasonTokenUsed        ReasonCode = "token_used"        // by another payment
	ReasonTokenAmount      ReasonCode = "token_amount"      // the payer confirmed another amount or currency
	ReasonTokenKey         ReasonCode = "token_key"         // encrypted to a key that the settings do not have
	ReasonNotAuthenticated ReasonCode = "not_authenticated" // the card needs 3-D Secure, which the connector does not have
)

// ReasonRow is a row of Reasons.
type ReasonRow struct {
	Code    ReasonCode
	Soft    bool       // a retry later, or another MID, may succeed, and the card schemes allow it
	Payer   ReasonCode // whose text the payer gets; "": the code's own
	Meaning string     // the card schemes' response codes that mean it; "": none
	Text    string     // for merchants, unless the provider has a text of its own
}

// Reasons are all reasons.
//
// Soft follows the schemes' rules of repeats: never after what Visa calls category 1 (the issuer will never approve) or
// Mastercard's merchant advice codes 03 and 21, and never after what only the payer can mend, such as a wrong number.
// Suspected fraud is not soft either, although Visa allows repeats: another MID must not become a way around it. Nor is
// a duplicate: another MID would charge twice.
//
// Who pays with a card that was lost, stolen or blocked, or is suspected of fraud, may be a thief. Such codes are told
// to the payer as ReasonDeclined, just as the issuer's plain refusal is, so that the text does not tell what the issuer
// knows; the merchant gets the exact code and text. Other codes share a text where the payer has to do the same.
//
// Meaning names the response codes of field 39 of ISO 8583 and of the schemes, and Mastercard's merchant advice codes.
// In Europe, 65 of Mastercard means ReasonAuthenticationRequired.
var Reasons = slices.Concat(ofProviders, ofService)

// ofProviders are the reasons that providers give.
var ofProviders = []ReasonRow{
	{ReasonDeclined, hard, itself, "", "Declined by processing."},
	{ReasonDoNotHonor, soft, ReasonDeclined, "05", "The card issuer declined."},
	{ReasonDoNotTryAgain, hard, ReasonDeclined, "N5, advice code 03", "Declined, and a repeat would be, too."},
	{ReasonInsufficientFunds, soft, itself, "51", "Insufficient funds."},
	{ReasonExceedsLimit, soft, itself, "61, N4", "The amount is above a limit of the account."},
	{ReasonTooManyPayments, soft, ReasonExceedsLimit, "65", "The account was used too often."},
	{ReasonTryAgainLater, soft, itself, "19, 22, 90, advice code 02", "The payment can be tried again later."},
	{ReasonIssuerUnavailable, soft, ReasonTryAgainLater, "68, 91, 92", "The card issuer can't be reached."},
	{ReasonProviderProblem, soft, ReasonTryAgainLater, "96, 06, 30, 88", "The payment provider has a problem."},
	{ReasonMerchantInvalid, soft, ReasonNotSupported, "03, 58", "The provider does not take it for this account."},
	{ReasonCallIssuer, hard, itself, "01, 02, 70 (Mastercard)", "The payer has to call the card issuer."},
	{ReasonAuthenticationRequired, hard, ReasonAuthenticationFailed, "1A", "The issuer asks for 3-D Secure."},
	{ReasonAuthenticationFailed, hard, itself, "3-D Secure status N or R", "3-D Secure failed."},
	{ReasonFraudSuspected, hard, ReasonDeclined, "34, 59, 83 (Mastercard)", "Fraud is suspected."},
	{ReasonSecurityViolation, hard, ReasonDeclined, "63", "A security rule was violated."},
	{ReasonCardLost, hard, ReasonDeclined, "41", "The card was reported lost."},
	{ReasonCardStolen, hard, ReasonDeclined, "43", "The card was reported stolen."},
	{ReasonPickUpCard, hard, ReasonDeclined, "04, 07, 67, 79 (Mastercard)", "The card is not valid any more."},
	{ReasonCardBlocked, hard, ReasonDeclined, "36, 62, 78 (Visa), 9G", "The card is blocked or not activated."},
	{ReasonCardNotSupported, hard, itself, "57, 82 (Mastercard), 5C", "The card can't be used for this payment."},
	{ReasonCardInvalid, hard, itself, "14, 15, 56", "Invalid card"},
	{ReasonCardReplaced, hard, ReasonCardExpired, "advice code 01", "The card was replaced by a newer one."},
	{ReasonCardExpired, hard, itself, "33, 54", "The expiration date of card is expired and not valid."},
	{ReasonSecurityCodeInvalid, hard, itself, "N7, 82 (Visa)", "Invalid security code"},
	{ReasonPINInvalid, hard, itself, "55, 70 (Visa), 86", "The PIN is wrong or missing."},
	{ReasonTooManyPINs, hard, itself, "38, 75", "A wrong PIN was entered too often."},
	{ReasonAddressMismatch, hard, itself, "address check N", "The address does not match the card."},
	{ReasonAccountInvalid, hard, itself, "39, 42, 52, 53, 76, 77, 78 (Mastercard)", "The account does not exist."},
	{ReasonAccountClosed, hard, ReasonAccountInvalid, "46", "The account is closed."},
	{ReasonAccountBlocked, hard, ReasonDeclined, "", "The account is blocked."},
	{ReasonNameMismatch, hard, ReasonAddressMismatch, "6P", "The name does not match the account."},
	{ReasonVoucherInvalid, hard, itself, "", "The voucher is not valid or has been used."},
	{ReasonAmountInvalid, hard, ReasonNotSupported, "13, 64", "The provider does not take this amount."},
	{ReasonCurrencyNotSupported, hard, ReasonNotSupported, "", "The provider does not take this currency."},
	{ReasonDuplicate, hard, itself, "94", "The provider takes it for a repeat of another payment."},
	{ReasonRecurringStopped, hard, ReasonDeclined, "R0, R1, R3, advice code 21", "The payer stopped these payments."},
	{ReasonNotAllowed, hard, ReasonNotSupported, "12, 40, 93", "The provider does not allow this."},
	{ReasonPayerRefused, hard, itself, "17", "The payer refused."},
	{ReasonPayerTooSlow, hard, itself, "", "The payer did not finish in time."},
}

// ofService are the reasons that the service itself has.
var ofService = []ReasonRow{
	{ReasonPaidTooLittle, hard, itself, "", "Less was paid than was due: {arrived} of {due} arrived."},
	{ReasonPaidTooLate, hard, itself, "", "Paid too late: {arrived} arrived after the time to pay was over."},
	{ReasonPaidTooMuch, hard, itself, "", "More was paid than was due: {arrived} arrived, {due} were due."},
	{ReasonPayeeCardInvalid, hard, itself, "", "Invalid card of the recipient"},
	{ReasonCardUnreadable, hard, itself, "", "The card data can't be read."},
	{ReasonValueInvalid, hard, itself, "", "What the payer entered is not valid."},
	{ReasonSavedCardExpired, hard, ReasonCardExpired, "", "The saved card has expired."},
	{ReasonSavedCardRemoved, hard, ReasonCardUnreadable, "", "The payer has removed the saved card."},
	{ReasonNotSupported, hard, itself, "", "The payment provider can't do this."},
	{ReasonNotPossible, hard, ReasonNotSupported, "", "The payment could not be carried out."},
	{ReasonRequestRefused, hard, ReasonNotSupported, "", "The payment provider refused the request."},
	{ReasonUnreachable, soft, ReasonTryAgainLater, "", "The payment provider can't be reached."},
	{ReasonNotSent, hard, itself, "", "The payment was not carried out."},
	{ReasonNotSentInTime, soft, ReasonNotSent, "", "The payment could not be carried out in time."},
	{ReasonDisputed, hard, itself, "", "The payment was taken back."},
	{ReasonMissed, hard, ReasonNotSent, "", "This charge was missed, and the next one is due already."},
	{ReasonSessionExpired, hard, ReasonPayerTooSlow, "", "Session expired."},
	{ReasonSessionCancelled, hard, ReasonPayerRefused, "", "Cancelled by the payer."},
	{ReasonPartlyPaid, hard, ReasonPaidTooLittle, "", "{arrived} of {due} arrived."},
	{ReasonUndecided, hard, ReasonNotSent, "", "The payment provider has not decided yet."},
	{ReasonOutcomeUnknown, hard, ReasonNotSent, "", "The payment provider's answer is not known yet."},
	{ReasonPerson, hard, ReasonDeclined, "", "A person decided, because the outcome stayed unknown."},
	{ReasonFailedLater, hard, ReasonDeclined, "", "It succeeded first and failed later."},
	{ReasonElsewhere, hard, ReasonDeclined, "", "It was made at the payment provider, without a request."},
	{ReasonExpired, hard, ReasonDeclined, "", "The authorisation expired."},
	{ReasonDisputeWon, hard, ReasonDeclined, "", "The dispute was won."},
	{ReasonTokenInvalid, hard, itself, "", "The wallet's payment token is not valid."},
	{ReasonTokenExpired, hard, ReasonTokenInvalid, "", "The wallet's payment token has expired."},
	{ReasonTokenUsed, hard, ReasonTokenInvalid, "", "The wallet's payment token was used before."},
	{ReasonTokenAmount, hard, ReasonTokenInvalid, "", "The payer confirmed another amount in the wallet."},
	{ReasonTokenKey, hard, ReasonTokenInvalid, "", "The token is encrypted to a key that the settings do not have."},
	{ReasonNotAuthenticated, hard, ReasonAuthenticationFailed, "", "The card needs 3-D Secure, which is not available."},
}

// The values of two columns of Reasons.
const (
	soft, hard            = true, false
	itself     ReasonCode = ""
)

// Row returns the row of a code, an empty one if there is none.
func (c ReasonCode) Row() ReasonRow {
	for _, row := range Reasons {
		if row.Code == c {
			return row
		}
	}
	return ReasonRow{}
}

// Soft reports whether a retry, or another MID, may succeed after a decline with that code.
func (c ReasonCode) Soft() bool { return c.Row().Soft }

// Known reports whether there is such a code.
func (c ReasonCode) Known() bool { return c.Row().Code != "" }

// OfProvider reports whether there is such a code and providers give it.
func (c ReasonCode) OfProvider() bool {
	return slices.ContainsFunc(ofProviders, func(row ReasonRow) bool { return row.Code == c })
}

// Reason is a code, the provider's own text if there is one, and the amounts that the texts of the code name, as
// decimal text. The page gets what ForPayer makes of it.
type Reason struct {
	Code     ReasonCode `json:"code"`
	Words    string     `json:"words,omitempty"`    // the provider's text, shown unchanged
	Language string     `json:"language,omitempty"` // of Words, a BCP 47 tag; absent: not known
	Currency string     `json:"currency,omitempty"` // of both amounts
	Arrived  string     `json:"arrived,omitempty"`
	Due      string     `json:"due,omitempty"`
}

// ForPayer returns the reason as the payer may know it, nil for nil. What is told as a plain decline loses the
// provider's text, too, since that may say more.
func (r *Reason) ForPayer() *Reason {
	if r == nil || r.Code.Row().Payer == itself {
		return r
	}
	told := *r
	if told.Code = r.Code.Row().Payer; told.Code == ReasonDeclined {
		told.Words, told.Language = "", ""
	}
	return &told
}

// MerchantCode returns the code for merchants, "" for a nil reason.
func (r *Reason) MerchantCode() ReasonCode {
	if r == nil {
		return ""
	}
	return r.Code
}

// Text returns the reason's text for merchants, "" for a nil reason.
func (r *Reason) Text() string {
	switch {
	case r == nil:
		return ""
	case r.Words != "":
		return r.Words
	}
	amounts := strings.NewReplacer("{arrived}", r.Arrived+" "+r.Currency, "{due}", r.Due+" "+r.Currency)
	return amounts.Replace(r.Code.Row().Text)
}
