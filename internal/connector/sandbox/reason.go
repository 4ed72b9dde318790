package sandbox

import (
	"strings"

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
	tooLate           = "The payer did not finish in time."
	payerEnded        = "The payer ended the payment." // to pay in another way, or not at all
	wrongCode         = "The code was wrong too often."
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
