package story

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/wallet/testwallet"
)

// paysFromServer sends a session request with a token that the merchant's own page got, and returns the response.
func (s *Shop) paysFromServer(number string, kind testwallet.Kind, token any, changes ...func(map[string]any)) (
	int, map[string]any,
) {
	s.w.t.Helper()
	changes = append([]func(map[string]any){
		with("methods", []string{string(kind)}),
		with("parameters", map[string]any{string(kind): map[string]any{"payment_token": token}}),
	}, changes...)
	return s.w.post("/api/v1/session", s.Sign(s.Order(number, changes...)))
}

// unbound is a token of no page of the service.
func (s *Shop) unbound(kind testwallet.Kind, expiry string, changes ...TokenChange) string {
	s.w.t.Helper()
	v := s.Visit("", "")
	return s.w.Token(kind, v.Content(expiry, changes...), "")
}

// A merchant's server pays with a token at once: as an object, or as its JSON text.
func TestTokenFromAServer(t *testing.T) {
	for _, row := range walletRows {
		for i, kind := range walletKinds {
			w, bank := row.opens(t)
			sent := any(w.shop.unbound(kind, "01/38", row.changes()...))
			if i > 0 {
				sent = json.RawMessage(sent.(string))
			}
			code, response := w.shop.paysFromServer("pen-1", kind, sent)
			if code != 200 || response["status"] != "settled" || response["digital_wallet"] != string(kind) ||
				response["redirect_url"] != nil || (response["pan_type"] == "dpan") != row.card {
				t.Errorf("%s, %s: %d %v", row.name, kind, code, response)
			}
			if len(bank.charges) != 1 || bank.charges[0].Wallet.CardFlow != row.card {
				t.Errorf("%s, %s: %d charges", row.name, kind, len(bank.charges))
			}
			w.sealedAre(0)
		}
	}
}

// While 3-D Secure is due, the response has the address of the page that leads to it.
func TestTokenFromAServerWithThreeDSecure(t *testing.T) {
	w := open(t, takingWallets)
	token := w.shop.unbound(testwallet.GooglePay, "01/38", panOnly)
	code, response := w.shop.paysFromServer("pen-1", testwallet.GooglePay, token)
	address, _ := response["redirect_url"].(string)
	_, session, found := strings.Cut(address, "/?session=")
	if code != 200 || response["status"] != "3ds" || !found {
		t.Fatalf("%d %v", code, response)
	}
	payer := w.shop.Visit(session, "pen-1")
	payer.comesBack(payer.presses("confirm"))
	w.work()
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
}

// What the service can't do with a token is refused before anything is stored, and no fault repeats the token.
func TestTokenFromAServerIsChecked(t *testing.T) {
	const at = "parameters.applepay.payment_token: This value is not valid. "
	apple := testwallet.ApplePay
	w := open(t, takingWallets)
	good := w.shop.unbound(apple, "01/38")
	for _, test := range []struct {
		token  any
		change func(map[string]any)
		want   string
	}{
		{"{", nil, at + "It should be the wallet's token: an object, or its JSON text."},
		{7, nil, at + "It should be the wallet's token: an object, or its JSON text."},
		{[]string{good}, nil, at + "It should be the wallet's token: an object, or its JSON text."},
		{`{"x":"` + strings.Repeat("a", 8192) + `"}`, nil, at + "It should have at most 8192 bytes."},
		{good, with("methods", []string{"applepay", "card"}), at + "methods should name its wallet, and no other method."},
		{good, with("methods", nil), at + "methods should name its wallet, and no other method."},
	} {
		changes := []func(map[string]any){}
		if test.change != nil {
			changes = append(changes, test.change)
		}
		code, response := w.shop.paysFromServer("pen-1", apple, test.token, changes...)
		if got := inWords(code, response); got != "400 100000 "+test.want {
			t.Errorf("%s", got)
		}
	}
	if len(w.Stored(t)) != 0 {
		t.Error("a payment was stored")
	}
}

// A call that is repeated with its Idempotency-Key is not done again, and neither the record nor anything else has the
// token.
func TestTokenFromAServerTwice(t *testing.T) {
	w, bank := decryptedRow.opens(t)
	body := w.shop.Sign(w.shop.Order("pen-1", with("methods", []string{"applepay"}), with("parameters", map[string]any{
		"applepay": map[string]any{"payment_token": w.shop.unbound(testwallet.ApplePay, "01/38")},
	})))
	code, first := w.postWithKey("key-1", "/api/v1/session", body)
	again, second := w.postWithKey("key-1", "/api/v1/session", body)
	if code != 200 || again != 200 || first != second || len(bank.charges) != 1 {
		t.Errorf("%d %s, then %d %s, %d charges", code, first, again, second, len(bank.charges))
	}
	if code, text := w.call("POST", "/api/v1/session", body); code != 400 || !strings.Contains(string(text), "Duplicate") {
		t.Errorf("without the key: %d %s", code, text)
	}
}

// A provider that repeats parts of a token or the cryptogram in its reason or error does not get them into logs,
// callbacks or responses: every story looks for them when it ends.
func TestProviderRepeatsTheToken(t *testing.T) {
	for _, row := range walletRows {
		w, bank := row.opens(t)
		bank.charge = func(c connector.Charge) (connector.Result, error) {
			text := "refused " + c.Card.Cryptogram + " " + c.Wallet.Token
			if len(bank.charges) > 1 {
				return connector.Result{}, fmt.Errorf("broken: %s", text)
			}
			return connector.Result{Outcome: connector.OutcomeDeclined, Reason: text}, nil
		}
		for _, number := range []string{"pen-1", "pen-2"} {
			payer := w.shop.visits(number)
			payer.paysWithToken(testwallet.GooglePay, row.token(payer, testwallet.GooglePay))
		}
	}
}
