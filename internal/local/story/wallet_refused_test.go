package story

import (
	"sync"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/wallet/testwallet"
)

// decryptedRow is the flow in which the provider gets the card alone.
var decryptedRow = walletRow{keys: true, support: settings.WalletSupport{CardFlow: true, Decrypted: true},
	card: true, decrypted: true}

// A token that is not good is declined before the provider gets anything, and the payer may try again. The package
// wallet has a table of all that can be wrong with a token.
func TestTokensThatAreRefused(t *testing.T) {
	apple, google := testwallet.ApplePay, testwallet.GooglePay
	unchanged := func(*testwallet.Content) {}
	for _, test := range []struct {
		name   string
		kind   testwallet.Kind
		change TokenChange
		fault  testwallet.Fault
		want   string
	}{
		{"expired", google, unchanged, testwallet.Expired, "token_expired"},
		{"forged", apple, unchanged, testwallet.OtherRoot, "token_invalid"},
		{"of another key", apple, unchanged, testwallet.UnknownKey, "token_key"},
		{"of another amount", apple, unchanged, testwallet.AmountChanged, "token_amount"},
		{"of another session", apple, unchanged, testwallet.OtherSession, "token_invalid"},
		{"for another merchant", google, unchanged, testwallet.OtherRecipient, "token_invalid"},
		{"of a card that is over", google, func(c *testwallet.Content) { c.ExpiryYear = 2029 }, "", "card_expired"},
	} {
		t.Run(test.name+" "+string(test.kind), func(t *testing.T) {
			w, bank := decryptedRow.opens(t)
			payer := w.shop.visits("pen-1")
			payer.paysWithToken(test.kind, w.Token(test.kind, payer.Content("01/38", test.change), test.fault))
			w.declinedFor(payer, bank, test.want)
			payer.paysBy(test.kind, "01/38")
			payer.is("settled")
		})
	}
}

// declinedFor checks that the latest attempt was declined for a reason, and that the provider got nothing.
func (w *World) declinedFor(payer *Visit, bank *provider, code string) {
	w.t.Helper()
	_, status := w.shop.status("order_id", payer.order)
	if status["status"] != "decline" || status["reason_code"] != code || len(bank.charges) != 0 {
		w.t.Errorf("%v, %d charges; want %s", status, len(bank.charges), code)
	}
	want := "form: declined (token_invalid)"
	if code == "card_invalid" || code == "card_expired" || code == "authentication_failed" {
		want = "form: declined (" + code + ")"
	}
	payer.sees(want)
	w.sealedAre(0)
}

// The roots of the vendors do not accept the sandbox's tokens.
func TestSandboxTokensAreNotLive(t *testing.T) {
	for _, kind := range walletKinds {
		w := open(t, takingWallets, func(m *settings.Merchant) { m.Wallets = WalletSettings(t, true) })
		vendors := w.app.Runner.Wallets
		bank := &provider{}
		w.vendors(bank, decryptedRow.support)
		if kind == testwallet.ApplePay {
			w.app.Runner.Wallets = vendors
		} else {
			w.vendorsOfAnotherRoot()
		}
		payer := w.shop.visits("pen-1")
		payer.paysBy(kind, "01/38")
		w.declinedFor(payer, bank, "token_invalid")
	}
}

// A token pays once: not twice in one session, nor in two sessions, nor for two merchants, nor at the same time.
func TestTokensAreUsedOnce(t *testing.T) {
	for _, row := range walletRows {
		for _, kind := range walletKinds {
			t.Run(row.name+" "+string(kind), func(t *testing.T) {
				w, bank := row.opens(t)
				bank.charge = onCharge(declined)
				first := w.shop.visits("pen-1")
				token := row.token(first, kind)
				first.paysWithToken(kind, token)
				first.is("decline (Declined by processing.)")
				bank.charge = nil
				w.clock.Move(time.Second)
				first.paysWithToken(kind, token)
				w.usedBefore(first)
				if kind == testwallet.ApplePay {
					return // another session does not fit its token, in the first place
				}
				second := w.shop.visits("pen-2")
				second.paysWithToken(kind, token)
				w.usedBefore(second)
				other := w.newShop("other", takingWallets,
					func(m *settings.Merchant) { m.Wallets = WalletSettings(t, row.keys) })
				other.live = true
				third := other.visits("pen-3")
				third.paysWithToken(kind, token)
				w.usedBefore(third)
				if len(bank.charges) != 1 {
					t.Errorf("%d charges", len(bank.charges))
				}
			})
		}
	}
}

// usedBefore checks that the latest attempt was declined, because its token was used.
func (w *World) usedBefore(v *Visit) {
	w.t.Helper()
	_, status := v.shop.status("order_id", v.order)
	if status["status"] != "decline" || status["reason_code"] != "token_used" {
		w.t.Errorf("%v", status)
	}
}

// Of two payments that are sent at the same time with one token, one is charged.
func TestTokenUsedAtTheSameTime(t *testing.T) {
	w, bank := decryptedRow.opens(t)
	first, second := w.shop.visits("pen-1"), w.shop.visits("pen-2")
	token := w.Token(testwallet.GooglePay, first.Content("01/38"), "")
	for _, payer := range []*Visit{first, second} {
		payer.send(payer.hands(testwallet.GooglePay, token))
	}
	var both sync.WaitGroup
	for _, payer := range []*Visit{first, second} {
		both.Go(func() { _ = payer.runs() })
	}
	both.Wait()
	w.work()
	statuses := map[any]int{}
	for _, payer := range []*Visit{first, second} {
		_, status := w.shop.status("order_id", payer.order)
		statuses[status["status"]]++
	}
	if len(bank.charges) != 1 || statuses["settled"] != 1 || statuses["decline"] != 1 {
		t.Errorf("%d charges, %v", len(bank.charges), statuses)
	}
}
