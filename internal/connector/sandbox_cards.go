package connector

import (
	"fmt"

	"checkout/internal/card"
	"checkout/internal/checkout"
)

// outcome is what a test card leads to.
type outcome struct {
	outcome checkout.Outcome
	reason  string
	soft    bool
	auth    bool            // only authorised, whatever was asked for
	next    checkout.Status // a step of the payer before it
	fault   fault
	follow  map[checkout.JobKind]ending // of captures, voids and refunds that do not simply succeed
	later   refusals
}

// ending is what a capture, void or refund leads to: declined if there is a reason.
type ending struct {
	Reason string `json:"reason,omitempty"`
	Fault  fault  `json:"fault,omitempty"`
}

// fault is a way in which a provider's answer can go wrong.
type fault int

const (
	noFault      fault = iota
	neverAnswers       // carried out, but no answer comes
	answersLate        // carried out, but only after the time limit
	answersTwice       // two notices beside the answer
	brokenAnswer       // carried out, but the answer can't be read
	neverArrives       // the first question is lost on its way
)

// refusals says which later charges of a recurring chain are softly declined.
type refusals int

const (
	noRefusals refusals = iota
	everyOne
	firstOne // of the chain; its retry and all others settle
)

const (
	testCard   = "4111111111111111"
	payoutCard = "4601541833776519"

	declined          = "Declined by processing."
	insufficientFunds = "Insufficient funds, try again later."
	providerProblem   = "The provider has a problem, try again later."
	notATestCard      = "Not a test card."
)

// outcomes are those of the test card by its expiry date (decisions.md 8).
var outcomes = map[string]outcome{
	"01/38": {outcome: checkout.OutcomeApproved},
	"02/38": {outcome: checkout.OutcomeDeclined, reason: declined},
	"03/38": {outcome: checkout.OutcomeApproved, auth: true, follow: does(ending{Reason: declined}, checkout.JobCapture)},
	"05/38": {outcome: checkout.OutcomeApproved, next: checkout.Status3DS},
	"06/38": {outcome: checkout.OutcomeDeclined, reason: declined, next: checkout.Status3DS},
	"12/38": {outcome: checkout.OutcomeApproved, next: checkout.StatusRedirect},
	"12/39": {outcome: checkout.OutcomeDeclined, reason: declined, next: checkout.StatusRedirect},

	"01/39": {outcome: checkout.OutcomeApproved, fault: neverAnswers},
	"02/39": {outcome: checkout.OutcomeApproved, fault: answersLate},
	"03/39": {outcome: checkout.OutcomeApproved, fault: answersTwice},
	"04/39": {outcome: checkout.OutcomeApproved, fault: brokenAnswer},
	"05/39": softDecline,
	"06/39": {outcome: checkout.OutcomeApproved, fault: neverArrives},
	"07/39": {outcome: checkout.OutcomeDeclined, reason: declined, fault: neverAnswers},

	"01/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Fault: neverAnswers}, checkout.JobCapture)},
	"02/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Fault: neverAnswers}, checkout.JobRefund)},
	"03/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Fault: answersLate}, checkout.JobRefund)},
	"04/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Reason: declined}, checkout.JobRefund)},
	"05/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Reason: declined}, checkout.JobVoid)},
	"06/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Fault: neverAnswers}, checkout.JobVoid)},
	"07/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Fault: brokenAnswer}, followUps...)},
	"08/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Fault: neverArrives}, followUps...)},
	"09/40": {outcome: checkout.OutcomeApproved, follow: does(ending{Fault: answersTwice}, followUps...)},

	"01/41": {outcome: checkout.OutcomeApproved, later: everyOne},
	"02/41": {outcome: checkout.OutcomeApproved, later: firstOne},
}

var followUps = []checkout.JobKind{checkout.JobCapture, checkout.JobVoid, checkout.JobRefund}

// does gives kinds of follow-ups the same ending.
func does(e ending, kinds ...checkout.JobKind) map[checkout.JobKind]ending {
	all := map[checkout.JobKind]ending{}
	for _, kind := range kinds {
		all[kind] = e
	}
	return all
}

var softDecline = outcome{outcome: checkout.OutcomeDeclined, reason: insufficientFunds, soft: true}

// outcomeOf answers what a charge leads to: by its MID's setting, its method
// and operation, and its card. Where no payer is there, nobody confirms anything.
func outcomeOf(c checkout.Charge) outcome {
	o := byMethod(c)
	switch c.Credentials["sandbox"] {
	case "":
	case "declines softly":
		o = outcome{outcome: checkout.OutcomeDeclined, reason: providerProblem, soft: true}
	case "declines":
		o = outcome{outcome: checkout.OutcomeDeclined, reason: declined}
	case "never answers":
		o.fault = neverAnswers
	default:
		o = outcome{outcome: checkout.OutcomeDeclined, reason: "The sandbox does not know this MID's setting."}
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

// byMethod is the outcome as if there were no MIDs. A payout goes to the
// payout card, and to the test card as its date says, without a payer who could
// do anything.
func byMethod(c checkout.Charge) outcome {
	switch o := byCard(c.Card); {
	case c.Operation == "credit" && c.Card.Number == payoutCard:
		return outcome{outcome: checkout.OutcomeApproved}
	case c.Operation == "credit":
		o.next, o.auth, o.follow = "", false, nil
		return o
	case c.Operation != "credit" && c.Method == "crypto":
		return outcome{outcome: checkout.OutcomeApproved, next: checkout.StatusPending}
	default:
		return o
	}
}

// byCard is the outcome of the test card; any other card is declined.
func byCard(card card.Card) outcome {
	if card.Number != testCard {
		return outcome{outcome: checkout.OutcomeDeclined, reason: notATestCard}
	}
	if o, ok := outcomes[fmt.Sprintf("%02d/%02d", card.ExpiryMonth, card.ExpiryYear%100)]; ok {
		return o
	}
	return outcome{outcome: checkout.OutcomeDeclined, reason: declined}
}
