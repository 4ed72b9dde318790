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

// The payer comes back with the browser's back button, without a decision.
func TestPayerComesBackUndecided(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1", with("session_expiry", 720))
	payer.pays("05/38")
	payer.comesBack(w.server.URL + payer.ReturnPath())
	w.work()
	payer.sees("wait: processing")
	payer.is("3ds")
	w.pass(30 * time.Minute) // the bank gives up long before the session ends, and is looked up
	payer.is("decline (The payer did not finish in time.)")
	payer.sees("form: declined (The payer did not finish in time.)")
	w.shop.told("3ds success 3ds", "sale fail decline")
}
