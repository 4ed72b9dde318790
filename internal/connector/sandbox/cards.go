package sandbox

import (
	"fmt"
	"strings"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/reason"
)

const (
	testCard   = "4111111111111111"
	payoutCard = "4601541833776519"
)

// outcomes are those of the test card by its expiry date (protocol.md, Test key and test cards).
var outcomes = map[string]outcome{
	"01/38": {outcome: connector.OutcomeApproved},
	"02/38": {outcome: connector.OutcomeDeclined, reason: declined},
	"03/38": {outcome: connector.OutcomeApproved, auth: true, ends: when(ending{Reason: declined},
		connector.RequestCapture)},
	"05/38": {outcome: connector.OutcomeApproved, next: connector.Action3DS},
	"06/38": {outcome: connector.OutcomeDeclined, reason: declined, next: connector.Action3DS},
	"12/38": {outcome: connector.OutcomeApproved, next: connector.ActionRedirect},
	"12/39": {outcome: connector.OutcomeDeclined, reason: declined, next: connector.ActionRedirect},

	"01/39": {outcome: connector.OutcomeApproved, fault: neverResponds},
	"02/39": {outcome: connector.OutcomeApproved, fault: respondsLate},
	"03/39": {outcome: connector.OutcomeApproved, fault: notifiesTwice},
	"04/39": {outcome: connector.OutcomeApproved, fault: brokenResponse},
	"05/39": softDecline,
	"06/39": {outcome: connector.OutcomeApproved, fault: requestLost},
	"07/39": {outcome: connector.OutcomeDeclined, reason: declined, fault: neverResponds},

	"01/40": {outcome: connector.OutcomeApproved, ends: when(ending{Fault: neverResponds}, connector.RequestCapture)},
	"02/40": {outcome: connector.OutcomeApproved, ends: when(ending{Fault: neverResponds}, connector.RequestRefund)},
	"03/40": {outcome: connector.OutcomeApproved, ends: when(ending{Fault: respondsLate}, connector.RequestRefund)},
	"04/40": {outcome: connector.OutcomeApproved, ends: when(ending{Reason: declined}, connector.RequestRefund)},
	"05/40": {outcome: connector.OutcomeApproved, ends: when(ending{Reason: declined}, connector.RequestVoid)},
	"06/40": {outcome: connector.OutcomeApproved, ends: when(ending{Fault: neverResponds}, connector.RequestVoid)},
	"07/40": {outcome: connector.OutcomeApproved, ends: when(ending{Fault: brokenResponse}, followUps...)},
	"08/40": {outcome: connector.OutcomeApproved, ends: when(ending{Fault: requestLost}, followUps...)},
	"09/40": {outcome: connector.OutcomeApproved, ends: when(ending{Fault: notifiesTwice}, followUps...)},

	"01/41": {outcome: connector.OutcomeApproved, later: everyOne},
	"02/41": {outcome: connector.OutcomeApproved, later: firstOne},
}

// outcomeOf returns the outcome of a charge by the setting of its MID, its e-mail address, its method and operation,
// and its card. A charge without a payer has no required action.
func outcomeOf(c connector.Charge) outcome {
	o, ok := declineOf(c)
	if !ok {
		o = byMethod(c)
	}
	switch c.Credentials["sandbox"] {
	case "":
	case "declines softly":
		o = outcome{outcome: connector.OutcomeDeclined, reason: providerProblem}
	case "declines":
		o = outcome{outcome: connector.OutcomeDeclined, reason: declined}
	case "never answers":
		o.fault = neverResponds
	default:
		o = outcome{outcome: connector.OutcomeDeclined, reason: "The sandbox does not know this MID's setting."}
	}
	switch {
	case !c.Recurring:
	case o.later == everyOne:
		o = softDecline
	default:
		o.next = ""
	}
	return o
}

// byMethod returns the outcome without the settings of MIDs. A wallet's card has that of its date; where the wallet has
// not authenticated the payer, 3-D Secure comes first. A payout is approved for the payout card; for the test
// card it has the outcome of its date, without a required action.
func byMethod(c connector.Charge) outcome {
	m, _ := method.Find(c.Method)
	switch o := byCard(c.Card); {
	case c.Wallet != nil && c.Wallet.Unauthenticated && o.outcome == connector.OutcomeApproved && o.next == "":
		o.next = connector.Action3DS
		return o
	case method.IsWallet(c.Method):
		return o
	case !m.Card:
		return withoutCard(c, m)
	case c.Operation == method.Credit && c.Card.Number == payoutCard:
		return outcome{outcome: connector.OutcomeApproved}
	case c.Operation == method.Credit:
		o.next, o.auth, o.ends = "", false, nil
		return o
	default:
		return o
	}
}

// byCard returns the outcome of the test card. Every other card is declined.
func byCard(card card.Card) outcome {
	if card.Number != testCard {
		return outcome{outcome: connector.OutcomeDeclined, reason: notATestCard}
	}
	if o, ok := outcomes[fmt.Sprintf("%02d/%02d", card.ExpiryMonth, card.ExpiryYear%100)]; ok {
		return o
	}
	return outcome{outcome: connector.OutcomeDeclined, reason: declined}
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
