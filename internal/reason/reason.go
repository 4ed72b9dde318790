// Package reason has the codes that say why a payment ended as it did: for connectors, merchants and the page.
package reason

import (
	"slices"
	"strings"
)

// Code says why a payment was declined, or what was unusual about a success. The page has a text for each code in
// every language, or that of another one; merchants get the code and the text in All.
type Code string

// The reasons that providers give.
const (
	Declined               Code = "declined" // the provider gave no reason that has a code
	DoNotHonor             Code = "do_not_honor"
	DoNotTryAgain          Code = "do_not_try_again" // the provider says that every repeat is useless
	InsufficientFunds      Code = "insufficient_funds"
	ExceedsLimit           Code = "exceeds_limit"
	TooManyPayments        Code = "too_many_payments"
	TryAgainLater          Code = "try_again_later" // the provider says that a repeat may succeed
	IssuerUnavailable      Code = "issuer_unavailable"
	ProviderProblem        Code = "provider_problem" // a temporary one
	MerchantInvalid        Code = "merchant_invalid" // at this provider; another MID may be taken
	CallIssuer             Code = "call_issuer"
	AuthenticationRequired Code = "authentication_required"
	AuthenticationFailed   Code = "authentication_failed"
	FraudSuspected         Code = "fraud_suspected"
	SecurityViolation      Code = "security_violation"
	CardLost               Code = "card_lost"
	CardStolen             Code = "card_stolen"
	PickUpCard             Code = "pick_up_card"
	CardBlocked            Code = "card_blocked"
	CardNotSupported       Code = "card_not_supported"
	CardInvalid            Code = "card_invalid"
	CardReplaced           Code = "card_replaced" // the payer has a newer card of the account
	CardExpired            Code = "card_expired"
	SecurityCodeInvalid    Code = "security_code_invalid"
	PINInvalid             Code = "pin_invalid"
	TooManyPINs            Code = "too_many_pins"
	AddressMismatch        Code = "address_mismatch"
	AccountInvalid         Code = "account_invalid"
	AccountClosed          Code = "account_closed"
	AccountBlocked         Code = "account_blocked"
	NameMismatch           Code = "name_mismatch"
	VoucherInvalid         Code = "voucher_invalid"
	AmountInvalid          Code = "amount_invalid"
	CurrencyNotSupported   Code = "currency_not_supported"
	Duplicate              Code = "duplicate"
	RecurringStopped       Code = "recurring_stopped"
	NotAllowed             Code = "not_allowed"
	PayerRefused           Code = "payer_refused" // at 3-D Secure, in an app or at a bank
	PayerTooSlow           Code = "payer_too_slow"
)

// The reasons that the service itself has.
const (
	PaidTooLittle    Code = "paid_too_little"
	PaidTooLate      Code = "paid_too_late"
	PaidTooMuch      Code = "paid_too_much" // the payment succeeded
	PayeeCardInvalid Code = "payee_card_invalid"
	CardUnreadable   Code = "card_unreadable"
	ValueInvalid     Code = "value_invalid" // another encrypted field than those of the card
	SavedCardExpired Code = "saved_card_expired"
	SavedCardRemoved Code = "saved_card_removed"
	NotSupported     Code = "not_supported"
	NotPossible      Code = "not_possible"    // the merchant's settings have changed
	RequestRefused   Code = "request_refused" // by the provider, as one that it can't read or take
	Unreachable      Code = "unreachable"
	NotSent          Code = "not_sent"
	NotSentInTime    Code = "not_sent_in_time"
	Disputed         Code = "taken_back"
	Missed           Code = "missed"            // a scheduled charge was not made before the next one was due
	SessionExpired   Code = "session_expired"   // without an attempt
	SessionCancelled Code = "session_cancelled" // without an attempt
	PartlyPaid       Code = "partly_paid"       // the rest may still arrive
	Undecided        Code = "undecided"         // by the provider, so far
	OutcomeUnknown   Code = "outcome_unknown"   // so far
	Person           Code = "decided_by_person" // an outcome that stayed unknown; also of a success
	FailedLater      Code = "failed_later"      // it had succeeded, and the merchant was told so
	Elsewhere        Code = "made_elsewhere"    // a success without a request
	Expired          Code = "authorisation_expired"
	DisputeWon       Code = "dispute_won" // a chargeback that counts no longer
	BlockListCard    Code = "block_list_card"
	BlockListEmail   Code = "block_list_email"
	BlockListIP      Code = "block_list_ip"
)

