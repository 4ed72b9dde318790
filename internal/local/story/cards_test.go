package story

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// saves pays with req_token and returns the card_token of the callback.
func (s *Shop) saves(number, expiry string) string {
	s.w.t.Helper()
	payer := s.visits(number, with("req_token", true))
	payer.pays(expiry)
	taken := s.Taken()
	token := taken[len(taken)-1].Fields.Get("card_token")
	if len(token) != 64 {
		s.w.t.Fatalf("card_token %q of %s", token, payer.status())
	}
	return token
}

// chooses pays with a saved card of the form and its security code.
func (v *Visit) chooses(saved string) screen.Screen {
	v.w.t.Helper()
	form := v.screen()
	pay := v.Fill(form, card.Card{SecurityCode: securityCode})
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
	if len(saved) != 1 || saved[0].Mask != "411111******1111" ||
		saved[0].Expiry != "01/2038" || len(saved[0].Fields) != 0 {
		t.Fatalf("saved cards %+v", saved)
	}
	if text, _ := json.Marshal(form); strings.Contains(string(text), token) {
		t.Error("the screen has the token")
	}
	pay := payer.Fill(form, card.Card{})
	pay.Saved, pay.Sealed = saved[0].ID, nil
	payer.send(pay)
	w.work()
	payer.is("settled")
	last := w.shop.last("sale").Fields
	if last.Get("card") != "411111******1111" || last.Get("card_token") != "" ||
		last.Get("customer_name") != "Ada Lovelace" {
		t.Errorf("the shop was told %v", last)
	}
	// The payer can always enter another card. It is not saved: req_token is ignored beside card_token.
	payer = w.shop.visits("pen-3", with("card_token", []string{token}), with("req_token", true))
	payer.pays("01/38")
	payer.is("settled")
	if last := w.shop.last("sale").Fields; last.Get("card_token") != "" {
		t.Errorf("the shop was told %v", last)
	}
}

// A MID can require the security code of a saved card.
func TestSavedCardAsksSecurityCode(t *testing.T) {
	w := open(t, operations, func(m *settings.Merchant) { m.Mappings[0].MIDs[0].SecurityCode = true })
	token := w.shop.saves("pen-1", "01/38")
	payer := w.shop.visits("pen-2", with("card_token", []string{token}))
	saved := payer.screen().Methods[0].Saved[0]
	if len(saved.Fields) != 1 || saved.Fields[0].ID != "payer_cvv" || !saved.Fields[0].Sealed {
		t.Errorf("the form has %+v", saved.Fields)
	}
	pay := payer.Fill(payer.screen(), card.Card{})
	pay.Saved, pay.Sealed = saved.ID, nil
	if code, body := w.call("POST", payer.Path("pay"), pay); code != http.StatusBadRequest {
		t.Errorf("without a security code: %d %s", code, body)
	}
	payer.chooses(saved.ID)
	w.work()
	payer.is("settled")
}

// Each token that is refused has its own error code and field.
func TestCardTokenRefused(t *testing.T) {
	w := open(t, operations)
	other := w.newShop("-2", operations)
	token, foreign := w.shop.saves("pen-1", "01/38"), other.saves("pen-1", "01/38")
	unknown := strings.Repeat("0", 64)
	refused := func(tokens []string, want ...string) {
		t.Helper()
		code, response := w.post("/api/v1/session", w.shop.Sign(w.shop.Order("pen-2", with("card_token", tokens))))
		errors, _ := response["errors"].([]any)
		if code != http.StatusBadRequest || len(errors) != len(want) {
			t.Fatalf("%d %v", code, response)
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
	w.clock.Move(time.Date(2038, 2, 1, 12, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	refused([]string{token}, "400 205006 card_token[0]: Card token has expired.")
}

// A declined payment saves no card, and no card is stored unencrypted.
func TestDeclinedCardIsNotSaved(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1", with("req_token", true))
	payer.pays("02/38")
	if token := w.shop.last("sale").Fields.Get("card_token"); token != "" {
		t.Errorf("card_token %q", token)
	}
	for _, record := range w.app.Store.Dump() {
		if strings.HasPrefix(record.Key.Partition, "card/") || strings.Contains(string(record.Doc), "ciphertext") {
			t.Errorf("%v holds a card", record.Key)
		}
	}
	payer.pays("05/38") // 3-D Secure: when the approval arrives, no function has the card in memory any more
	payer.presses("confirm")
	w.work()
	payer.is("settled")
	if token := w.shop.last("sale").Fields.Get("card_token"); len(token) != 64 {
		t.Errorf("card_token %q", token)
	}
}

// What explain shows of a session's saved cards, and a choice that the page doesn't have.
func TestChoiceOfSavedCards(t *testing.T) {
	w := open(t, operations)
	token := w.shop.saves("pen-1", "01/38")
	one := with("card_token", []string{token, token}) // the same card twice
	_, explained := w.post("/api/v1/session/explain", w.shop.Sign(w.shop.Order("pen-2", one)))
	cards, _ := json.Marshal(explained["saved_cards"])
	if want := `[{"expiry":"01/2038","mask":"411111******1111"}]`; string(cards) != want {
		t.Errorf("explain: %s, want %s", cards, want)
	}
	payer := w.shop.visits("pen-2", one)
	pay := payer.Fill(payer.screen(), card.Card{})
	pay.Saved, pay.Sealed = "2", nil
	got := inWords(w.post(payer.Path("pay"), pay))
	if got != "400 100000 saved: The value you selected is not a valid choice." {
		t.Errorf("another choice: %s", got)
	}
	payer.sees("form")
}

// A payout to a saved card uses no parameters but a card's. The merchant is told of others, and they are not stored.
func TestPayoutToSavedCardHasCardParameters(t *testing.T) {
	w := open(t, operations)
	token := w.shop.saves("pen-1", "01/38")
	bank := &provider{}
	w.connects(settings.SandboxConnector, bank)
	body := w.shop.Order("pen-2", withFile, with("operation", "credit"), with("card_token", []string{token}))
	parameters := body["parameters"].(map[string]any)
	parameters["card"] = map[string]any{"descriptor": "SHOP"}
	parameters["crypto_payout"] = map[string]any{"address": []int{1}} // a fault, if it were used
	_, explained := w.post("/api/v1/session/explain", w.shop.Sign(body))
	if got := inWords(w.post("/api/v1/session", w.shop.Sign(body))); got != "200 settled" {
		t.Errorf("credit: %s", got)
	}
	const why = ": No payment of this request can use it."
	want := []any{"parameters.crypto_payout" + why, "parameters.mobile_account" + why}
	logged := strings.Contains(w.log.String(), "parameters.crypto_payout"+why)
	if !reflect.DeepEqual(explained["left_out"], want) || !logged {
		t.Errorf("left out: %v; logged: %v", explained["left_out"], logged)
	}
	delete(body, "card_token")
	body["payee"] = map[string]any{"name": "Al Doe"}
	if got := inWords(w.post("/api/v1/session", w.shop.Sign(body))); !strings.Contains(got, "parameters.crypto_payout") {
		t.Errorf("without the card: %s", got)
	}
	if stored := w.filesOf(); len(stored) > 0 {
		t.Errorf("%d documents have the file", len(stored))
	}
	if len(bank.charges) != 1 || textAt(bank.charges[0].Parameters, "descriptor") != "SHOP" {
		t.Errorf("charged %+v", bank.charges)
	}
}
