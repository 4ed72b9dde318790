package screen

import "strings"

// ReasonCode says why a payment was declined, or what was unusual about a success. The page has a text for each code in
// every language; merchants get the code and the text in Reasons.
type ReasonCode string

// The reasons. Some come from providers, which may add a text of their own, the others from the service.
const (
	ReasonDeclined               ReasonCode = "declined" // the provider gave no reason that has a code
	ReasonDoNotHonor             ReasonCode = "do_not_honor"
	ReasonInsufficientFunds      ReasonCode = "insufficient_funds"
	ReasonExceedsLimit           ReasonCode = "exceeds_limit"
	ReasonTooManyPayments        ReasonCode = "too_many_payments"
	ReasonTryAgainLater          ReasonCode = "try_again_later"
	ReasonIssuerUnavailable      ReasonCode = "issuer_unavailable"
	ReasonProviderProblem        ReasonCode = "provider_problem" // a temporary one
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
	ReasonPaidTooLittle          ReasonCode = "paid_too_little"
	ReasonPaidTooLate            ReasonCode = "paid_too_late"
	ReasonPaidTooMuch            ReasonCode = "paid_too_much" // the payment succeeded
	ReasonPayeeCardInvalid       ReasonCode = "payee_card_invalid"
	ReasonCardUnreadable         ReasonCode = "card_unreadable"
	ReasonValueInvalid           ReasonCode = "value_invalid" // another encrypted field than those of the card
	ReasonSavedCardExpired       ReasonCode = "saved_card_expired"
	ReasonNotSupported           ReasonCode = "not_supported"
	ReasonNotPossible            ReasonCode = "not_possible" // the merchant's settings have changed
	ReasonUnreachable            ReasonCode = "unreachable"
	ReasonNotSent                ReasonCode = "not_sent"
	ReasonNotSentInTime          ReasonCode = "not_sent_in_time"
	ReasonDisputed               ReasonCode = "taken_back"
	ReasonMissed                 ReasonCode = "missed" // a scheduled charge was not made before the next one was due
)

// ReasonRow is a row of Reasons.
type ReasonRow struct {
	Code    ReasonCode
	Soft    bool   // a retry, or another MID, may succeed
	Meaning string // response codes of the card schemes (ISO 8583 field 39 and theirs) that mean it; "": none
	Text    string // for merchants, unless the provider has a text of its own
}

// Reasons are all reasons.
var Reasons = []ReasonRow{
	{ReasonDeclined, false, "05, no more is said", "Declined by processing."},
	{ReasonDoNotHonor, true, "05, do not honour", "The card issuer declined."},
	{ReasonInsufficientFunds, true, "51", "Insufficient funds."},
	{ReasonExceedsLimit, true, "61, 121", "The amount is above a limit of the account."},
	{ReasonTooManyPayments, true, "65", "The account was used too often."},
	{ReasonTryAgainLater, true, "19, 91, 96", "The payment can be tried again later."},
	{ReasonIssuerUnavailable, true, "91, 92", "The card issuer can't be reached."},
	{ReasonProviderProblem, true, "96, 06", "The payment provider has a problem."},
	{ReasonCallIssuer, false, "01, 02", "The card issuer wants to be called."},
	{ReasonAuthenticationRequired, false, "65, 1A", "The card issuer asks for 3-D Secure."},
	{ReasonAuthenticationFailed, false, "82, 3-D Secure N or R", "3-D Secure failed."},
	{ReasonFraudSuspected, false, "59, 34", "Fraud is suspected."},
	{ReasonSecurityViolation, false, "63", "A security rule was violated."},
	{ReasonCardLost, false, "41", "The card was reported lost."},
	{ReasonCardStolen, false, "43", "The card was reported stolen."},
	{ReasonPickUpCard, false, "04, 07", "The card is not valid any more."},
	{ReasonCardBlocked, false, "62, 78", "The card is blocked."},
	{ReasonCardNotSupported, false, "57, 58", "The card can't be used for this payment."},
	{ReasonCardInvalid, false, "14, 15", "Invalid card"},
	{ReasonCardExpired, false, "54, 33", "The expiration date of card is expired and not valid."},
	{ReasonSecurityCodeInvalid, false, "N7, 82", "Invalid security code"},
	{ReasonPINInvalid, false, "55", "The PIN is wrong."},
	{ReasonTooManyPINs, false, "75", "A wrong PIN was entered too often."},
	{ReasonAddressMismatch, false, "AVS N", "The address does not match the card."},
	{ReasonAccountInvalid, false, "42, 52, 53, 76", "The account does not exist."},
	{ReasonAccountClosed, false, "46", "The account is closed."},
	{ReasonAccountBlocked, false, "62", "The account is blocked."},
	{ReasonNameMismatch, false, "", "The name does not match the account."},
	{ReasonVoucherInvalid, false, "", "The voucher is not valid or has been used."},
	{ReasonAmountInvalid, false, "13, 64", "The provider does not take this amount."},
	{ReasonCurrencyNotSupported, false, "", "The provider does not take this currency."},
	{ReasonDuplicate, false, "94", "The provider takes it for a repeat of another payment."},
	{ReasonRecurringStopped, false, "R0, R1, R3", "The payer has stopped the recurring payments."},
	{ReasonNotAllowed, false, "12, 57", "The provider does not allow this."},
	{ReasonPayerRefused, false, "17", "The payer refused."},
	{ReasonPayerTooSlow, false, "68", "The payer did not finish in time."},
	{ReasonPaidTooLittle, false, "", "Less was paid than was due: {arrived} of {due} arrived."},
	{ReasonPaidTooLate, false, "", "Paid too late: {arrived} arrived after the time to pay was over."},
	{ReasonPaidTooMuch, false, "", "More was paid than was due: {arrived} arrived, {due} were due."},
	{ReasonPayeeCardInvalid, false, "14", "Invalid card of the recipient"},
	{ReasonCardUnreadable, false, "", "The card data can't be read."},
	{ReasonValueInvalid, false, "", "What the payer entered is not valid."},
	{ReasonSavedCardExpired, false, "54", "The saved card has expired."},
	{ReasonNotSupported, false, "", "The payment provider can't do this."},
	{ReasonNotPossible, false, "", "The payment could not be carried out."},
	{ReasonUnreachable, true, "", "The payment provider can't be reached."},
	{ReasonNotSent, false, "", "The payment was not carried out."},
	{ReasonNotSentInTime, false, "", "The payment could not be carried out in time."},
	{ReasonDisputed, false, "", "The payment was taken back."},
	{ReasonMissed, false, "", "This charge was missed, and the next one is due already."},
}

// row returns the row of a code, an empty one if there is none.
func (c ReasonCode) row() ReasonRow {
	for _, row := range Reasons {
		if row.Code == c {
			return row
		}
	}
	return ReasonRow{}
}

// Soft reports whether a retry, or another MID, may succeed after a decline with that code.
func (c ReasonCode) Soft() bool { return c.row().Soft }

// Reason is a reason as the page gets it: a code, the provider's own text if there is one, and the amounts that the
// texts of the code name, as decimal text.
type Reason struct {
	Code     ReasonCode `json:"code"`
	Words    string     `json:"words,omitempty"`    // the provider's text, shown unchanged
	Language string     `json:"language,omitempty"` // of Words, a BCP 47 tag; absent: not known
	Currency string     `json:"currency,omitempty"` // of both amounts
	Arrived  string     `json:"arrived,omitempty"`
	Due      string     `json:"due,omitempty"`
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
	return amounts.Replace(r.Code.row().Text)
}