// The reasons that the service has for a wallet's payment token.
const (
	TokenInvalid     Code = "token_invalid"     // not the wallet's, or changed, or made for something else
	TokenExpired     Code = "token_expired"     // made too long before the payer sent it
	TokenUsed        Code = "token_used"        // by another payment
	TokenAmount      Code = "token_amount"      // the payer confirmed another amount or currency
	TokenKey         Code = "token_key"         // encrypted to a key that the settings do not have
	NotAuthenticated Code = "not_authenticated" // the card needs 3-D Secure, which the connector does not have
)

// Row is a row of All.
type Row struct {
	Code    Code
	Soft    bool   // a retry later, or another MID, may succeed, and the card schemes allow it
	Payer   Code   // whose text the payer gets; "": the code's own
	Meaning string // the card schemes' response codes that mean it; "": none
	Text    string // for merchants, unless the provider has a text of its own
}

// All are all reasons.
//
// Soft follows the schemes' rules of repeats: never after what Visa calls category 1 (the issuer will never approve) or
// Mastercard's merchant advice codes 03 and 21, and never after what only the payer can mend, such as a wrong number.
// Suspected fraud is not soft either, although Visa allows repeats: another MID must not become a way around it. Nor is
// a duplicate: another MID would charge twice.
//
// Who pays with a card that was lost, stolen or blocked, or is suspected of fraud, may be a thief. Such codes are told
// to the payer as Declined, just as the issuer's plain refusal is, so that the text does not tell what the issuer
// knows; the merchant gets the exact code and text. Other codes share a text where the payer has to do the same.
//
// Meaning names the response codes of field 39 of ISO 8583 and of the schemes, and Mastercard's merchant advice codes.
// In Europe, 65 of Mastercard means AuthenticationRequired.
var All = slices.Concat(ofProviders, ofService)

