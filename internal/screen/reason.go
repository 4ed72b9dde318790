package screen

import "strings"

// ReasonCode says why a payment was declined, or what was unusual about a success. The page has a text for each code in
// every language; merchants get the text in ReasonTexts.
type ReasonCode string

// The reasons. Some come from providers, which may add a text of their own, the others from the service.
const (
	ReasonDeclined            ReasonCode = "declined" // the provider gave no reason that has a code
	ReasonInsufficientFunds   ReasonCode = "insufficient_funds"
	ReasonProviderProblem     ReasonCode = "provider_problem" // a temporary one
	ReasonPayerRefused        ReasonCode = "payer_refused"    // at 3-D Secure, in an app or at a bank
	ReasonPayerTooSlow        ReasonCode = "payer_too_slow"
	ReasonPaidTooLittle       ReasonCode = "paid_too_little"
	ReasonPaidTooLate         ReasonCode = "paid_too_late"
	ReasonPaidTooMuch         ReasonCode = "paid_too_much" // the payment succeeded
	ReasonCardInvalid         ReasonCode = "card_invalid"
	ReasonCardExpired         ReasonCode = "card_expired"
	ReasonSecurityCodeInvalid ReasonCode = "security_code_invalid"
	ReasonPayeeCardInvalid    ReasonCode = "payee_card_invalid"
	ReasonCardUnreadable      ReasonCode = "card_unreadable"
	ReasonValueInvalid        ReasonCode = "value_invalid" // another encrypted field than those of the card
	ReasonSavedCardExpired    ReasonCode = "saved_card_expired"
	ReasonNotSupported        ReasonCode = "not_supported"
	ReasonNotPossible         ReasonCode = "not_possible" // the merchant's settings have changed
	ReasonUnreachable         ReasonCode = "unreachable"
	ReasonNotSent             ReasonCode = "not_sent"
	ReasonNotSentInTime       ReasonCode = "not_sent_in_time"
	ReasonDisputed            ReasonCode = "taken_back"
	ReasonMissed              ReasonCode = "missed" // a scheduled charge was not made before the next one was due
)

// ReasonTexts are the texts that merchants get for reasons without a text of the provider.
var ReasonTexts = map[ReasonCode]string{
	ReasonDeclined:            "Declined by processing.",
	ReasonInsufficientFunds:   "Insufficient funds.",
	ReasonProviderProblem:     "The payment provider has a problem.",
	ReasonPayerRefused:        "The payer refused.",
	ReasonPayerTooSlow:        "The payer did not finish in time.",
	ReasonPaidTooLittle:       "Less was paid than was due: {arrived} of {due} arrived.",
	ReasonPaidTooLate:         "Paid too late: {arrived} arrived after the time to pay was over.",
	ReasonPaidTooMuch:         "More was paid than was due: {arrived} arrived, {due} were due.",
	ReasonCardInvalid:         "Invalid card",
	ReasonCardExpired:         "The expiration date of card is expired and not valid.",
	ReasonSecurityCodeInvalid: "Invalid security code",
	ReasonPayeeCardInvalid:    "Invalid card of the recipient",
	ReasonCardUnreadable:      "The card data can't be read.",
	ReasonValueInvalid:        "What the payer entered is not valid.",
	ReasonSavedCardExpired:    "The saved card has expired.",
	ReasonNotSupported:        "The payment provider can't do this.",
	ReasonNotPossible:         "The payment could not be carried out.",
	ReasonUnreachable:         "The payment provider can't be reached.",
	ReasonNotSent:             "The payment was not carried out.",
	ReasonNotSentInTime:       "The payment could not be carried out in time.",
	ReasonDisputed:            "The payment was taken back.",
	ReasonMissed:              "This charge was missed, and the next one is due already.",
}

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
	return amounts.Replace(ReasonTexts[r.Code])
}
