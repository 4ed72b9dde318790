package story

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/merchant"
)

// saves pays with req_token and answers the card_token of the callback.
func (s *shop) saves(number, expiry string) string {
	s.w.t.Helper()
	payer := s.visits(number, with("req_token", true))
	payer.pays(expiry)
	taken := s.taken()
	token := taken[len(taken)-1].fields.Get("card_token")
	if len(token) != 64 {
		s.w.t.Fatalf("card_token %q of %s", token, payer.status())
	}
	return token
}

// chooses pays with a saved card of the form, and a security code where it is asked for.
func (v *visit) chooses(saved string) checkout.Screen {
	v.w.t.Helper()
	form := v.screen()
	pay := v.fill(form, card.Card{SecurityCode: securityCode})
	pay.Saved = saved
	return v.send(pay)
}

// A card is saved once, shown masked, and paid with again without its number.
func TestSavedCard(t *testing.T) {
	w := open(t, operations)
	token := w.shop.saves("pen-1", "01/38")
	payer := w.shop.visits("pen-2", with("card_token", []string{token}), with("req_token", true))
	form := payer.screen()
	saved := form.Methods[0].Saved
	if len(saved) != 1 || saved[0].Mask != "411111******1111" || saved[0].Expiry != "01/2038" || len(saved[0].Fields) != 0 {
		t.Fatalf("saved cards %+v", saved)
	}
	if text, _ := json.Marshal(form); strings.Contains(string(text), token) {
		t.Error("the page is told the token")
	}
	pay := payer.fill(form, card.Card{})
	pay.Saved, pay.Sealed = saved[0].ID, nil
	payer.send(pay)
	w.work()
	payer.is("settled")
	last := w.shop.last("sale").fields
	if last.Get("card") != "411111******1111" || last.Get("card_token") != "" || last.Get("customer_name") != "Ada Lovelace" {
		t.Errorf("the shop was told %v", last)
	}
	// Another card is always possible, and saved no more: req_token is ignored beside card_token.
	payer = w.shop.visits("pen-3", with("card_token", []string{token}), with("req_token", true))
	payer.pays("01/38")
	payer.is("settled")
	if last := w.shop.last("sale").fields; last.Get("card_token") != "" {
		t.Errorf("the shop was given %v", last)
	}
}

// The security code of a saved card is asked for where a MID wants it.
func TestSavedCardAsksSecurityCode(t *testing.T) {
	w := open(t, operations, func(m *merchant.Merchant) { m.Mappings[0].MIDs[0].SecurityCode = true })
	token := w.shop.saves("pen-1", "01/38")
	payer := w.shop.visits("pen-2", with("card_token", []string{token}))
	saved := payer.screen().Methods[0].Saved[0]
	if len(saved.Fields) != 1 || saved.Fields[0].ID != "payer_cvv" || !saved.Fields[0].Sealed {
		t.Errorf("asked for %+v", saved.Fields)
	}
	pay := payer.fill(payer.screen(), card.Card{})
	pay.Saved, pay.Sealed = saved.ID, nil
	if code, body := w.call("POST", "/page/v1/"+payer.session+"/pay", pay); code != http.StatusBadRequest {
		t.Errorf("without a security code: %d %s", code, body)
	}
	payer.chooses(saved.ID)
	w.work()
	payer.is("settled")
}

// Tokens that can't be paid with, each with its code and place.
func TestCardTokenRefused(t *testing.T) {
	w := open(t, operations)
	other := w.newShop("-2", operations)
	token, foreign := w.shop.saves("pen-1", "01/38"), other.saves("pen-1", "01/38")
	unknown := strings.Repeat("0", 64)
	refused := func(tokens []string, want ...string) {
		t.Helper()
		code, answer := w.ask("/api/v1/session", w.shop.sign(w.shop.order("pen-2", with("card_token", tokens))))
		errors, _ := answer["errors"].([]any)
		if code != http.StatusBadRequest || len(errors) != len(want) {
			t.Fatalf("%d %v", code, answer)
		}
		for i, e := range errors {
			got := inWords(code, map[string]any{"errors": []any{e}})
			if got != want[i] {
				t.Errorf("%s, want %s", got, want[i])
			}
		}
	}
	refused([]string{unknown, token, foreign},
		"400 205005 card_token[0]: Card token is not found.",
		"400 205007 card_token[2]: Card token belongs to another merchant.")
	refused([]string{"short"}, "400 100000 card_token[0]: This value is not valid. It should have 64 characters.")
	w.clock.move(time.Date(2038, 2, 1, 12, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	refused([]string{token}, "400 205006 card_token[0]: Card token has expired.")
}

// A declined payment saves nothing, and what is stored of a card is never in the clear.
func TestDeclinedCardIsNotSaved(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1", with("req_token", true))
	payer.pays("02/38")
	if token := w.shop.last("sale").fields.Get("card_token"); token != "" {
		t.Errorf("card_token %q", token)
	}
	for _, record := range w.app.Store.Dump() {
		if strings.HasPrefix(record.Key.Partition, "card/") || strings.Contains(string(record.Doc), "ciphertext") {
			t.Errorf("%v holds a card", record.Key)
		}
	}
	payer.pays("05/38") // 3-D Secure: the card is not in anybody's memory when the yes comes
	payer.presses("confirm")
	w.work()
	payer.is("settled")
	if token := w.shop.last("sale").fields.Get("card_token"); len(token) != 64 {
		t.Errorf("card_token %q", token)
	}
}
