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
	payer.comesBack(w.server.URL + payer.ReturnPath())
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

// The payer comes back from the bank before the bank's notice arrives.
func TestPayerIsBackBeforeTheNotice(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.pays("05/38")
	w.store.next("ok", "before") // the ledger is written, the notice fails
	payer.decidesAtBank("confirm")
	w.store.next()

	payer.sees("go " + payer.bankPage())
	payer.comesBack(w.server.URL + payer.ReturnPath())
	payer.sees("wait: processing")
	payer.is("3ds")
	w.work() // the return made a look-up due
	payer.sees("go https://shop.example/paid")
	payer.is("settled")
	w.shop.told("3ds success 3ds", "sale success settled")
}
