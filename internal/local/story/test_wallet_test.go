package story

import (
	"maps"
	"slices"
	"testing"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// asksForToken returns a request for a token of the test wallet.
func asksForToken(kind string, changes map[string]any) map[string]any {
	body := map[string]any{"method": kind, "card": TestCard, "expiry": "01/38"}
	maps.Copy(body, changes)
	return body
}

// offersWallets adds both wallets to the methods of the shop's first MID.
func offersWallets(m *settings.Merchant) {
	mid := &m.Mappings[0].MIDs[0]
	mid.Methods = append(slices.Clone(mid.Methods), method.ApplePay, method.GooglePay)
}

func TestTokenOfTheTestWallet(t *testing.T) {
	for _, row := range []struct {
		name, kind string
		changes    map[string]any
		want       string
	}{
		{"a device card of Apple Pay", method.ApplePay, nil, "settled"},
		{"a device card of Google Pay", method.GooglePay, nil, "settled"},
		{"a card that is declined", method.ApplePay, map[string]any{"expiry": "02/38"},
			"decline (Declined by processing.)"},
		{"Google Pay's card itself needs 3-D Secure", method.GooglePay, map[string]any{"pan_only": true}, "3ds"},
		{"changed after it was signed", method.ApplePay, map[string]any{"fault": "bad_signature"},
			"decline (The wallet's payment token is not valid.)"},
		{"for another amount", method.ApplePay, map[string]any{"fault": "amount_changed"},
			"decline (The payer confirmed another amount in the wallet.)"},
		{"made for another merchant", method.GooglePay, map[string]any{"fault": "other_recipient"},
			"decline (The wallet's payment token is not valid.)"},
		{"the amount of the request does not count", method.ApplePay, map[string]any{"amount": "0.01"}, "settled"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := open(t, offersWallets)
			v := w.shop.visits("order-1")
			ask := asksForToken(row.kind, row.changes)
			ask["session"] = v.session
			code, response := w.post("/sandbox/wallet", ask)
			token, _ := response["token"].(string)
			if code != 200 || token == "" {
				t.Fatalf("%d %v", code, response)
			}
			page := v.screen()
			page.Methods = slices.DeleteFunc(page.Methods, func(m screen.Method) bool { return m.ID != row.kind })
			if len(page.Methods) != 1 || page.Methods[0].Wallet == nil || !page.Methods[0].Wallet.Test {
				t.Fatalf("the screen offers %+v", page.Methods)
			}
			v.send(v.Fill(page, card.Card{Token: token}))
			w.work()
			v.is(row.want)
		})
	}
}

func TestRequestsForTestTokensAreChecked(t *testing.T) {
	t.Parallel()
	w := open(t, offersWallets)
	live := w.shop.visits("order-live", with("merchant_key", w.shop.merchant.LiveKey))
	for _, row := range []struct {
		name    string
		changes map[string]any
		want    int
	}{
		{"without a session", nil, 200},
		{"no currency", map[string]any{"currency": ""}, 400},
		{"no amount", map[string]any{"amount": ""}, 400},
		{"a crypto currency", map[string]any{"currency": "BTC"}, 400},
		{"a method that is no wallet", map[string]any{"method": "card"}, 400},
		{"a card that is none", map[string]any{"card": "4111 1111"}, 400},
		{"a month 13", map[string]any{"expiry": "13/38"}, 400},
		{"a fault of the other wallet", map[string]any{"fault": "other_recipient"}, 400},
		{"no wallet has it", map[string]any{"pan_only": true}, 400},
		{"no session", map[string]any{"session": "nobody"}, 404},
		{"a session with the live key", map[string]any{"session": live.session}, 404},
		{"no request", map[string]any{"card": 4111}, 400},
	} {
		ask := asksForToken(method.ApplePay, map[string]any{"amount": "10.00", "currency": "USD"})
		maps.Copy(ask, row.changes)
		if code, response := w.post("/sandbox/wallet", ask); code != row.want {
			t.Errorf("%s: %d %v, want %d", row.name, code, response, row.want)
		}
	}
}
