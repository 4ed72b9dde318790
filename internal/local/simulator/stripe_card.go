package simulator

import (
	"cmp"
	"net/http"
	"strings"
)

// stripeDecline is how Stripe declines a card.
type stripeDecline struct{ code, decline, parameter, message string }

// stripeCard is what Stripe's test mode does with a card.
type stripeCard struct {
	names    string // of the test payment methods and tokens with this card: pm_card_NAME, tok_NAME
	brand    string
	secure   bool // 3-D Secure is due
	disputed bool // the payer disputes the charge a little later
	attaches bool // to a customer, although charges are declined
	declined stripeDecline
}

// Declines that have a code of their own.
var (
	generic     = declinedWith("generic_decline")
	expiredCard = stripeDecline{"expired_card", "expired_card", "exp_month", "Your card has expired."}
	wrongCode   = stripeDecline{"incorrect_cvc", "incorrect_cvc", "cvc", "Your card's security code is incorrect."}
	processing  = stripeDecline{"processing_error", "processing_error", "",
		"An error occurred while processing your card. Try again in a little bit."}
)

func declinedWith(code string) stripeDecline {
	message := "Your card was declined."
	if code == "insufficient_funds" {
		message = "Your card has insufficient funds."
	}
	return stripeDecline{"card_declined", code, "", message}
}

// stripeCards are Stripe's test cards (docs.stripe.com/testing). All others are approved. The simulator's own choices
// by card come first.
var stripeCards = map[string]stripeCard{
	"4242424242424242": {names: "visa us", brand: "visa"},
	"4000056655665556": {names: "visa_debit", brand: "visa"},
	"5555555555554444": {names: "mastercard", brand: "mastercard"},
	"5200828282828210": {names: "mastercard_debit", brand: "mastercard"},
	"378282246310005":  {names: "amex", brand: "amex"},
	"6011111111111117": {names: "discover", brand: "discover"},
	"30569309025904":   {names: "diners", brand: "diners"},
	"3566002020360505": {names: "jcb", brand: "jcb"},
	"6200000000000005": {names: "unionpay", brand: "unionpay"},
	"4000000000000077": {names: "bypassPending", brand: "visa"},
	"4000000000000259": {names: "createDispute", brand: "visa", disputed: true},

	"4000002500003155": {names: "authenticationRequiredOnSetup", brand: "visa", secure: true},
	"4000002760003184": {names: "authenticationRequired", brand: "visa", secure: true},
	"4000000000003220": {names: "threeDSecure2Required", brand: "visa", secure: true},
	"4000000000003063": {names: "threeDSecureRequired", brand: "visa", secure: true},

	"4000000000000002": {names: "chargeDeclined visa_chargeDeclined", brand: "visa", declined: generic},
	"4000000000000341": {names: "chargeCustomerFail", brand: "visa", attaches: true, declined: generic},
	"4000000000009995": {names: "chargeDeclinedInsufficientFunds visa_chargeDeclinedInsufficientFunds", brand: "visa",
		declined: declinedWith("insufficient_funds")},
	"4000000000009987": {names: "chargeDeclinedLostCard visa_chargeDeclinedLostCard", brand: "visa",
		declined: declinedWith("lost_card")},
	"4000000000009979": {names: "chargeDeclinedStolenCard visa_chargeDeclinedStolenCard", brand: "visa",
		declined: declinedWith("stolen_card")},
	"4000000000004954": {names: "riskLevelHighest", brand: "visa", declined: declinedWith("fraudulent")},
	"4100000000000019": {names: "radarBlock", brand: "visa", declined: declinedWith("fraudulent")},
	"4000000000006975": {names: "visa_chargeDeclinedVelocityLimitExceeded chargeDeclinedVelocityLimitExceeded",
		brand: "visa", declined: declinedWith("card_velocity_exceeded")},
	"4000000000000069": {names: "chargeDeclinedExpiredCard", brand: "visa", declined: expiredCard},
	"4000000000000127": {names: "chargeDeclinedIncorrectCvc", brand: "visa", declined: wrongCode},
	"4000000000000119": {names: "chargeDeclinedProcessingError", brand: "visa", declined: processing},
}

// declines reports whether a card is declined before it is saved.
func (c stripeCard) declines() bool { return c.declined != (stripeDecline{}) && !c.attaches }

// testCard returns the card of a test payment method or token, by what follows pm_card_ or tok_; "" for none.
func testCard(name string) string {
	for number, card := range stripeCards {
		for _, one := range strings.Fields(card.names) {
			if one == name {
				return number
			}
		}
	}
	return ""
}

// stripeCodes are Stripe's codes for reasons of the ledger that are called otherwise.
var stripeCodes = map[string]string{"card_stolen": "stolen_card"}

// declineOf is how Stripe words the decline of an operation: of a test card, or by the reason in the ledger.
func declineOf(o Operation) stripeDecline {
	if card := stripeCards[o.Card]; card.declined != (stripeDecline{}) && o.Kind == Charge {
		return card.declined
	}
	return declinedWith(cmp.Or(stripeCodes[o.Reason], o.Reason))
}

// cardObject is a card as Stripe shows it.
func cardObject(number string) object {
	if number == "" {
		return object{}
	}
	return object{
		"brand": cmp.Or(stripeCards[number].brand, "visa"), "checks": object{"cvc_check": "pass"}, "country": "US",
		"display_brand": cmp.Or(stripeCards[number].brand, "visa"), "exp_month": 12, "exp_year": 2034,
		"fingerprint": "sim" + number[len(number)-4:], "funding": "credit", "last4": number[len(number)-4:],
		"three_d_secure_usage": object{"supported": true}, "wallet": nil,
	}
}

// cardDeclined is the error of a card that is declined.
func cardDeclined(o Operation) *stripeError {
	d := declineOf(o)
	return &stripeError{status: http.StatusPaymentRequired, Type: "card_error", Code: d.code, DeclineCode: d.decline,
		Message: d.message, Par: d.parameter}
}
