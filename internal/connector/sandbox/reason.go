package sandbox

import (
	"strings"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// The sandbox's own texts of declines.
const (
	declined          = "Declined by processing."
	insufficientFunds = "Insufficient funds, try again later."
	providerProblem   = "The provider has a problem, try again later."
	notATestCard      = "Not a test card."
	payerRefused      = "The payer refused."
	wrongAmount       = "This is no amount of the payment."
	aboveAuthorised   = "This is more than was authorised."
	aboveCaptured     = "This is more than is left of the payment."
)

// reasonCodes are the codes of the texts that have another one than their operation's.
var reasonCodes = map[string]reason.Code{
	declined:          reason.Declined,
	insufficientFunds: reason.InsufficientFunds,
	providerProblem:   reason.ProviderProblem,
	notATestCard:      reason.CardInvalid,
	payerRefused:      reason.PayerRefused,
	payerEnded:        reason.PayerRefused,
	tooLate:           reason.PayerTooSlow,
	wrongCode:         reason.AuthenticationFailed,
	wrongAmount:       reason.AmountInvalid,
	aboveAuthorised:   reason.AmountInvalid,
	aboveCaptured:     reason.AmountInvalid,
}

// reasonCode is the service's code of a decline, "" where the money that arrived explains it.
func (e entry) reasonCode() reason.Code {
	code, ok := reasonCodes[e.Reason]
	switch {
	case e.ReasonCode != "":
		return e.ReasonCode
	case !ok && e.Kind != connector.RequestCharge:
		return reason.NotAllowed
	}
	return code
}

// approvedNumber is the sandbox's own code of an approval, as card schemes number them (ISO 8583, field 39).
const approvedNumber = "00"

// numberOf is the sandbox's own code of a decline: the card schemes' first one for the reason, otherwise the one of a
// decline without a reason.
func numberOf(code reason.Code) string {
	number, _, _ := strings.Cut(code.Row().Meaning, ",")
	if len(number) != len(approvedNumber) {
		return "05"
	}
	return number
}

// declinePrefix begins the part of customer.email before the @ that names the reason code of a decline.
const declinePrefix = "decline-"

// declineOf returns the decline of a charge whose e-mail address names a reason code.
func declineOf(c connector.Charge) (o outcome, ok bool) {
	name, ok := strings.CutPrefix(localPart(c), declinePrefix)
	code := reason.Code(name)
	if !ok || !code.OfProvider() {
		return outcome{}, false
	}
	return outcome{outcome: connector.OutcomeDeclined, code: code}, true
}
