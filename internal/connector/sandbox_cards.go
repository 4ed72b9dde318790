package connector

import (
	"fmt"

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

const (
	testCard = "4111111111111111"
	declined = "Declined by processing."
)

// outcomes are those of the test card by its expiry date (decisions.md 8).
var outcomes = map[string]outcome{
	"01/38": {outcome: checkout.OutcomeApproved},
	"02/38": {outcome: checkout.OutcomeDeclined, reason: declined},
	"03/38": {outcome: checkout.OutcomeApproved, auth: true}, // the later capture is declined
	"05/38": {outcome: checkout.OutcomeApproved, next: checkout.Status3DS},
	"06/38": {outcome: checkout.OutcomeDeclined, reason: declined, next: checkout.Status3DS},
	"12/38": {outcome: checkout.OutcomeApproved, next: checkout.StatusRedirect},
	"12/39": {outcome: checkout.OutcomeDeclined, reason: declined, next: checkout.StatusRedirect},

	"01/39": {outcome: checkout.OutcomeApproved, fault: neverAnswers},
	"02/39": {outcome: checkout.OutcomeApproved, fault: answersLate},
	"03/39": {outcome: checkout.OutcomeApproved, fault: answersTwice},
	"04/39": {outcome: checkout.OutcomeApproved, fault: brokenAnswer},
	"05/39": {outcome: checkout.OutcomeDeclined, reason: "Insufficient funds, try again later.", soft: true},
	"06/39": {outcome: checkout.OutcomeApproved, fault: neverArrives},
	"07/39": {outcome: checkout.OutcomeDeclined, reason: declined, fault: neverAnswers},
}

// outcomeOf answers what a card leads to. Any card but the test card is declined.
func outcomeOf(card checkout.Card) outcome {
	if card.Number != testCard {
		return outcome{outcome: checkout.OutcomeDeclined, reason: "Not a test card."}
	}
	if o, ok := outcomes[fmt.Sprintf("%02d/%02d", card.ExpiryMonth, card.ExpiryYear%100)]; ok {
		return o
	}
	return outcome{outcome: checkout.OutcomeDeclined, reason: declined}
}
