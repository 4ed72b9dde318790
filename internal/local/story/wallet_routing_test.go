package story

import (
	"fmt"
	"strings"
	"testing"

	"checkout/internal/settings"
	"checkout/internal/wallet/testwallet"
)

// twoWalletBanks opens a world of the card flow with two MIDs, the first of which can't be reached. Both get what the
// wallet tells; secure says whether the second one sends payers to 3-D Secure.
func twoWalletBanks(t *testing.T, secure bool) (w *World, first, second *provider) {
	w, first = decryptedRow.opens(t, func(m *settings.Merchant) {
		other := m.Mappings[0].MIDs[0]
		other.Name, other.Connector = "mid-2", anotherBank
		m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, other)
	})
	first.charge, second = down, &provider{}
	w.connects(anotherBank, second)
	can := w.app.Core.Declarations[anotherBank]
	can.ThreeDSecure = secure
	w.declares(anotherBank, can)
	return w, first, second
}

// A MID that takes over a charge because the first one was not reached gets all that the wallet tells, too.
func TestWalletNotReached(t *testing.T) {
	w, first, second := twoWalletBanks(t, true)
	payer := w.shop.visits("pen-1")
	payer.paysBy(testwallet.GooglePay, "01/38", panOnly)
	payer.is("settled")
	before, c := first.charges[0], second.charges[0]
	if c.Wallet == nil || *c.Wallet != *before.Wallet || c.Card.Number != before.Card.Number ||
		c.CardName != before.CardName || !c.Wallet.Unauthenticated {
		t.Errorf("the second MID gets %+v and %q", c.Wallet, c.CardName)
	}
}

// An open circuit breaker moves a charge before its token is decrypted. A card that nobody has authenticated the payer
// for then goes to the MID that sends payers to 3-D Secure, although its circuit breaker is open.
func TestPANOnlyWhileACircuitBreakerIsOpen(t *testing.T) {
	w, first, second := twoWalletBanks(t, false)
	for i := range 5 {
		w.shop.visits(fmt.Sprint("pen-", i)).paysBy(testwallet.GooglePay, "01/38")
	}
	if got := w.shop.explainsCircuit("mid-1"); !strings.HasPrefix(got, "open") {
		t.Fatalf("the circuit breaker of mid-1 is %q", got)
	}
	first.charge = nil
	tried, moved := len(first.charges), len(second.charges)
	payer := w.shop.visits("pen-5")
	payer.paysBy(testwallet.GooglePay, "01/38", panOnly)
	payer.is("settled")
	if len(first.charges) != tried+1 || len(second.charges) != moved || !first.charges[tried].Wallet.Unauthenticated {
		t.Errorf("%d and %d more charges", len(first.charges)-tried, len(second.charges)-moved)
	}
	if p := payer.payment(); p.MID != "mid-1" || p.Connector == anotherBank {
		t.Errorf("paid at %s of %s", p.MID, p.Connector)
	}
	w.shop.visits("pen-6").paysBy(testwallet.GooglePay, "01/38")
	if len(second.charges) != moved+1 {
		t.Error("a card of a device does not go past the open circuit breaker")
	}
}
