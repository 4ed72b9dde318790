package story

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/wallet/testwallet"
)

// sendsSealed pays by a method with a sealed card or token, whatever the page seals for that method.
func (v *Visit) sendsSealed(id string, sealed card.Card) {
	v.w.t.Helper()
	page := v.screen()
	i := slices.IndexFunc(page.Methods, func(m screen.Method) bool { return m.ID == id })
	page.Methods = page.Methods[i:]
	v.send(v.Fill(page, sealed))
	v.w.work()
}

// What is sealed for one method is nothing for another: it is declined before the provider gets anything.
func TestSealedForAnotherMethod(t *testing.T) {
	typed := paymentCard(t, "01/38")
	for _, test := range []struct {
		name, method string
		row          walletRow
		made         testwallet.Kind // "" for a card
		want         string
	}{
		{"Apple Pay as Google Pay", method.GooglePay, walletRows[0], testwallet.ApplePay, "token_invalid"},
		{"Google Pay as Apple Pay", method.ApplePay, decryptedRow, testwallet.GooglePay, "token_invalid"},
		{"a card as Apple Pay", method.ApplePay, walletRows[0], "", "token_invalid"},
		{"a card as Google Pay", method.GooglePay, decryptedRow, "", "token_invalid"},
		{"a token as a card", method.Card, decryptedRow, testwallet.GooglePay, "card_invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, bank := test.row.opens(t)
			payer := w.shop.visits("pen-1")
			sealed := typed
			if test.made != "" {
				sealed = card.Card{Token: w.Token(test.made, payer.Content("01/38"), "")}
			}
			payer.sendsSealed(test.method, sealed)
			w.declinedFor(payer, bank, test.want)
		})
	}
}

// A token beside a card is not used where a card is paid with, nor the card where a token is.
func TestTokenBesideACard(t *testing.T) {
	w, bank := decryptedRow.opens(t)
	payer := w.shop.visits("pen-1")
	both := paymentCard(t, "01/38")
	both.Token = w.Token(testwallet.GooglePay, payer.Content("02/38"), "")
	payer.sendsSealed(method.Card, both)
	payer.is("settled")
	if len(bank.charges) != 1 || bank.charges[0].Wallet != nil || bank.charges[0].Card.PANType != "" {
		t.Errorf("%d charges", len(bank.charges))
	}
}

// A merchant whose response was lost sends the request again, later, written in another way, or for another order: the
// token pays once.
func TestTokenFromAServerAgain(t *testing.T) {
	for _, kind := range walletKinds {
		w, bank := decryptedRow.opens(t)
		token := w.shop.unbound(kind, "01/38")
		if _, first := w.shop.paysFromServer("pen-1", kind, token); first["status"] != "settled" {
			t.Fatalf("%s: %v", kind, first)
		}
		w.skip(20 * time.Second) // the protocol takes the order again by then
		for number, again := range map[string]any{
			"pen-1": json.RawMessage(token), "pen-2": " \n" + token,
			"pen-3": json.RawMessage(token[:1] + `"x":1,` + token[1:]),
		} {
			code, response := w.shop.paysFromServer(number, kind, again)
			if code != 200 || response["status"] != "decline" || response["reason_code"] != "token_used" {
				t.Errorf("%s, %s: %d %v", kind, number, code, response)
			}
		}
		if len(bank.charges) != 1 {
			t.Errorf("%s: %d charges", kind, len(bank.charges))
		}
	}
}