// ofProviders are the reasons that providers give.
var ofProviders = []Row{
	{Declined, hard, itself, "", "Declined by processing."},
	{DoNotHonor, soft, Declined, "05", "The card issuer declined."},
	{DoNotTryAgain, hard, Declined, "N5, advice code 03", "Declined, and a repeat would be, too."},
	{InsufficientFunds, soft, itself, "51", "Insufficient funds."},
	{ExceedsLimit, soft, itself, "61, N4", "The amount is above a limit of the account."},
	{TooManyPayments, soft, ExceedsLimit, "65", "The account was used too often."},
	{TryAgainLater, soft, itself, "19, 22, 90, advice code 02", "The payment can be tried again later."},
	{IssuerUnavailable, soft, TryAgainLater, "68, 91, 92", "The card issuer can't be reached."},
	{ProviderProblem, soft, TryAgainLater, "96, 06, 30, 88", "The payment provider has a problem."},
	{MerchantInvalid, soft, NotSupported, "03, 58", "The provider does not take it for this account."},
	{CallIssuer, hard, itself, "01, 02, 70 (Mastercard)", "The payer has to call the card issuer."},
	{AuthenticationRequired, hard, AuthenticationFailed, "1A", "The issuer asks for 3-D Secure."},
	{AuthenticationFailed, hard, itself, "3-D Secure status N or R", "3-D Secure failed."},
	{FraudSuspected, hard, Declined, "34, 59, 83 (Mastercard)", "Fraud is suspected."},
	{SecurityViolation, hard, Declined, "63", "A security rule was violated."},
	{CardLost, hard, Declined, "41", "The card was reported lost."},
	{CardStolen, hard, Declined, "43", "The card was reported stolen."},
	{PickUpCard, hard, Declined, "04, 07, 67, 79 (Mastercard)", "The card is not valid any more."},
	{CardBlocked, hard, Declined, "36, 62, 78 (Visa), 9G", "The card is blocked or not activated."},
	{CardNotSupported, hard, itself, "57, 82 (Mastercard), 5C", "The card can't be used for this payment."},
	{CardInvalid, hard, itself, "14, 15, 56", "Invalid card"},
	{CardReplaced, hard, CardExpired, "advice code 01", "The card was replaced by a newer one."},
	{CardExpired, hard, itself, "33, 54", "The expiration date of card is expired and not valid."},
	{SecurityCodeInvalid, hard, itself, "N7, 82 (Visa)", "Invalid security code"},
	{PINInvalid, hard, itself, "55, 70 (Visa), 86", "The PIN is wrong or missing."},
	{TooManyPINs, hard, itself, "38, 75", "A wrong PIN was entered too often."},
	{AddressMismatch, hard, itself, "address check N", "The address does not match the card."},
	{AccountInvalid, hard, itself, "39, 42, 52, 53, 76, 77, 78 (Mastercard)", "The account does not exist."},
	{AccountClosed, hard, AccountInvalid, "46", "The account is closed."},
	{AccountBlocked, hard, Declined, "", "The account is blocked."},
	{NameMismatch, hard, AddressMismatch, "6P", "The name does not match the account."},
	{VoucherInvalid, hard, itself, "", "The voucher is not valid or has been used."},
	{AmountInvalid, hard, NotSupported, "13, 64", "The provider does not take this amount."},
	{CurrencyNotSupported, hard, NotSupported, "", "The provider does not take this currency."},
	{Duplicate, hard, itself, "94", "The provider takes it for a repeat of another payment."},
	{RecurringStopped, hard, Declined, "R0, R1, R3, advice code 21", "The payer stopped these payments."},
	{NotAllowed, hard, NotSupported, "12, 40, 93", "The provider does not allow this."},
	{PayerRefused, hard, itself, "17", "The payer refused."},
	{PayerTooSlow, hard, itself, "", "The payer did not finish in time."},
}

// ofService are the reasons that the service itself has.
var ofService = []Row{
	{PaidTooLittle, hard, itself, "", "Less was paid than was due: {arrived} of {due} arrived."},
	{PaidTooLate, hard, itself, "", "Paid too late: {arrived} arrived after the time to pay was over."},
	{PaidTooMuch, hard, itself, "", "More was paid than was due: {arrived} arrived, {due} was due."},
	{PayeeCardInvalid, hard, itself, "", "Invalid card of the recipient"},
	{CardUnreadable, hard, itself, "", "The card data can't be read."},
	{ValueInvalid, hard, itself, "", "What the payer entered is not valid."},
	{SavedCardExpired, hard, CardExpired, "", "The saved card has expired."},
	{SavedCardRemoved, hard, CardUnreadable, "", "The payer has removed the saved card."},
	{NotSupported, hard, itself, "", "The payment provider can't do this."},
	{NotPossible, hard, NotSupported, "", "The payment could not be carried out."},
	{RequestRefused, hard, NotSupported, "", "The payment provider refused the request."},
	{Unreachable, soft, TryAgainLater, "", "The payment provider can't be reached."},
	{NotSent, hard, itself, "", "The payment was not carried out."},
	{NotSentInTime, soft, NotSent, "", "The payment could not be carried out in time."},
	{Disputed, hard, itself, "", "The payment was taken back."},
	{Missed, hard, NotSent, "", "This charge was missed, and the next one is due already."},
	{SessionExpired, hard, PayerTooSlow, "", "Session expired."},
	{SessionCancelled, hard, PayerRefused, "", "Cancelled by the payer."},
	{PartlyPaid, hard, PaidTooLittle, "", "{arrived} of {due} arrived."},
	{Undecided, hard, NotSent, "", "The payment provider has not decided yet."},
	{OutcomeUnknown, hard, NotSent, "", "The payment provider's answer is not known yet."},
	{Person, hard, Declined, "", "A person decided, because the outcome stayed unknown."},
	{FailedLater, hard, Declined, "", "It succeeded first and failed later."},
	{Elsewhere, hard, Declined, "", "It was made at the payment provider, without a request."},
	{Expired, hard, Declined, "", "The authorisation expired."},
	{DisputeWon, hard, Declined, "", "The dispute was won."},
	{BlockListCard, hard, Declined, "", "The card is on a block list."},
	{BlockListEmail, hard, Declined, "", "The payer's e-mail address is on a block list."},
	{BlockListIP, hard, Declined, "", "The payer's IP address is on a block list."},
	{TokenInvalid, hard, itself, "", "The wallet's payment token is not valid."},
	{TokenExpired, hard, TokenInvalid, "", "The wallet's payment token has expired."},
	{TokenUsed, hard, TokenInvalid, "", "The wallet's payment token was used before."},
	{TokenAmount, hard, TokenInvalid, "", "The payer confirmed another amount in the wallet."},
	{TokenKey, hard, TokenInvalid, "", "The token is encrypted to a key that the settings do not have."},
	{NotAuthenticated, hard, AuthenticationFailed, "", "The card needs 3-D Secure, which is not available."},
}

