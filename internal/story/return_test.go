package story

import (
	"testing"
	"time"
)

// The payer comes back from 3-D Secure without a decision: there is no second redirect, the session's time goes on, and
// a late approval still counts.
func TestBackFromThreeDSecureUndecided(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1", with("session_expiry", 5))
	payer.pays("05/38")
	bank := payer.bankPage()
	payer.comesBack(w.app.Core.BaseURL + payer.returnPath())
	payer.sees("wait: processing")
	w.pass(4 * time.Minute)
	payer.sees("wait: checking_outcome")
	w.pass(time.Minute)
	payer.sees("go https://shop.example/late")
	payer.is("3ds")
	payer.pressesAt(bank, "confirm")
	w.work()
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
}