// The values of two columns of All.
const (
	soft, hard      = true, false
	itself     Code = ""
)

// Row returns the row of a code, an empty one if there is none.
func (c Code) Row() Row {
	for _, row := range All {
		if row.Code == c {
			return row
		}
	}
	return Row{}
}

// Soft reports whether a retry, or another MID, may succeed after a decline with that code.
func (c Code) Soft() bool { return c.Row().Soft }

// Known reports whether there is such a code.
func (c Code) Known() bool { return c.Row().Code != "" }

// OfProvider reports whether there is such a code and providers give it.
func (c Code) OfProvider() bool {
	return slices.ContainsFunc(ofProviders, func(row Row) bool { return row.Code == c })
}

// Reason is a code, the provider's own text if there is one, and the amounts that the texts of the code name, as
// decimal text. The page gets what ForPayer makes of it.
type Reason struct {
	Code     Code   `json:"code"`
	Words    string `json:"words,omitempty"`    // the provider's text, shown unchanged
	Language string `json:"language,omitempty"` // of Words, a BCP 47 tag; absent: not known
	Currency string `json:"currency,omitempty"` // of both amounts
	Arrived  string `json:"arrived,omitempty"`
	Due      string `json:"due,omitempty"`
}

// ForPayer returns the reason as the payer may know it, nil for nil. What is told as a plain decline loses the
// provider's text, too, since that may say more.
func (r *Reason) ForPayer() *Reason {
	if r == nil || r.Code.Row().Payer == itself {
		return r
	}
	told := *r
	if told.Code = r.Code.Row().Payer; told.Code == Declined {
		told.Words, told.Language = "", ""
	}
	return &told
}

// MerchantCode returns the code for merchants, "" for a nil reason.
func (r *Reason) MerchantCode() Code {
	if r == nil {
		return ""
	}
	return r.Code
}

// Plain returns the text of a code for merchants where amounts are not known, "" for an unknown code.
func (c Code) Plain() string {
	switch c {
	case PaidTooLittle:
		return "Less was paid than was due."
	case PaidTooLate:
		return "Paid too late: money arrived after the time to pay was over."
	case PaidTooMuch:
		return "More was paid than was due."
	case PartlyPaid:
		return "A part of the amount has arrived."
	}
	return c.Row().Text
}

// Text returns the reason's text for merchants, "" for a nil reason.
func (r *Reason) Text() string {
	switch {
	case r == nil:
		return ""
	case r.Words != "":
		return r.Words
	case r.Arrived == "" || r.Due == "" && strings.Contains(r.Code.Row().Text, "{due}"):
		return r.Code.Plain()
	}
	amounts := strings.NewReplacer("{arrived}", r.Arrived+" "+r.Currency, "{due}", r.Due+" "+r.Currency)
	return amounts.Replace(r.Code.Row().Text)
}
